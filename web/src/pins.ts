/** Pins: small balls at the vertices that are held, for as long as they are. */

import { InstancedMesh, Matrix4, MeshStandardMaterial, SphereGeometry } from "three";
import type { Prop } from "./prop";
import type { FrameSource, Moment } from "./source";
import type { Theme } from "./theme";

const matrix = new Matrix4();

/** Draws the pins of one cloth. */
export class PinsProp implements Prop {
  readonly object: InstancedMesh;
  private readonly material = new MeshStandardMaterial({ roughness: 0.4 });
  private readonly vertices: number[];
  /** First frame in which each is free. */
  private readonly freeFrom: number[];
  private readonly positions: Float32Array;

  /** `radius` is that of a pin [m]. */
  constructor(
    private readonly source: FrameSource,
    private readonly cloth: number,
    private readonly radius: number,
  ) {
    const { held, vertices } = source.header.cloths[cloth];
    this.vertices = held.flatMap((group) => group.vertices);
    this.freeFrom = held.flatMap((group) => group.vertices.map(() => group.until_frame ?? Infinity));
    this.positions = new Float32Array(3 * vertices);
    this.object = new InstancedMesh(new SphereGeometry(1, 16, 12), this.material, this.vertices.length);
    this.object.frustumCulled = false;
    this.object.castShadow = true;
  }

  show(moment: Moment, frame: number): void {
    if (this.vertices.length === 0) {
      return;
    }
    this.source.clothPositions(this.cloth, moment, this.positions);
    let shown = 0;
    for (let i = 0; i < this.vertices.length; i++) {
      if (frame >= this.freeFrom[i]) {
        continue;
      }
      const at = 3 * this.vertices[i];
      matrix.makeScale(this.radius, this.radius, this.radius);
      matrix.setPosition(this.positions[at], this.positions[at + 1], this.positions[at + 2]);
      this.object.setMatrixAt(shown, matrix);
      shown++;
    }
    this.object.count = shown;
    this.object.instanceMatrix.needsUpdate = true;
  }

  setTheme(theme: Theme): void {
    this.material.color.set(theme.pin);
  }
}
