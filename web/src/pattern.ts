/** The pattern printed on cloth: how far apart its lines are. Pure: numbers in, a number out. */

/** Lines across a cloth, about. The command's pictures have as many. */
const LINES = 20;

/**
 * A round distance between lines [m]: 1, 2 or 5 times a power of ten, so that some 20 of them cross the cloth. `coords`
 * are places in the cloth at rest, two numbers per vertex [m]; vertices of no triangle do not count.
 */
export function lineSpacing(triangles: Uint32Array, coords: Float32Array): number {
  const wanted = Math.max(extent(triangles, coords, 0), extent(triangles, coords, 1)) / LINES;
  if (!(wanted > 1e-6 && Number.isFinite(wanted))) {
    return 1;
  }
  const power = 10 ** Math.floor(Math.log10(wanted));
  return power * roundFactor(wanted / power);
}

function extent(triangles: Uint32Array, coords: Float32Array, axis: 0 | 1): number {
  let [low, high] = [Infinity, -Infinity];
  for (const vertex of triangles) {
    low = Math.min(low, coords[2 * vertex + axis]);
    high = Math.max(high, coords[2 * vertex + axis]);
  }
  return high - low;
}

/** The nearest round number to one from 1 to 10. */
function roundFactor(factor: number): number {
  if (factor < 1.5) return 1;
  if (factor < 3.5) return 2;
  return factor < 7.5 ? 5 : 10;
}
