/** The stage: renderer, lights, floor and the things on it. Draws on request. */

import { DirectionalLight, HemisphereLight, Scene, Vector3, VSMShadowMap, WebGLRenderer } from "three";
import { OrbitCamera } from "./camera";
import { ChainProp } from "./chain";
import { ClothProp } from "./cloth";
import { ColliderProp } from "./collider";
import { EdgeMark } from "./edge_mark";
import { Floor } from "./floor";
import { type Motion, surveyMotion } from "./framing";
import { PinsProp } from "./pins";
import type { Look, Prop } from "./prop";
import type { FrameSource, Moment } from "./source";
import { printedLines, strainLookup } from "./textures";
import type { Theme } from "./theme";

/** More pixels than this per CSS pixel cost time and are not seen. */
const MOST_PIXEL_RATIO = 2;
/** Radius of a chain's bars, as a fraction of half the diagonal of the motion's box. */
const BAR = 0.006;
/** Radius of a pin that stands alone, on cloth and on chains, as a multiple of that. */
const PIN = 1.5;
const CHAIN_PIN = 3;

/** Everything that is drawn by WebGL. */
export class Stage {
  readonly view: OrbitCamera;
  readonly mark: EdgeMark;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly sky = new HemisphereLight();
  private readonly key = new DirectionalLight();
  private readonly props: Prop[];
  private readonly floor: Floor | null;
  private width = 1;
  private height = 1;

  /** `isStill` says whether motion is to be avoided; `changed` is called when there is something new to draw. */
  constructor(canvas: HTMLCanvasElement, source: FrameSource, isStill: () => boolean, changed: () => void) {
    this.renderer = makeRenderer(canvas);
    const motion = surveyMotion(source);
    this.view = new OrbitCamera(canvas, motion, source.header.camera, isStill, changed);
    this.mark = new EdgeMark(source);
    this.props = makeProps(source, motion, this.renderer.capabilities.getMaxAnisotropy());
    this.floor = makeFloor(motion, source.header.ground_y);
    this.placeLight(motion, source.header.ground_y);
    this.scene.add(this.sky, this.key, this.key.target, this.mark.object, ...this.props.map((prop) => prop.object));
    if (this.floor !== null) {
      this.scene.add(this.floor.object);
    }
  }

  show(moment: Moment, frame: number): void {
    for (const prop of this.props) {
      prop.show(moment, frame);
    }
    this.mark.show(moment);
    this.renderer.shadowMap.needsUpdate = true;
  }

  setLook(look: Look): void {
    for (const prop of this.props) {
      prop.setLook?.(look);
    }
  }

  setTheme(theme: Theme): void {
    this.sky.color.set(theme.sky);
    this.sky.groundColor.set(theme.earth);
    this.sky.intensity = theme.ambient;
    this.key.intensity = theme.key;
    this.key.shadow.intensity = theme.shadow;
    this.floor?.setTheme(theme);
    for (const prop of this.props) {
      prop.setTheme?.(theme);
    }
  }

  /** Takes the size of its container [CSS px]. */
  resize(width: number, height: number): void {
    if (width < 1 || height < 1) {
      return;
    }
    [this.width, this.height] = [width, height];
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, MOST_PIXEL_RATIO));
    this.renderer.setSize(width, height, false);
    this.view.setAspect(width, height);
  }

  render(): void {
    this.renderer.render(this.scene, this.view.camera);
    this.mark.placeLabel(this.view.camera, this.width, this.height);
  }

  /** After the browser gave back a lost context: the shadow has to be drawn again. */
  restore(): void {
    this.renderer.shadowMap.needsUpdate = true;
  }

  /** From above, left of the view that the camera starts with. */
  private placeLight(motion: Motion, groundY: number | null): void {
    const centre = middleOf(motion);
    const radius = radiusOf(motion);
    const azimuth = Math.atan2(motion.direction[2], motion.direction[0]) + 1.25;
    const from = new Vector3(Math.cos(azimuth), 1.15, Math.sin(azimuth)).normalize();
    this.key.position.copy(centre).addScaledVector(from, 4 * radius);
    this.key.target.position.copy(centre);
    this.key.castShadow = true;
    const { shadow } = this.key;
    shadow.mapSize.set(1024, 1024);
    shadow.radius = 7;
    shadow.blurSamples = 10;
    shadow.normalBias = 0.006 * radius;
    shadow.bias = -0.0004;
    Object.assign(shadow.camera, { left: -radius, right: radius, top: radius, bottom: -radius });
    const toFloor = groundY === null ? 0 : Math.max(centre.y - groundY, 0) / from.y;
    shadow.camera.near = 2 * radius;
    shadow.camera.far = 4 * radius + Math.max(toFloor, radius) * 1.5 + radius;
  }
}

/** The context is asked for here and not by three.js, which would write an error to the console. */
function makeRenderer(canvas: HTMLCanvasElement): WebGLRenderer {
  const options: WebGLContextAttributes = { alpha: true, antialias: true };
  const context = canvas.getContext("webgl2", options) as WebGL2RenderingContext | null;
  if (context === null) {
    throw new Error("this browser or computer offers no WebGL 2");
  }
  const renderer = new WebGLRenderer({ canvas, context, alpha: true, antialias: true });
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = VSMShadowMap;
  // Shadows stay as they are while only the camera moves.
  renderer.shadowMap.autoUpdate = false;
  return renderer;
}

function makeProps(source: FrameSource, motion: Motion, anisotropy: number): Prop[] {
  const textures = { lines: printedLines(anisotropy), strain: strainLookup() };
  const thin = BAR * radiusOf(motion);
  const { cloths, colliders } = source.header;
  const ofCloth = cloths.flatMap(({ triangles, lines, pinned }, index) => {
    const parts: Prop[] = [];
    if (triangles > 0) parts.push(new ClothProp(source, index, textures));
    if (lines > 0) parts.push(new ChainProp(source, index, thin));
    // On a chain a pin is always thicker than the bars, even among other pins: so the anchor is distinct.
    const radii = lines > 0 ? { alone: CHAIN_PIN * thin, least: PIN * thin } : { alone: PIN * thin, least: 0 };
    if (pinned.length > 0) parts.push(new PinsProp(source, index, radii));
    return parts;
  });
  const drawn = [...colliders.keys()].filter((index) => colliders[index].part !== "floor");
  return [...ofCloth, ...drawn.map((index) => new ColliderProp(source, index))];
}

function makeFloor(motion: Motion, groundY: number | null): Floor | null {
  const { x, z } = middleOf(motion);
  return groundY === null ? null : new Floor(x, groundY, z, 5 * radiusOf(motion));
}

function middleOf({ min, max }: Motion): Vector3 {
  return new Vector3(...min).add(new Vector3(...max)).divideScalar(2);
}

/** Half the diagonal of the motion's box [m]. */
function radiusOf({ min, max }: Motion): number {
  return Math.max(new Vector3(...max).distanceTo(new Vector3(...min)) / 2, 1e-3);
}
