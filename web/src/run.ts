/** Decodes the binary part of a run. Pure: bytes in, typed arrays out. */

import type { Box, ClothHeader, ColliderHeader, RunHeader } from "./header";

/** What of a cloth never changes. */
export interface ClothShape {
  /** Display vertices, three per triangle. */
  triangles: Uint32Array;
  /** Vertices, two per segment of a chain. */
  lines: Uint32Array;
  /** The vertex each display vertex is a copy of; null: they are the same. */
  copyOf: Uint32Array | null;
  /** Coordinates in the cloth at rest, two per display vertex [m]. */
  coords: Float32Array | null;
}

/** The stored frames of one object: quantised positions, and strain for cloths. */
export interface Track {
  vertices: number;
  box: Box;
  /** Per stored frame: all x codes, then all y, then all z. One that does not move has one frame. */
  positions: Uint16Array[];
  /** Per stored frame: a code per vertex. Empty for colliders. */
  strains: Uint8Array[];
}

/** A decoded run. */
export interface DecodedRun {
  shapes: ClothShape[];
  colliderTriangles: Uint32Array[];
  cloths: Track[];
  colliders: Track[];
}

/** Reads little-endian sections one after the other. */
class Reader {
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  take(count: number): Uint8Array {
    const end = this.at + count;
    if (end > this.bytes.length) {
      throw new Error(`the run's data ends after ${this.bytes.length} bytes, too early`);
    }
    const part = this.bytes.subarray(this.at, end);
    this.at = end;
    return part;
  }

  u32(count: number): Uint32Array {
    return new Uint32Array(this.aligned(4 * count));
  }

  f32(count: number): Float32Array {
    return new Float32Array(this.aligned(4 * count));
  }

  finish(): void {
    if (this.at !== this.bytes.length) {
      throw new Error(`the run's data has ${this.bytes.length - this.at} bytes too many`);
    }
  }

  /** Sections start at any byte, typed arrays do not: hence the copy. */
  private aligned(count: number): ArrayBuffer {
    return this.take(count).slice().buffer as ArrayBuffer;
  }
}

/** Decodes all of it. Throws an error whose message can be shown when the bytes do not fit the header. */
export function decodeRun(header: RunHeader, bytes: Uint8Array): DecodedRun {
  const reader = new Reader(bytes);
  const shapes = header.cloths.map((cloth) => readShape(reader, cloth));
  const colliderTriangles = header.colliders.map((collider) => reader.u32(3 * collider.triangles));
  const cloths = header.cloths.map(emptyTrack);
  const colliders = header.colliders.map(emptyTrack);
  for (let slot = 0; slot < header.frames.length; slot++) {
    for (const track of cloths) {
      readPositions(reader, track);
      readStrain(reader, track);
    }
    for (const [index, track] of colliders.entries()) {
      if (slot === 0 || header.colliders[index].moves) {
        readPositions(reader, track);
      }
    }
  }
  reader.finish();
  return { shapes, colliderTriangles, cloths, colliders };
}

function readShape(reader: Reader, cloth: ClothHeader): ClothShape {
  const triangles = reader.u32(3 * cloth.triangles);
  const lines = reader.u32(2 * cloth.lines);
  const copyOf = cloth.display_vertices === cloth.vertices ? null : reader.u32(cloth.display_vertices);
  const coords = cloth.coords ? reader.f32(2 * cloth.display_vertices) : null;
  return { triangles, lines, copyOf, coords };
}

function emptyTrack(object: ClothHeader | ColliderHeader): Track {
  return { vertices: object.vertices, box: object.box, positions: [], strains: [] };
}

/** Codes come as differences to the frame before, low and high bytes apart: that is what deflate packs well. */
function readPositions(reader: Reader, track: Track): void {
  const n = track.vertices;
  const before = track.positions.at(-1);
  const codes = new Uint16Array(3 * n);
  for (let axis = 0; axis < 3; axis++) {
    const low = reader.take(n);
    const high = reader.take(n);
    const first = axis * n;
    for (let i = 0; i < n; i++) {
      const previous = before === undefined ? 0 : before[first + i];
      codes[first + i] = previous + low[i] + 256 * high[i];
    }
  }
  track.positions.push(codes);
}

function readStrain(reader: Reader, track: Track): void {
  const differences = reader.take(track.vertices);
  const before = track.strains.at(-1);
  const codes = differences.slice();
  if (before !== undefined) {
    for (let i = 0; i < codes.length; i++) {
      codes[i] += before[i];
    }
  }
  track.strains.push(codes);
}

/** Writes x, y, z of every vertex [m], between the frames `slot` (fraction 0) and `slot + 1` (fraction 1). */
export function writePositions(track: Track, slot: number, fraction: number, out: Float32Array): void {
  const last = track.positions.length - 1;
  const from = track.positions[Math.min(slot, last)];
  const to = track.positions[Math.min(slot + 1, last)];
  const n = track.vertices;
  for (let axis = 0; axis < 3; axis++) {
    const min = track.box.min[axis];
    const unit = track.box.size[axis] / 65535;
    const first = axis * n;
    for (let i = 0, at = axis; i < n; i++, at += 3) {
      const code = from[first + i];
      out[at] = min + unit * (code + fraction * (to[first + i] - code));
    }
  }
}

/** Writes the strain code of every vertex, between two frames as above. */
export function writeStrain(track: Track, slot: number, fraction: number, out: Float32Array): void {
  const last = track.strains.length - 1;
  const from = track.strains[Math.min(slot, last)];
  const to = track.strains[Math.min(slot + 1, last)];
  for (let i = 0; i < track.vertices; i++) {
    out[i] = from[i] + fraction * (to[i] - from[i]);
  }
}
