/** The camera: the reader's hand on it, the view it starts with, and its path to another. */

import { PerspectiveCamera, Vector3 } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { fitView, isAnyInView, type Motion, type View } from "./framing";
import type { CameraHeader } from "./header";

/** Time a move of the camera takes [s]. */
const MOVE_SECONDS = 0.7;

/** Room at the side for the legend that lies over wide pictures [CSS px]; on narrow ones it stands below. */
const LEGEND_WIDTH = 130;
const NARROW = 600;
/** Distance to an edge that is looked at, as a multiple of its length: it is then some 40 px long. */
const EDGE_DISTANCE = 25;

/** A move under way. */
interface Move {
  eye: Vector3;
  target: Vector3;
  fromEye: Vector3;
  fromTarget: Vector3;
  elapsed: number;
}

/** A camera that orbits by mouse, touch and keys. */
export class OrbitCamera {
  readonly camera = new PerspectiveCamera();
  private readonly controls: OrbitControls;
  private move: Move | null = null;
  /** Shape of the part of the picture that nothing covers. */
  private freeAspect = 1;
  /** True until the reader or a link has moved the camera: then it is nobody else's to move. */
  private isHome = true;

  /** The view that the scene asks for. */
  private readonly asked: View | null;

  /** `asked` is the camera of the scene, if it has one; `changed` is called whenever there is something new to draw. */
  constructor(
    canvas: HTMLCanvasElement,
    private readonly motion: Motion,
    asked: CameraHeader | null,
    private readonly isStill: () => boolean,
    changed: () => void,
  ) {
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = !isStill();
    this.controls.dampingFactor = 0.12;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", changed);
    this.controls.addEventListener("start", () => {
      this.isHome = false;
      this.move = null;
    });
    this.asked = asked && { eye: asked.eye, target: asked.target, fieldOfView: asked.field_of_view_deg };
    this.setLimits();
  }

  /** How near and far the reader can go. The view that the scene asks for is possible, whatever it is. */
  private setLimits(): void {
    const { size } = this;
    const { eye, target } = this.asked ?? fitView(this.motion, 1);
    const toTarget = new Vector3(...eye).distanceTo(new Vector3(...target));
    const toMotion = new Vector3(...eye).distanceTo(new Vector3(...this.motion.min));
    this.controls.minDistance = Math.min(0.03 * size, toTarget || Infinity);
    this.controls.maxDistance = Math.max(12 * size, toTarget);
    this.camera.near = 0.01 * size;
    this.camera.far = Math.max(40 * size, 2 * (toMotion + size));
  }

  /** Length of the diagonal of the whole motion's box [m]. */
  private get size(): number {
    const { min, max } = this.motion;
    return Math.max(Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]), 1e-3);
  }

  /** Fits a picture's size [CSS px], and the motion into it while nobody has moved the camera. */
  setAspect(width: number, height: number): void {
    this.camera.aspect = width / height;
    this.freeAspect = (width - (width > NARROW ? 2 * LEGEND_WIDTH : 0)) / height;
    if (this.isHome) {
      this.place(this.homeView());
    }
    this.camera.updateProjectionMatrix();
  }

  /** Back to the view it started with. */
  goHome(): void {
    const view = this.homeView();
    this.isHome = true;
    // Another shape of the picture since may have brought another view.
    this.camera.fov = view.fieldOfView;
    this.camera.updateProjectionMatrix();
    this.goTo(new Vector3(...view.eye), new Vector3(...view.target));
  }

  /** Goes near an edge of some length [m], to the side that its surface normal shows, turning no more than needed. */
  goNear(point: Vector3, length: number, normal: Vector3): void {
    const from = this.camera.position.clone().sub(this.controls.target).normalize();
    const facing = normal.clone().multiplyScalar(normal.dot(from) < 0 ? -0.8 : 0.8);
    const direction = from.add(facing);
    // Straight from above or below, up on the screen is undefined.
    direction.y = Math.min(Math.max(direction.y, -0.4), 1);
    direction.normalize();
    this.isHome = false;
    const away = Math.min(Math.max(EDGE_DISTANCE * length, 0.4 * this.size), 0.9 * this.size);
    this.goTo(direction.multiplyScalar(away).add(point), point);
  }

  /** Turns by angles [rad] to the right and up. */
  turn(right: number, up: number): void {
    this.isHome = false;
    this.move = null;
    this.controls.rotateLeft(right);
    this.controls.rotateUp(up);
    // At once: a turn that waits for the next picture would be added to where a link or a reset goes meanwhile.
    this.controls.update();
  }

  /** Lets time pass [s]; true while the camera is still moving. */
  advance(seconds: number): boolean {
    if (this.move !== null) {
      this.follow(this.move, seconds);
    }
    return this.controls.update(seconds) || this.move !== null;
  }

  /** The view that the scene asks for, unless it never shows any cloth: then one that holds the whole motion. */
  private homeView(): View {
    const { asked, motion } = this;
    const { cloth } = motion;
    const isUseful = asked !== null && (cloth.length === 0 || isAnyInView(cloth, asked, this.camera.aspect));
    return isUseful ? asked : fitView(motion, this.freeAspect);
  }

  private place(view: View): void {
    this.camera.fov = view.fieldOfView;
    this.camera.position.set(...view.eye);
    this.controls.target.set(...view.target);
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }

  private goTo(eye: Vector3, target: Vector3): void {
    const [fromEye, fromTarget] = [this.camera.position.clone(), this.controls.target.clone()];
    this.move = { eye, target, fromEye, fromTarget, elapsed: this.isStill() ? MOVE_SECONDS : 0 };
    this.advance(0);
  }

  private follow(move: Move, seconds: number): void {
    move.elapsed += seconds;
    const fraction = Math.min(move.elapsed / MOVE_SECONDS, 1);
    const eased = fraction * fraction * (3 - 2 * fraction);
    this.camera.position.lerpVectors(move.fromEye, move.eye, eased);
    this.controls.target.lerpVectors(move.fromTarget, move.target, eased);
    if (fraction >= 1) {
      // Between two places rounding leaves its trace; the same view has to be the same picture.
      this.camera.position.copy(move.eye);
      this.controls.target.copy(move.target);
      this.move = null;
    }
  }
}
