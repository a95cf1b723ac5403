/** The mark on one edge: a bright line that is seen through cloth, and a label beside it. */

import { type Camera, Group, type InterleavedBufferAttribute, Vector3 } from "three";
import { Line2 } from "three/addons/lines/Line2.js";
import { LineGeometry } from "three/addons/lines/LineGeometry.js";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { element } from "./dom";
import { labelPlace } from "./label_place";
import { writeNormals } from "./normals";
import type { FrameSource, Moment } from "./source";
import { welded } from "./topology";

/** Neither of the strain scale's colours nor of the fabrics': it stands out on both. */
const BRIGHT = 0xe6007e;

/** An edge of a cloth, by its vertices. */
export interface Edge {
  cloth: number;
  vertices: [number, number];
}

/** Marks an edge and follows it through the frames. */
export class EdgeMark {
  readonly object = new Group();
  /** Lies over the canvas. */
  readonly label = element("div", { class: "player-mark", hidden: "" });
  readonly middle = new Vector3();
  /** Length of the edge where it was shown last [m]. */
  length = 0;
  private readonly geometry = new LineGeometry();
  private readonly screen = new Vector3();
  private edge: Edge | null = null;
  private positions = new Float32Array(0);

  constructor(private readonly source: FrameSource) {
    this.geometry.setPositions([0, 0, 0, 0, 0, 0]);
    for (const [width, colour, order] of [
      [10, 0xffffff, 10],
      [6, BRIGHT, 11],
    ]) {
      const line = new Line2(this.geometry, markMaterial(width, colour));
      line.renderOrder = order;
      line.frustumCulled = false;
      this.object.add(line);
    }
    this.object.visible = false;
  }

  /** Marks an edge, or none. */
  set(edge: Edge | null): void {
    this.edge = edge;
    this.object.visible = edge !== null;
    this.label.hidden = edge === null;
    if (edge !== null) {
      this.positions = new Float32Array(3 * this.source.header.cloths[edge.cloth].vertices);
    }
  }

  get marked(): Edge | null {
    return this.edge;
  }

  /** Moves to where the edge is at a moment. */
  show(moment: Moment): void {
    if (this.edge === null) {
      return;
    }
    this.source.clothPositions(this.edge.cloth, moment, this.positions);
    const p = this.positions;
    const [a, b] = this.edge.vertices.map((vertex) => 3 * vertex);
    // Start and end of the line lie side by side in one buffer. Written in place: a new one each frame would pile up.
    const { data } = this.geometry.getAttribute("instanceStart") as InterleavedBufferAttribute;
    data.array.set([p[a], p[a + 1], p[a + 2], p[b], p[b + 1], p[b + 2]]);
    data.needsUpdate = true;
    this.length = Math.hypot(p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]);
    this.middle.set(p[a] + p[b], p[a + 1] + p[b + 1], p[a + 2] + p[b + 2]).divideScalar(2);
  }

  /** Which way the cloth faces at the edge. */
  normal(): Vector3 {
    const { cloth, vertices } = this.edge ?? { cloth: 0, vertices: [0, 0] };
    const { triangles, copyOf } = this.source.clothShape(cloth);
    const normals = new Float32Array(this.positions.length);
    writeNormals(this.positions, welded(triangles, copyOf), normals);
    const at = (vertex: number) => new Vector3().fromArray(normals, 3 * vertex);
    return at(vertices[0]).add(at(vertices[1])).normalize();
  }

  /** Puts the label beside the edge, in a picture of some size [CSS px]. */
  placeLabel(camera: Camera, width: number, height: number): void {
    if (this.edge === null) {
      return;
    }
    this.screen.copy(this.middle).project(camera);
    const isVisible = this.screen.z < 1 && Math.abs(this.screen.x) < 1.05 && Math.abs(this.screen.y) < 1.05;
    this.label.style.visibility = isVisible ? "visible" : "hidden";
    const x = (0.5 + 0.5 * this.screen.x) * width;
    const y = (0.5 - 0.5 * this.screen.y) * height;
    const size = { width: this.label.offsetWidth, height: this.label.offsetHeight };
    const { left, top } = labelPlace(x, y, size, { width, height });
    this.label.style.transform = `translate(${left.toFixed(1)}px, ${top.toFixed(1)}px)`;
  }
}

function markMaterial(width: number, color: number): LineMaterial {
  return new LineMaterial({ color, linewidth: width, depthTest: false, depthWrite: false, transparent: true });
}
