import { describe, expect, test } from "vitest";
import { lineSpacing } from "../../src/pattern";

const TRIANGLE = Uint32Array.of(0, 1, 2);

describe("lines of the pattern", () => {
  // The same cases as the command's renderer has: both show the same cloth.
  test.each([
    [1, 0.05],
    [0.3, 0.02],
    [2, 0.1],
    [8, 0.5],
    [0.02, 0.001],
  ])("are a round distance apart on a cloth of %f m", (size, expected) => {
    const corners = Float32Array.of(0, 0, size, 0, 0, 0.5 * size);
    // Powers of ten with a negative exponent are rounded.
    expect(lineSpacing(TRIANGLE, corners) / expected).toBeCloseTo(1, 12);
  });

  test("count what is printed on, wherever it lies and whichever way is longer", () => {
    expect(lineSpacing(TRIANGLE, Float32Array.of(-4, -7, -4.5, -7, -4, -5))).toBeCloseTo(0.1, 12);
    expect(lineSpacing(TRIANGLE, Float32Array.of(0, 0, 1, 0, 0, 1, 90, 90))).toBeCloseTo(0.05, 12);
  });

  test("are there even on a cloth without extent or triangles", () => {
    expect(lineSpacing(TRIANGLE, new Float32Array(6))).toBe(1);
    expect(lineSpacing(new Uint32Array(), new Float32Array())).toBe(1);
  });
});
