/** How large pins are. Pure: numbers in, numbers out. */

/** Greatest radius of a pin whose neighbour is pinned too, as a fraction of their distance. */
const PIN_TO_EDGE = 0.2;

/** Two pinned vertices that are joined, and their distance [m]. */
export interface PinnedPair {
  vertices: [number, number];
  distance: number;
}

/** Radii of pins [m]: what they have when they stand alone, and what they never fall below. */
export interface PinRadii {
  alone: number;
  least: number;
}

/** Pairs of `joined` (two vertices each) that are both among `pinned`; `positions` give their distances. */
export function pinnedPairs(joined: Uint32Array, pinned: ReadonlySet<number>, positions: Float32Array): PinnedPair[] {
  const pairs: PinnedPair[] = [];
  for (let at = 0; at < joined.length; at += 2) {
    const [a, b] = [joined[at], joined[at + 1]];
    if (pinned.has(a) && pinned.has(b)) {
      const [dx, dy, dz] = [0, 1, 2].map((axis) => positions[3 * b + axis] - positions[3 * a + axis]);
      pairs.push({ vertices: [a, b], distance: Math.hypot(dx, dy, dz) });
    }
  }
  return pairs;
}

/** The radius of every pin [m], by vertex. Where neighbours are pinned too, pins are small enough not to overlap. */
export function pinSizes(
  pinned: Iterable<number>,
  pairs: PinnedPair[],
  { alone, least }: PinRadii,
): Map<number, number> {
  const sizes = new Map<number, number>();
  for (const vertex of pinned) {
    sizes.set(vertex, alone);
  }
  for (const { vertices, distance } of pairs) {
    const [a, b] = vertices.map((vertex) => sizes.get(vertex));
    if (a !== undefined && b !== undefined) {
      const most = Math.max(PIN_TO_EDGE * distance, least);
      sizes.set(vertices[0], Math.min(a, most));
      sizes.set(vertices[1], Math.min(b, most));
    }
  }
  return sizes;
}
