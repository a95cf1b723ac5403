/** Meshes for the synthetic runs. */

import type { Triple } from "../../src/header";

/** Triangles of a grid of `n` by `n` vertices, row after row. */
export function gridTriangles(n: number): Uint32Array {
  const triangles: number[] = [];
  for (let row = 0; row + 1 < n; row++) {
    for (let column = 0; column + 1 < n; column++) {
      const a = row * n + column;
      triangles.push(a, a + n, a + 1, a + 1, a + n, a + n + 1);
    }
  }
  return Uint32Array.from(triangles);
}

/** A ball of latitude rings. */
export function ball(centre: Triple, radius: number): { positions: Triple[]; triangles: Uint32Array } {
  const [rings, around] = [16, 28];
  const positions: Triple[] = [];
  const triangles: number[] = [];
  for (let i = 0; i <= rings; i++) {
    for (let j = 0; j < around; j++) {
      const [polar, azimuth] = [(Math.PI * i) / rings, (2 * Math.PI * j) / around];
      positions.push([
        centre[0] + radius * Math.sin(polar) * Math.cos(azimuth),
        centre[1] + radius * Math.cos(polar),
        centre[2] + radius * Math.sin(polar) * Math.sin(azimuth),
      ]);
      if (i < rings) {
        const [a, b] = [i * around + j, i * around + ((j + 1) % around)];
        triangles.push(a, b, a + around, b, b + around, a + around);
      }
    }
  }
  return { positions, triangles: Uint32Array.from(triangles) };
}

/** A cuboid from its lowest corner. */
export function cuboid(min: Triple, size: Triple): { positions: Triple[]; triangles: Uint32Array } {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7];
  const positions = corners.map((c) => min.map((low, axis) => low + (c & (1 << axis) ? size[axis] : 0)) as Triple);
  const quads = [
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
  ];
  return { positions, triangles: Uint32Array.from(quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d])) };
}
