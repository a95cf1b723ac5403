/** Writes a run by the rules of the format: the counterpart of `src/run.ts`, for tests. */

import type { Box, ClothHeader, RunHeader, Triple } from "../../src/header";
import type { ClothShape } from "../../src/run";

/** One object in one frame: x, y, z per vertex [m]; strain codes for cloths. */
export interface Snapshot {
  positions: Triple[];
  strain?: number[];
}

/** Everything the binary part holds. Frames of a collider that does not move: one. */
export interface RunParts {
  shapes: ClothShape[];
  colliderTriangles: Uint32Array[];
  /** By object, then by stored frame. */
  cloths: Snapshot[][];
  colliders: Snapshot[][];
}

/** The box around all snapshots of an object. */
export function boxOf(snapshots: Snapshot[]): Box {
  const all = snapshots.flatMap((snapshot) => snapshot.positions);
  const extreme = (choose: (...values: number[]) => number, axis: number) =>
    all.reduce((found, point) => choose(found, point[axis]), all[0][axis]);
  const axes = [0, 1, 2];
  const min = axes.map((axis) => extreme(Math.min, axis)) as Triple;
  const size = axes.map((axis) => extreme(Math.max, axis) - min[axis]) as Triple;
  return { min, size };
}

/** The binary part, before deflate. */
export function encodeRun(header: RunHeader, parts: RunParts): Uint8Array {
  const chunks: Uint8Array[] = [];
  for (const [index, shape] of parts.shapes.entries()) {
    chunks.push(...shapeBytes(header.cloths[index], shape));
  }
  chunks.push(...parts.colliderTriangles.map(bytesOf));
  for (let slot = 0; slot < header.frames.length; slot++) {
    for (const [index, frames] of parts.cloths.entries()) {
      chunks.push(...frameBytes(header.cloths[index].box, frames, slot));
    }
    for (const [index, frames] of parts.colliders.entries()) {
      if (slot === 0 || header.colliders[index].moves) {
        chunks.push(...frameBytes(header.colliders[index].box, frames, slot));
      }
    }
  }
  return Uint8Array.from(Buffer.concat(chunks));
}

function shapeBytes(cloth: ClothHeader, shape: ClothShape): Uint8Array[] {
  const parts: (Uint32Array | Float32Array | null)[] = [shape.triangles, shape.lines];
  if (cloth.display_vertices !== cloth.vertices) parts.push(shape.copyOf);
  if (cloth.coords) parts.push(shape.coords);
  return parts.filter((part) => part !== null).map(bytesOf);
}

function bytesOf(array: Uint32Array | Float32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

function frameBytes(box: Box, frames: Snapshot[], slot: number): Uint8Array[] {
  const chunks = [0, 1, 2].flatMap((axis) => {
    const differences = frames[slot].positions.map((point, vertex) => {
      const before = slot === 0 ? 0 : positionCode(box, axis, frames[slot - 1].positions[vertex]);
      return (positionCode(box, axis, point) - before + 65536) % 65536;
    });
    return [Uint8Array.from(differences.map((d) => d % 256)), Uint8Array.from(differences.map((d) => d >> 8))];
  });
  const { strain } = frames[slot];
  if (strain !== undefined) {
    const before = slot === 0 ? strain.map(() => 0) : (frames[slot - 1].strain ?? []);
    chunks.push(Uint8Array.from(strain.map((code, vertex) => (code - before[vertex] + 256) % 256)));
  }
  return chunks;
}

function positionCode(box: Box, axis: number, point: Triple): number {
  return box.size[axis] === 0 ? 0 : Math.round((65535 * (point[axis] - box.min[axis])) / box.size[axis]);
}
