/** What follows from the triangles of a mesh alone: done once, when it is loaded. */

/** Triangles over display vertices, as triangles over the vertices these are copies of. */
export function welded(triangles: Uint32Array, copyOf: Uint32Array | null): Uint32Array {
  return copyOf === null ? triangles : triangles.map((vertex) => copyOf[vertex]);
}

/** Every edge once, as pairs of vertices. */
export function uniqueEdges(triangles: Uint32Array, vertices: number): Uint32Array {
  const seen = new Set<number>();
  const edges: number[] = [];
  for (let at = 0; at < triangles.length; at++) {
    const [a, b] = [triangles[at], triangles[nextCorner(at)]];
    const key = edgeKey(a, b, vertices);
    if (!seen.has(key)) {
      seen.add(key);
      edges.push(a, b);
    }
  }
  return Uint32Array.from(edges);
}

/** Edges of a single triangle, as pairs of places in `triangles`: the rim of the mesh. */
export function rimCorners(triangles: Uint32Array, vertices: number): number[] {
  const seen = new Map<number, number>();
  const corners: number[] = [];
  for (let at = 0; at < triangles.length; at++) {
    const key = edgeKey(triangles[at], triangles[nextCorner(at)], vertices);
    seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  for (let at = 0; at < triangles.length; at++) {
    if (seen.get(edgeKey(triangles[at], triangles[nextCorner(at)], vertices)) === 1) {
      corners.push(at, nextCorner(at));
    }
  }
  return corners;
}

/** The corner that follows in the same triangle. */
function nextCorner(corner: number): number {
  return corner % 3 === 2 ? corner - 2 : corner + 1;
}

/** One number for both directions of an edge. */
function edgeKey(a: number, b: number, vertices: number): number {
  return Math.min(a, b) * vertices + Math.max(a, b);
}

/** A mesh whose vertices are split where its surface has a crease. */
export interface Creased {
  triangles: Uint32Array;
  /** The vertex each split vertex is a copy of. */
  copyOf: Uint32Array;
}

/** Splits vertices so that triangles that meet at more than an angle [rad] have none in common: boxes keep edges. */
export function creased(positions: Float32Array, triangles: Uint32Array, angle: number): Creased {
  const normals = faceNormals(positions, triangles);
  const least = Math.cos(angle);
  const alike = (f: number, g: number) =>
    normals[3 * f] * normals[3 * g] +
      normals[3 * f + 1] * normals[3 * g + 1] +
      normals[3 * f + 2] * normals[3 * g + 2] >=
    least;
  const face = (corner: number) => Math.floor(corner / 3);
  // A triangle without area faces nowhere: it goes along with any of its neighbours.
  const fans = (own: number[]) => {
    const solid = own.filter((corner) => alike(face(corner), face(corner)));
    const [first, ...rest] = grouped(solid, (a, b) => alike(face(a), face(b)));
    return own.length === 0 ? [] : [[...(first ?? []), ...own.filter((corner) => !solid.includes(corner))], ...rest];
  };
  const corners = cornersOfVertices(triangles, positions.length / 3);
  const split = new Uint32Array(triangles.length);
  const copyOf: number[] = [];
  for (const [vertex, own] of corners.entries()) {
    for (const group of fans(own)) {
      for (const corner of group) {
        split[corner] = copyOf.length;
      }
      copyOf.push(vertex);
    }
  }
  return { triangles: split, copyOf: Uint32Array.from(copyOf) };
}

function faceNormals(p: Float32Array, triangles: Uint32Array): Float32Array {
  const normals = new Float32Array(triangles.length);
  for (let at = 0; at < triangles.length; at += 3) {
    const [a, b, c] = [3 * triangles[at], 3 * triangles[at + 1], 3 * triangles[at + 2]];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const length = Math.hypot(...normal) || 1;
    normals.set(
      normal.map((component) => component / length),
      at,
    );
  }
  return normals;
}

/** For every vertex, the places in `triangles` where it stands. */
function cornersOfVertices(triangles: Uint32Array, vertices: number): number[][] {
  const corners: number[][] = Array.from({ length: vertices }, () => []);
  for (const [corner, vertex] of triangles.entries()) {
    corners[vertex].push(corner);
  }
  return corners;
}

/** Groups in which everyone is linked to everyone else through pairs that are alike. */
function grouped(items: number[], alike: (a: number, b: number) => boolean): number[][] {
  const groups: number[][] = [];
  for (const item of items) {
    const near = groups.filter((group) => group.some((other) => alike(item, other)));
    const rest = groups.filter((group) => !near.includes(group));
    groups.splice(0, groups.length, ...rest, [...near.flat(), item]);
  }
  return groups;
}
