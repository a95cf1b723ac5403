/** A cloth on the stage: two sides, smooth normals, fabric or strain colours, and its mesh as lines. */

import {
  BackSide,
  BufferAttribute,
  BufferGeometry,
  Color,
  type DataTexture,
  DoubleSide,
  DynamicDrawUsage,
  FrontSide,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshPhysicalMaterial,
} from "three";
import { CODES } from "./colours";
import { writeNormals } from "./normals";
import { lineSpacing } from "./pattern";
import type { Look, Prop } from "./prop";
import type { FrameSource, Moment } from "./source";
import { spacedLines } from "./textures";
import { FABRICS, type Theme } from "./theme";
import { rimCorners, uniqueEdges, welded } from "./topology";

/**
 * How much of a strain colour is there without light, and how much light adds. Light falls on cloth with up to 1.3
 * times the brightness of white, so the sum stays below 1: more would bleach the colours that the legend explains.
 */
const STRAIN_GLOW = 0.44;
const STRAIN_LIT = 0.42;

/** What fibres that stand off a cloth have more of than its threads. */
const WHITE = new Color(1, 1, 1);

/** Textures that all cloths share. */
export interface ClothTextures {
  lines: DataTexture;
  strain: DataTexture;
}

/** Draws one cloth of a source. */
export class ClothProp implements Prop {
  readonly object = new Group();
  private readonly geometry = new BufferGeometry();
  private readonly front: MeshPhysicalMaterial;
  private readonly back: MeshPhysicalMaterial;
  private readonly sides: Mesh[];
  private readonly wire = new LineBasicMaterial({ transparent: true });
  /** A line along the rim: pale cloth must not melt into a pale floor. */
  private readonly hem = new LineBasicMaterial({ transparent: true });
  private readonly wireLines: LineSegments;
  /** One per vertex; display vertices (copies along texture seams) take theirs from here. */
  private readonly positions: Float32Array;
  private readonly normals: Float32Array;
  private readonly strains: Float32Array;
  private readonly copyOf: Uint32Array | null;
  private readonly triangles: Uint32Array;
  /** Lines as far apart as suits this cloth's size; null: it has no coordinates to print by. */
  private readonly print: DataTexture | null;

  constructor(
    private readonly source: FrameSource,
    private readonly cloth: number,
    private readonly textures: ClothTextures,
  ) {
    const { vertices, display_vertices } = source.header.cloths[cloth];
    const shape = source.clothShape(cloth);
    this.copyOf = shape.copyOf;
    this.triangles = welded(shape.triangles, shape.copyOf);
    this.print = shape.coords === null ? null : spacedLines(textures.lines, lineSpacing(shape.triangles, shape.coords));
    this.positions = new Float32Array(3 * vertices);
    this.normals = new Float32Array(3 * vertices);
    this.strains = new Float32Array(vertices);
    this.fillGeometry(shape.triangles, shape.coords, display_vertices);
    const fabric = FABRICS[cloth % FABRICS.length];
    this.front = fabricMaterial(fabric.front);
    this.front.side = FrontSide;
    this.back = fabricMaterial(fabric.back);
    this.back.side = BackSide;
    this.sides = [this.front, this.back].map((material) => new Mesh(this.geometry, material));
    this.wireLines = this.makeLines(uniqueEdges(shape.triangles, display_vertices), this.wire);
    const rim = rimCorners(this.triangles, vertices).map((corner) => shape.triangles[corner]);
    this.assemble(this.makeLines(Uint32Array.from(rim), this.hem));
    this.setLook({ colouring: "fabric", wireframe: false });
  }

  show(moment: Moment): void {
    this.source.clothPositions(this.cloth, moment, this.positions);
    writeNormals(this.positions, this.triangles, this.normals);
    this.source.clothStrain(this.cloth, moment, this.strains);
    this.spread("position", this.positions);
    this.spread("normal", this.normals);
    this.writeStrain();
  }

  setLook({ colouring, wireframe }: Look): void {
    const isStrain = colouring === "strain";
    const fabric = FABRICS[this.cloth % FABRICS.length];
    for (const [material, colour] of [
      [this.front, fabric.front],
      [this.back, fabric.back],
    ] as const) {
      material.map = isStrain ? this.textures.strain : this.print;
      material.emissiveMap = isStrain ? this.textures.strain : null;
      material.emissive.setScalar(isStrain ? STRAIN_GLOW : 0);
      if (isStrain) material.color.setScalar(STRAIN_LIT);
      else material.color.set(colour);
      // Sheen and gloss would tint the colours.
      material.sheen = isStrain ? 0 : 1;
      material.specularIntensity = isStrain ? 0 : 0.25;
      material.needsUpdate = true;
    }
    for (const side of this.sides) {
      // In shadow a colour would look like another one of the scale.
      side.receiveShadow = !isStrain;
    }
    this.wireLines.visible = wireframe;
  }

  setTheme(theme: Theme): void {
    for (const lines of [this.wire, this.hem]) {
      lines.color.set(theme.wire);
      lines.opacity = theme.wireOpacity;
    }
  }

  private fillGeometry(triangles: Uint32Array, coords: Float32Array | null, count: number): void {
    const moving = (size: number) => {
      const attribute = new BufferAttribute(new Float32Array(size * count), size);
      attribute.setUsage(DynamicDrawUsage);
      return attribute;
    };
    this.geometry.setAttribute("position", moving(3));
    this.geometry.setAttribute("normal", moving(3));
    const strain = moving(2);
    strain.array.fill(0.5);
    this.geometry.setAttribute("uv1", strain);
    this.geometry.setAttribute("uv", new BufferAttribute(coords ?? new Float32Array(2 * count), 2));
    this.geometry.setIndex(new BufferAttribute(triangles, 1));
  }

  private makeLines(pairs: Uint32Array, material: LineBasicMaterial): LineSegments {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", this.geometry.getAttribute("position"));
    geometry.setIndex(new BufferAttribute(pairs, 1));
    return new LineSegments(geometry, material);
  }

  private assemble(hem: LineSegments): void {
    const { sides } = this;
    for (const part of [...sides, hem, this.wireLines]) {
      // Vertices move without three.js knowing; the whole motion is in view anyway.
      part.frustumCulled = false;
      this.object.add(part);
    }
    // One side throws the shadow of both.
    sides[0].castShadow = true;
    this.front.shadowSide = DoubleSide;
  }

  private spread(name: "position" | "normal", from: Float32Array): void {
    const attribute = this.geometry.getAttribute(name) as BufferAttribute;
    const out = attribute.array as Float32Array;
    if (this.copyOf === null) {
      out.set(from);
    } else {
      for (let i = 0; i < this.copyOf.length; i++) {
        const vertex = 3 * this.copyOf[i];
        out[3 * i] = from[vertex];
        out[3 * i + 1] = from[vertex + 1];
        out[3 * i + 2] = from[vertex + 2];
      }
    }
    attribute.needsUpdate = true;
  }

  /** A code's texture coordinate is the middle of its texel. */
  private writeStrain(): void {
    const attribute = this.geometry.getAttribute("uv1") as BufferAttribute;
    const out = attribute.array as Float32Array;
    for (let i = 0; 2 * i < out.length; i++) {
      const vertex = this.copyOf === null ? i : this.copyOf[i];
      out[2 * i] = (this.strains[vertex] + 0.5) / CODES;
    }
    attribute.needsUpdate = true;
  }
}

function fabricMaterial(colour: string): MeshPhysicalMaterial {
  return new MeshPhysicalMaterial({
    roughness: 0.92,
    sheenRoughness: 0.55,
    sheenColor: new Color(colour).lerp(WHITE, 0.7),
    // Lines drawn on the surface must not fight with it for the same depth.
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
  });
}
