/** A solid on the stage. */

import { BufferAttribute, BufferGeometry, Mesh, MeshStandardMaterial } from "three";
import { writeNormals } from "./normals";
import type { Prop } from "./prop";
import type { FrameSource, Moment } from "./source";
import type { Theme } from "./theme";
import { creased } from "./topology";

/** Triangles that meet at more than this keep the edge between them [rad]. */
const CREASE = 0.7;

/** Draws one collider of a source. */
export class ColliderProp implements Prop {
  readonly object: Mesh;
  private readonly material = new MeshStandardMaterial({
    roughness: 0.85,
    metalness: 0,
    // Cloth lies a millimetre off, and is itself pushed back behind the lines on it: a solid goes behind both.
    polygonOffset: true,
    polygonOffsetFactor: 3,
    polygonOffsetUnits: 3,
  });
  private readonly positions: Float32Array;
  private readonly copyOf: Uint32Array;
  private readonly triangles: Uint32Array;
  private readonly placed: BufferAttribute;
  private readonly normals: BufferAttribute;
  private isPlaced = false;

  constructor(
    private readonly source: FrameSource,
    private readonly collider: number,
  ) {
    this.positions = new Float32Array(3 * source.header.colliders[collider].vertices);
    source.colliderPositions(collider, { slot: 0, fraction: 0 }, this.positions);
    const split = creased(this.positions, source.colliderTriangles(collider), CREASE);
    this.copyOf = split.copyOf;
    this.triangles = split.triangles;
    this.placed = new BufferAttribute(new Float32Array(3 * split.copyOf.length), 3);
    this.normals = new BufferAttribute(new Float32Array(3 * split.copyOf.length), 3);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", this.placed);
    geometry.setAttribute("normal", this.normals);
    geometry.setIndex(new BufferAttribute(split.triangles, 1));
    this.object = new Mesh(geometry, this.material);
    this.object.frustumCulled = false;
    this.object.castShadow = true;
    this.object.receiveShadow = true;
  }

  show(moment: Moment): void {
    if (this.isPlaced && !this.source.header.colliders[this.collider].moves) {
      return;
    }
    this.isPlaced = true;
    this.source.colliderPositions(this.collider, moment, this.positions);
    const out = this.placed.array as Float32Array;
    for (let i = 0; i < this.copyOf.length; i++) {
      const vertex = 3 * this.copyOf[i];
      out[3 * i] = this.positions[vertex];
      out[3 * i + 1] = this.positions[vertex + 1];
      out[3 * i + 2] = this.positions[vertex + 2];
    }
    writeNormals(out, this.triangles, this.normals.array as Float32Array);
    this.placed.needsUpdate = true;
    this.normals.needsUpdate = true;
  }

  setTheme(theme: Theme): void {
    this.material.color.set(theme.solid);
  }
}
