/** Where the camera stands so that the whole motion is in the picture. Pure: numbers in, numbers out. */

import type { Triple } from "./header";
import type { FrameSource, Moment } from "./source";

/** A camera: where it is and what it looks at [m], and its vertical field of view [degrees]. */
export interface View {
  eye: Triple;
  target: Triple;
  fieldOfView: number;
}

/** What there is to frame. */
export interface Motion {
  /** Points of many frames, x, y, z each [m]: of cloths, and of colliders that are no scenery. */
  points: Float32Array;
  /** Those of cloths. */
  cloth: Float32Array;
  /** From the points' middle towards the camera, length 1. */
  direction: Triple;
  /** Corners of the points' box [m]. */
  min: Triple;
  max: Triple;
}

/** Field of view when the scene does not say [degrees]. */
const FIELD_OF_VIEW = 32;
/** Room around the motion, as a fraction of it. */
const MARGIN = 0.09;
/** Points looked at, at most: enough for any outline. */
const MOST_POINTS = 60_000;
/** Frames looked at, at most. */
const MOST_FRAMES = 40;
/** How far a three-quarter view is turned away from the cloth's face [rad]. */
const TURN = 0.58;
/** A collider larger than this many times the cloths is scenery (a floor, a wall) and is not framed. */
const SCENERY = 2.5;

/** Collects points of the whole motion and chooses a direction to look from. */
export function surveyMotion(source: FrameSource): Motion {
  const cloth = clothPoints(source);
  const solids = colliderPoints(source, distance(...bounds(cloth)));
  const points = Float32Array.from([...cloth, ...solids]);
  const [min, max] = bounds(points);
  return { points, cloth, direction: viewDirection(faceMoments(source)), min, max };
}

/** A view along a direction that holds all points, in a picture `aspect` times as wide as high. */
export function fitView(motion: Motion, aspect: number): View {
  const { points, direction } = motion;
  const [right, up] = screenAxes(direction);
  const slopeY = Math.tan((FIELD_OF_VIEW * Math.PI) / 360) / (1 + MARGIN);
  const slopeX = slopeY * aspect;
  let target = middle(motion.min, motion.max);
  let away = 0;
  // Shifting the target changes how near the points come, and so the distance: a few rounds settle both.
  for (let round = 0; round < 4; round++) {
    const reach = reachOf(points, target, right, up, direction, slopeX, slopeY);
    away = reach.away;
    target = added(added(target, right, reach.shiftX), up, reach.shiftY);
  }
  const eye = added(target, direction, Math.max(away, 1e-3));
  return { eye, target, fieldOfView: FIELD_OF_VIEW };
}

/** Whether any of some points (x, y, z each) is in a view's picture, which is `aspect` times as wide as high. */
export function isAnyInView(points: Float32Array, { eye, target, fieldOfView }: View, aspect: number): boolean {
  const away = distance(eye, target);
  if (away === 0) {
    return false;
  }
  const direction: Triple = [(eye[0] - target[0]) / away, (eye[1] - target[1]) / away, (eye[2] - target[2]) / away];
  const [right, up] = screenAxes(direction);
  const slope = Math.tan((fieldOfView * Math.PI) / 360);
  for (let at = 0; at < points.length; at += 3) {
    const offset: Triple = [points[at] - eye[0], points[at + 1] - eye[1], points[at + 2] - eye[2]];
    const reach = -dot(offset, direction) * slope;
    if (reach > 0 && Math.abs(dot(offset, up)) <= reach && Math.abs(dot(offset, right)) <= reach * aspect) {
      return true;
    }
  }
  return false;
}

interface Reach {
  away: number;
  shiftX: number;
  shiftY: number;
}

/** The least distance that holds all points, and how far off the middle of the picture they lie. */
function reachOf(
  points: Float32Array,
  target: Triple,
  right: Triple,
  up: Triple,
  direction: Triple,
  slopeX: number,
  slopeY: number,
): Reach {
  // For each side of the picture, the distance that its most demanding point asks for.
  const need = { left: -Infinity, right: -Infinity, bottom: -Infinity, top: -Infinity };
  for (let at = 0; at < points.length; at += 3) {
    const offset: Triple = [points[at] - target[0], points[at + 1] - target[1], points[at + 2] - target[2]];
    const [x, y, z] = [dot(offset, right), dot(offset, up), dot(offset, direction)];
    need.left = Math.max(need.left, z - x / slopeX);
    need.right = Math.max(need.right, z + x / slopeX);
    need.bottom = Math.max(need.bottom, z - y / slopeY);
    need.top = Math.max(need.top, z + y / slopeY);
  }
  return {
    away: Math.max(need.left, need.right, need.bottom, need.top),
    shiftX: ((need.right - need.left) / 2) * slopeX,
    shiftY: ((need.top - need.bottom) / 2) * slopeY,
  };
}

/** Second moments of the cloths' area vectors, summed over frames: xx, xz, zz and yy. */
export interface FaceMoments {
  xx: number;
  xz: number;
  zz: number;
  yy: number;
}

/**
 * A three-quarter view: turned away from the direction that most cloth faces, on the side nearer to +z. From higher up
 * the more the cloth lies flat.
 */
export function viewDirection({ xx, xz, zz, yy }: FaceMoments): Triple {
  const total = xx + zz + yy;
  const difference = Math.hypot(xx - zz, 2 * xz);
  // Cloth that faces all sides alike (or lies flat) has no face to turn away from: then +z is as good as any.
  const facing = difference > 0.1 * total ? 0.5 * Math.atan2(2 * xz, xx - zz) : Math.PI / 2;
  const front = Math.sin(facing) < -1e-9 ? facing + Math.PI : facing;
  const azimuth = front - TURN;
  const elevation = 0.3 + 0.2 * (total > 0 ? yy / total : 0);
  const level = Math.cos(elevation);
  return [level * Math.cos(azimuth), Math.sin(elevation), level * Math.sin(azimuth)];
}

function faceMoments(source: FrameSource): FaceMoments {
  const sum = { xx: 0, xz: 0, zz: 0, yy: 0 };
  for (const [cloth, { vertices }] of source.header.cloths.entries()) {
    const { triangles, copyOf } = source.clothShape(cloth);
    const vertex = (corner: number) => 3 * (copyOf === null ? triangles[corner] : copyOf[triangles[corner]]);
    const p = new Float32Array(3 * vertices);
    const stride = 3 * Math.max(1, Math.floor(triangles.length / 3 / 2000));
    for (const moment of sampledMoments(source)) {
      source.clothPositions(cloth, moment, p);
      for (let at = 0; at < triangles.length; at += stride) {
        addFace(sum, p, vertex(at), vertex(at + 1), vertex(at + 2));
      }
    }
  }
  return sum;
}

function addFace(sum: FaceMoments, p: Float32Array, a: number, b: number, c: number): void {
  const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
  const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
  const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  // Divided by the area once, so that a face counts by its area and not by the square of it.
  const area = Math.hypot(x, y, z) || 1;
  sum.xx += (x * x) / area;
  sum.xz += (x * z) / area;
  sum.zz += (z * z) / area;
  sum.yy += (y * y) / area;
}

function sampledMoments(source: FrameSource): Moment[] {
  const last = source.header.frames.length - 1;
  const count = Math.min(last + 1, MOST_FRAMES);
  return Array.from({ length: count }, (_, i) => ({
    slot: Math.round((i * last) / Math.max(count - 1, 1)),
    fraction: 0,
  }));
}

function clothPoints(source: FrameSource): Float32Array {
  const moments = sampledMoments(source);
  const vertices = source.header.cloths.reduce((sum, cloth) => sum + cloth.vertices, 0);
  const stride = Math.max(1, Math.ceil((vertices * moments.length) / MOST_POINTS));
  const points: number[] = [];
  for (const [cloth, { vertices }] of source.header.cloths.entries()) {
    const positions = new Float32Array(3 * vertices);
    for (const [index, moment] of moments.entries()) {
      source.clothPositions(cloth, moment, positions);
      // Other vertices in other frames, so that none is left out for good.
      for (let i = index % stride; i < vertices; i += stride) {
        points.push(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]);
      }
    }
  }
  return Float32Array.from(points);
}

function colliderPoints(source: FrameSource, clothSize: number): number[] {
  // A plane has no end: the square that stands for it says nothing.
  const boxes = source.header.colliders.filter(({ part }) => part === "thing").map(({ box }) => box);
  const framed = boxes.filter((box) => clothSize === 0 || Math.hypot(...box.size) <= SCENERY * clothSize);
  const corners = [0, 1, 2, 3, 4, 5, 6, 7];
  return framed.flatMap(({ min, size }) =>
    corners.flatMap((corner) => min.map((low, axis) => low + (corner & (1 << axis) ? size[axis] : 0))),
  );
}

function bounds(points: Float32Array): [Triple, Triple] {
  if (points.length === 0) {
    return [
      [-0.5, -0.5, -0.5],
      [0.5, 0.5, 0.5],
    ];
  }
  const min: Triple = [Infinity, Infinity, Infinity];
  const max: Triple = [-Infinity, -Infinity, -Infinity];
  for (let at = 0; at < points.length; at++) {
    min[at % 3] = Math.min(min[at % 3], points[at]);
    max[at % 3] = Math.max(max[at % 3], points[at]);
  }
  return [min, max];
}

/** Right and up on the screen of a camera that looks against a direction, y up. */
function screenAxes(direction: Triple): [Triple, Triple] {
  const level = Math.hypot(direction[0], direction[2]);
  // Straight from above or below, x points to the right, as it does for the camera's controls.
  const right: Triple = level < 1e-9 ? [1, 0, 0] : [direction[2] / level, 0, -direction[0] / level];
  return [right, cross(direction, right)];
}

function middle(a: Triple, b: Triple): Triple {
  return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2];
}

function distance(a: Triple, b: Triple): number {
  return Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
}

function dot(a: Triple, b: Triple): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a: Triple, b: Triple): Triple {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function added(a: Triple, direction: Triple, length: number): Triple {
  return [a[0] + direction[0] * length, a[1] + direction[1] * length, a[2] + direction[2] * length];
}
