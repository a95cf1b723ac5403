/** Chains: cloth that has no triangles, drawn as thin round bars between its vertices. */

import { Color, CylinderGeometry, InstancedMesh, Matrix4, MeshStandardMaterial, Quaternion, Vector3 } from "three";
import { codeColour } from "./colours";
import type { Colouring, Look, Prop } from "./prop";
import type { FrameSource, Moment } from "./source";
import { FABRICS } from "./theme";

const matrix = new Matrix4();
const turn = new Quaternion();
const middle = new Vector3();
const along = new Vector3();
const scale = new Vector3();
const colour = new Color();
const barAxis = new Vector3(0, 1, 0);

/** Draws the lines of one cloth. */
export class ChainProp implements Prop {
  readonly object: InstancedMesh;
  private readonly lines: Uint32Array;
  private readonly positions: Float32Array;
  private readonly strains: Float32Array;
  private readonly palette = Array.from({ length: 256 }, (_, code) => {
    const [red, green, blue] = codeColour(code).map((channel) => channel / 255);
    return new Color().setRGB(red, green, blue, "srgb");
  });
  private colouring: Colouring = "fabric";

  /** `radius` is that of a bar [m]. */
  constructor(
    private readonly source: FrameSource,
    private readonly cloth: number,
    private readonly radius: number,
  ) {
    const { vertices } = source.header.cloths[cloth];
    this.lines = source.clothShape(cloth).lines;
    this.positions = new Float32Array(3 * vertices);
    this.strains = new Float32Array(vertices);
    const material = new MeshStandardMaterial({ roughness: 0.7 });
    this.object = new InstancedMesh(new CylinderGeometry(1, 1, 1, 10), material, this.lines.length / 2);
    this.object.frustumCulled = false;
    this.object.castShadow = true;
    this.object.receiveShadow = true;
  }

  show(moment: Moment): void {
    this.source.clothPositions(this.cloth, moment, this.positions);
    this.source.clothStrain(this.cloth, moment, this.strains);
    for (let i = 0; 2 * i < this.lines.length; i++) {
      this.placeBar(i);
    }
    this.paint();
    this.object.instanceMatrix.needsUpdate = true;
  }

  setLook({ colouring }: Look): void {
    this.colouring = colouring;
    this.paint();
  }

  private placeBar(i: number): void {
    const a = 3 * this.lines[2 * i];
    const b = 3 * this.lines[2 * i + 1];
    const p = this.positions;
    along.set(p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]);
    middle.set((p[a] + p[b]) / 2, (p[a + 1] + p[b + 1]) / 2, (p[a + 2] + p[b + 2]) / 2);
    const length = along.length();
    scale.set(this.radius, length, this.radius);
    turn.setFromUnitVectors(barAxis, length > 0 ? along.divideScalar(length) : barAxis);
    this.object.setMatrixAt(i, matrix.compose(middle, turn, scale));
  }

  private paint(): void {
    const fabric = colour.set(FABRICS[this.cloth % FABRICS.length].front);
    for (let i = 0; 2 * i < this.lines.length; i++) {
      // A vertex shows the worst of its edges, so the lower of a bar's two ends is the nearer to its own strain.
      const code = Math.min(this.strains[this.lines[2 * i]], this.strains[this.lines[2 * i + 1]]);
      this.object.setColorAt(i, this.colouring === "strain" ? this.palette[Math.round(code)] : fabric);
    }
    if (this.object.instanceColor !== null) {
      this.object.instanceColor.needsUpdate = true;
    }
  }
}
