import { describe, expect, test } from "vitest";
import { pinnedPairs, pinSizes } from "../../src/pin_sizes";
import { uniqueEdges } from "../../src/topology";
import { gridTriangles } from "../support/shapes";

const SIDE = 4;
/** A grid of vertices 0.1 m apart. */
const GRID = Float32Array.from(
  Array.from({ length: SIDE * SIDE }, (_, i) => [0.1 * (i % SIDE), -0.1 * Math.floor(i / SIDE), 0]).flat(),
);
const EDGES = uniqueEdges(gridTriangles(SIDE), SIDE * SIDE);
const RADII = { alone: 0.05, least: 0 };

function sizesOf(pinned: number[], radii = RADII, everPinned = pinned): Map<number, number> {
  return pinSizes(pinned, pinnedPairs(EDGES, new Set(everPinned), GRID), radii);
}

describe("pins", () => {
  test("that stand alone have their full size, also when others are near but not joined", () => {
    // Opposite corners of the row, and a vertex across a square's other diagonal.
    expect([...sizesOf([0, 3, SIDE + 1])]).toEqual([
      [0, 0.05],
      [3, 0.05],
      [SIDE + 1, 0.05],
    ]);
  });

  test("in a row do not touch", () => {
    for (const size of sizesOf([0, 1, 2, 3]).values()) {
      // Positions are in single precision.
      expect(size).toBeCloseTo(0.02, 6);
    }
  });

  test("never grow for a neighbour that is far away", () => {
    expect([...sizesOf([0, 1], { alone: 0.004, least: 0 }).values()]).toEqual([0.004, 0.004]);
  });

  test("grow back when the neighbour is let go", () => {
    expect([...sizesOf([0], RADII, [0, 1])]).toEqual([[0, 0.05]]);
  });

  test("stay thicker than what they pin, however near the next one is", () => {
    expect([...sizesOf([0, 1], { alone: 0.05, least: 0.03 }).values()]).toEqual([0.03, 0.03]);
  });
});
