/** A source of frames: what the stage shows, wherever it comes from. */

import type { RunHeader } from "./header";
import { type ClothShape, type DecodedRun, decodeRun, writePositions, writeStrain } from "./run";

/** A moment: stored frame `slot`, and how far towards the next one, 0 to 1. */
export interface Moment {
  slot: number;
  fraction: number;
}

/** Shapes that stay, and positions at any moment. A recorded run is one; a live simulation can be another. */
export interface FrameSource {
  readonly header: RunHeader;
  clothShape(cloth: number): ClothShape;
  colliderTriangles(collider: number): Uint32Array;
  /** Writes x, y, z of every vertex [m]. */
  clothPositions(cloth: number, moment: Moment, out: Float32Array): void;
  /** Writes the strain code of every vertex, 0 to 255. */
  clothStrain(cloth: number, moment: Moment, out: Float32Array): void;
  /** Writes x, y, z of every vertex [m]. */
  colliderPositions(collider: number, moment: Moment, out: Float32Array): void;
}

/** A run whose frames are all there. */
export class RecordedRun implements FrameSource {
  private readonly run: DecodedRun;

  constructor(
    readonly header: RunHeader,
    bytes: Uint8Array,
  ) {
    this.run = decodeRun(header, bytes);
  }

  clothShape(cloth: number): ClothShape {
    return this.run.shapes[cloth];
  }

  colliderTriangles(collider: number): Uint32Array {
    return this.run.colliderTriangles[collider];
  }

  clothPositions(cloth: number, { slot, fraction }: Moment, out: Float32Array): void {
    writePositions(this.run.cloths[cloth], slot, fraction, out);
  }

  clothStrain(cloth: number, { slot, fraction }: Moment, out: Float32Array): void {
    writeStrain(this.run.cloths[cloth], slot, fraction, out);
  }

  colliderPositions(collider: number, { slot, fraction }: Moment, out: Float32Array): void {
    writePositions(this.run.colliders[collider], slot, fraction, out);
  }
}
