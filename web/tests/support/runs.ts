/** Synthetic runs: motions written down as formulas, for tests that need no simulation. */

import { strainCode } from "../../src/colours";
import type { RunHeader, Triple } from "../../src/header";
import { boxOf, type RunParts, type Snapshot } from "./encode";
import { ball, cuboid, gridTriangles } from "./shapes";

/** A header and what it heads. */
export interface SyntheticRun {
  header: RunHeader;
  parts: RunParts;
}

const SIDE = 41;
const LIMIT = 0.01;
const FRAMES = 90;
const WORST = { frame: 47, cloth: 0, vertices: [0, 1] as [number, number], strain: 0.0142 };

/** A sheet of a metre, pinned at two corners, that swings down and waves; over its limit near the corners. */
export function hangingSheet(): SyntheticRun {
  const frames = Array.from({ length: FRAMES + 1 }, (_, frame) => frame);
  const sheet = frames.map((frame) => sheetAt(frame / 30));
  const solid = ball([0.15, -0.62, -0.42], 0.2);
  const header: RunHeader = {
    format: 1,
    scene: "synthetic <hang>",
    frame_s: 1 / 30,
    last_frame: FRAMES,
    frames,
    thinned: null,
    strain_limit: LIMIT,
    camera: null,
    ground_y: -1.12,
    cloths: [
      {
        name: "sheet",
        vertices: SIDE * SIDE,
        triangles: 2 * (SIDE - 1) ** 2,
        lines: 0,
        display_vertices: SIDE * SIDE,
        coords: true,
        pinned: [{ vertices: [0, SIDE - 1], until_frame: null }],
        box: boxOf(sheet),
      },
    ],
    colliders: [
      {
        name: "ball",
        vertices: solid.positions.length,
        triangles: solid.triangles.length / 3,
        moves: false,
        part: "thing",
        box: boxOf([solid]),
      },
    ],
    worst: WORST,
  };
  const shape = { triangles: gridTriangles(SIDE), lines: new Uint32Array(), copyOf: null, coords: gridCoords(SIDE, 1) };
  const parts = {
    shapes: [shape],
    colliderTriangles: [solid.triangles],
    cloths: [sheet],
    colliders: [[{ positions: solid.positions }]],
  };
  return { header, parts };
}

function gridCoords(n: number, size: number): Float32Array {
  const coords = Array.from({ length: n * n }, (_, i) => [i % n, Math.floor(i / n)].map((k) => (size * k) / (n - 1)));
  return Float32Array.from(coords.flat());
}

/** The sheet at a time [s]: the angle swings to straight down, folds run along it. */
function sheetAt(time: number): Snapshot {
  const positions: Triple[] = [];
  const strain: number[] = [];
  const angle = (Math.PI / 2) * (1 - Math.exp(-1.6 * time) * Math.cos(4.2 * time));
  const swell = Math.min(time, 1);
  for (let i = 0; i < SIDE * SIDE; i++) {
    const [u, v] = [(i % SIDE) / (SIDE - 1), Math.floor(i / SIDE) / (SIDE - 1)];
    const fold = swell * 0.07 * v * Math.cos(3 * Math.PI * u * (1 - 0.2 * v) + 2.2 * time);
    const sag = swell * 0.16 * u * (1 - u) * (1 - 0.5 * v) * 2;
    const [down, out] = [v * Math.sin(angle) + sag, v * Math.cos(angle)];
    positions.push([(u - 0.5) * (1 - 0.1 * v * swell), -down * 0.92, out + fold]);
    strain.push(strainCode(strainAt(u, v, time)));
  }
  return { positions, strain };
}

/** Strain over the limit: greatest at the pinned corners, at the time of the worst frame. */
function strainAt(u: number, v: number, time: number): number {
  const corner = Math.min(Math.hypot(u, v), Math.hypot(1 - u, v));
  const pull = 0.35 + 0.65 * Math.exp(-(((time - WORST.frame / 30) / 0.5) ** 2));
  return pull * (0.75 * (1 - v) + 4.5 * Math.exp(-corner / 0.09));
}

/** What few runs have: a chain, texture seams, a moving box, frames left out, a camera of the scene, pins let go. */
export function oddRun(): SyntheticRun {
  const frames = [0, 4, 8, 12, 16, 18];
  const patch = frames.map((frame) => patchAt(frame / 20));
  const chain = frames.map((frame) => chainAt(frame / 20));
  const boxes = frames.map((frame) => cuboid([0.2 + 0.02 * frame, -0.5, 0], [0.2, 0.2, 0.2]));
  const cloth = { lines: 0, coords: false, pinned: [] };
  const header: RunHeader = {
    format: 1,
    scene: "odd",
    frame_s: 0.05,
    last_frame: 18,
    frames,
    thinned: "Every 4th frame is stored, to keep this file under 25 MB; the caches have all 19.",
    strain_limit: LIMIT,
    camera: { eye: [0.6, 0.5, 2.6], target: [0.1, -0.2, 0], field_of_view_deg: 35 },
    ground_y: null,
    cloths: [
      {
        ...cloth,
        name: "patch",
        vertices: 4,
        triangles: 2,
        display_vertices: 6,
        coords: true,
        pinned: [{ vertices: [0, 1], until_frame: 8 }],
        box: boxOf(patch),
      },
      { ...cloth, name: "chain", vertices: 12, triangles: 0, lines: 11, display_vertices: 12, box: boxOf(chain) },
    ],
    colliders: [{ name: "box", vertices: 8, triangles: 12, moves: true, part: "thing", box: boxOf(boxes) }],
    worst: null,
  };
  const parts = {
    shapes: [
      {
        triangles: Uint32Array.of(0, 1, 2, 3, 4, 5),
        lines: new Uint32Array(),
        copyOf: Uint32Array.of(0, 2, 1, 1, 2, 3),
        coords: Float32Array.of(0, 0, 0, 0.5, 0.5, 0, 0.5, 0, 0, 0.5, 0.5, 0.5),
      },
      {
        triangles: new Uint32Array(),
        lines: Uint32Array.from(Array.from({ length: 11 }, (_, i) => [i, i + 1]).flat()),
        copyOf: null,
        coords: null,
      },
    ],
    colliderTriangles: [boxes[0].triangles],
    cloths: [patch, chain],
    colliders: [boxes],
  };
  return { header, parts };
}

function patchAt(time: number): Snapshot {
  const bend = 0.3 * Math.sin(3 * time);
  const positions: Triple[] = [
    [-0.6, 0.3, 0],
    [-0.1, 0.3, 0],
    [-0.6, -0.2, bend],
    [-0.1, -0.2, bend],
  ];
  return { positions, strain: [40, 90, 150, Math.round(255 * time) % 256] };
}

function chainAt(time: number): Snapshot {
  const links = Array.from({ length: 12 }, (_, i) => i / 11);
  const positions = links.map((s): Triple => [0.1 + 0.2 * s * Math.cos(2 * time), 0.4 - 0.8 * s, 0.3 * s * time]);
  return { positions, strain: links.map((s) => Math.round(200 * (1 - s))) };
}
