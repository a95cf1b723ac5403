/** Smooth normals of a mesh whose vertices move. Runs for every picture: plain loops, no arrays made. */

/**
 * Writes a normal per vertex: the sum of its triangles' normals, weighted by area. `triangles` are indices into
 * `positions`. Vertices without triangles get an upward normal.
 */
export function writeNormals(positions: Float32Array, triangles: Uint32Array, out: Float32Array): void {
  out.fill(0);
  for (let at = 0; at < triangles.length; at += 3) {
    addAreaVector(positions, 3 * triangles[at], 3 * triangles[at + 1], 3 * triangles[at + 2], out);
  }
  for (let at = 0; at < out.length; at += 3) {
    const length = Math.hypot(out[at], out[at + 1], out[at + 2]);
    if (length > 0) {
      out[at] /= length;
      out[at + 1] /= length;
      out[at + 2] /= length;
    } else {
      out[at + 1] = 1;
    }
  }
}

function addAreaVector(p: Float32Array, a: number, b: number, c: number, out: Float32Array): void {
  const ux = p[b] - p[a];
  const uy = p[b + 1] - p[a + 1];
  const uz = p[b + 2] - p[a + 2];
  const vx = p[c] - p[a];
  const vy = p[c + 1] - p[a + 1];
  const vz = p[c + 2] - p[a + 2];
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  out[a] += x;
  out[a + 1] += y;
  out[a + 2] += z;
  out[b] += x;
  out[b + 1] += y;
  out[b + 2] += z;
  out[c] += x;
  out[c + 1] += y;
  out[c + 2] += z;
}
