/** Pins: small balls at the vertices that are pinned, for as long as they are. */

import { InstancedMesh, Matrix4, MeshStandardMaterial, SphereGeometry } from "three";
import { type PinnedPair, type PinRadii, pinnedPairs, pinSizes } from "./pin_sizes";
import type { Prop } from "./prop";
import type { FrameSource, Moment } from "./source";
import type { Theme } from "./theme";
import { uniqueEdges, welded } from "./topology";

const matrix = new Matrix4();

/** Draws the pins of one cloth. */
export class PinsProp implements Prop {
  readonly object: InstancedMesh;
  private readonly material = new MeshStandardMaterial({ roughness: 0.4 });
  /** First frame in which each pinned vertex is free. */
  private readonly freeFrom = new Map<number, number>();
  private readonly pairs: PinnedPair[];
  private readonly positions: Float32Array;
  /** Radius of each pin there is [m], by vertex. */
  private sizes = new Map<number, number>();
  private pinnedCount = -1;

  constructor(
    private readonly source: FrameSource,
    private readonly cloth: number,
    private readonly radii: PinRadii,
  ) {
    const { pinned, vertices } = source.header.cloths[cloth];
    for (const { vertices, until_frame } of pinned) {
      for (const vertex of vertices) {
        // Pinned by several, a vertex is free when the last one lets go.
        this.freeFrom.set(vertex, Math.max(until_frame ?? Infinity, this.freeFrom.get(vertex) ?? 0));
      }
    }
    this.positions = new Float32Array(3 * vertices);
    source.clothPositions(cloth, { slot: 0, fraction: 0 }, this.positions);
    const { triangles, copyOf, lines } = source.clothShape(cloth);
    const isPinned = new Set(this.freeFrom.keys());
    const sides = uniqueEdges(welded(triangles, copyOf), vertices);
    this.pairs = [sides, lines].flatMap((joined) => pinnedPairs(joined, isPinned, this.positions));
    this.object = new InstancedMesh(new SphereGeometry(1, 16, 12), this.material, this.freeFrom.size);
    this.object.frustumCulled = false;
    this.object.castShadow = true;
  }

  show(moment: Moment, frame: number): void {
    if (this.freeFrom.size === 0) {
      return;
    }
    this.source.clothPositions(this.cloth, moment, this.positions);
    this.holdAt(frame);
    let shown = 0;
    for (const [vertex, radius] of this.sizes) {
      const at = 3 * vertex;
      matrix.makeScale(radius, radius, radius);
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

  /** Sizes the pins of a frame. Vertices are only ever let go, so the same number of them means the same ones. */
  private holdAt(frame: number): void {
    let count = 0;
    for (const free of this.freeFrom.values()) {
      count += frame < free ? 1 : 0;
    }
    if (count !== this.pinnedCount) {
      this.pinnedCount = count;
      const pinned = [...this.freeFrom].filter(([, free]) => frame < free);
      this.sizes = pinSizes(
        pinned.map(([vertex]) => vertex),
        this.pairs,
        this.radii,
      );
    }
  }
}
