import { describe, expect, test } from "vitest";
import { writeNormals } from "../../src/normals";
import { creased, rimCorners, uniqueEdges, welded } from "../../src/topology";
import { ball, cuboid, gridTriangles } from "../support/shapes";

const flat = (points: number[][]) => Float32Array.from(points.flat());

describe("normals", () => {
  test("of a ball point outwards", () => {
    const { positions, triangles } = ball([0, 0, 0], 1);
    const normals = new Float32Array(3 * positions.length);
    writeNormals(flat(positions), triangles, normals);
    // The rows at the poles are many vertices in one place, each with a part of the fan: they are left out.
    for (let i = 28; i < positions.length - 28; i++) {
      const along = positions[i].reduce((sum, value, axis) => sum + value * normals[3 * i + axis], 0);
      // The ball is a polyhedron of 16 rings: normals lean by less than one ring's angle.
      expect(along).toBeGreaterThan(Math.cos(Math.PI / 16));
    }
  });

  test("have length 1 even where there is no triangle", () => {
    const normals = new Float32Array(6);
    writeNormals(new Float32Array(6), new Uint32Array(), normals);
    expect([...normals]).toEqual([0, 1, 0, 0, 1, 0]);
  });
});

describe("topology", () => {
  test("lists every edge once", () => {
    const n = 5;
    // Rows, columns and one diagonal per square.
    expect(uniqueEdges(gridTriangles(n), n * n).length / 2).toBe(2 * n * (n - 1) + (n - 1) ** 2);
  });

  test("finds the rim, which a closed body does not have", () => {
    const n = 5;
    expect(rimCorners(gridTriangles(n), n * n).length / 2).toBe(4 * (n - 1));
    expect(rimCorners(cuboid([0, 0, 0], [1, 2, 3]).triangles, 8)).toEqual([]);
  });

  test("welds copies of a vertex", () => {
    expect([...welded(Uint32Array.of(0, 1, 2, 3, 4, 5), Uint32Array.of(0, 2, 1, 1, 2, 3))]).toEqual([0, 2, 1, 1, 2, 3]);
  });

  test("splits a box at its edges and leaves a ball whole", () => {
    const box = cuboid([0, 0, 0], [1, 2, 3]);
    expect(creased(flat(box.positions), box.triangles, 0.7).copyOf.length).toBe(24);
    const round = ball([0, 0, 0], 1);
    const split = creased(flat(round.positions), round.triangles, 0.7);
    expect(split.copyOf.length).toBe(round.positions.length);
    expect([...split.triangles].map((vertex) => split.copyOf[vertex])).toEqual([...round.triangles]);
  });
});
