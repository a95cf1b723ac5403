/** Textures made in the program: the page loads nothing. */

import {
  ClampToEdgeWrapping,
  DataTexture,
  LinearFilter,
  LinearMipmapLinearFilter,
  NearestFilter,
  RepeatWrapping,
  RGBAFormat,
  SRGBColorSpace,
} from "three";
import { CODES, colourTable } from "./colours";

/** Width of a line printed on cloth as a fraction of the distance between two. */
const LINE_WIDTH = 0.035;
/** Threads from one line to the next; an even number, so that tiles join. */
const THREADS = 50;
const TILE = 256;

/**
 * Thin lines in both directions of the cloth, 1 m apart until they are spaced. White where there is nothing printed, so
 * that it tints whatever colour the cloth has.
 */
export function printedLines(anisotropy: number): DataTexture {
  const pixels = new Uint8Array(4 * TILE * TILE);
  for (let y = 0; y < TILE; y++) {
    for (let x = 0; x < TILE; x++) {
      const level = (onLine(x) || onLine(y) ? 150 : 255) - weave(x, y);
      pixels.set([level, level, level, 255], 4 * (y * TILE + x));
    }
  }
  const texture = new DataTexture(pixels, TILE, TILE, RGBAFormat);
  texture.wrapS = RepeatWrapping;
  texture.wrapT = RepeatWrapping;
  texture.colorSpace = SRGBColorSpace;
  texture.generateMipmaps = true;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.magFilter = LinearFilter;
  texture.anisotropy = anisotropy;
  texture.needsUpdate = true;
  return texture;
}

/** The same lines so far apart [m]; texture coordinates are metres in the cloth. The pixels are shared, not copied. */
export function spacedLines(lines: DataTexture, spacing: number): DataTexture {
  const texture = lines.clone();
  texture.repeat.set(1 / spacing, 1 / spacing);
  texture.needsUpdate = true;
  return texture;
}

/** Threads over and under each other: seen only from near, gone in the average from afar. */
function weave(x: number, y: number): number {
  const thread = TILE / THREADS;
  const isOver = (Math.floor(x / thread) + Math.floor(y / thread)) % 2 === 0;
  const across = ((isOver ? y : x) % thread) / thread;
  return Math.round(22 * (2 * across - 1) ** 2 + (isOver ? 0 : 8));
}

/** The line lies half on each side of the tile's edge, so that it hems cloth of a multiple of the distance. */
function onLine(pixel: number): boolean {
  const fraction = (pixel + 0.5) / TILE;
  return Math.min(fraction, 1 - fraction) < LINE_WIDTH / 2;
}

/**
 * The colour of each strain code, looked up with `uv1.x`. The code is interpolated across triangles, not the colour,
 * and the nearest texel is taken: so the jump at the limit stays a sharp line.
 */
export function strainLookup(): DataTexture {
  const texture = new DataTexture(colourTable(), CODES, 1, RGBAFormat);
  texture.channel = 1;
  texture.colorSpace = SRGBColorSpace;
  texture.minFilter = NearestFilter;
  texture.magFilter = NearestFilter;
  texture.wrapS = ClampToEdgeWrapping;
  texture.needsUpdate = true;
  return texture;
}

/** Opaque in the middle and gone at the rim, for the floor. */
export function fadingDisc(): DataTexture {
  const size = 128;
  const pixels = new Uint8Array(4 * size * size);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const radius = Math.hypot(x + 0.5 - size / 2, y + 0.5 - size / 2) / (size / 2);
      const inside = Math.min(Math.max(1 - radius, 0) / 0.8, 1);
      const level = Math.round(255 * inside * inside * (3 - 2 * inside));
      // An opacity map is read from its green channel.
      pixels.set([level, level, level, 255], 4 * (y * size + x));
    }
  }
  const texture = new DataTexture(pixels, size, size, RGBAFormat);
  texture.minFilter = LinearFilter;
  texture.magFilter = LinearFilter;
  texture.needsUpdate = true;
  return texture;
}
