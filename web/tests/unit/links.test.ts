import { describe, expect, test } from "vitest";
import { parsePlot, placeOf, timeAt } from "../../src/charts";
import { parsePlace } from "../../src/links";
import { hangingSheet, oddRun } from "../support/runs";

const { cloths } = oddRun().header;

describe("a link", () => {
  test("names a frame and an edge of a cloth", () => {
    const place = parsePlace({ frame: "47", cloth: "chain", edge: "3-4" }, cloths);
    expect(place).toEqual({ frame: 47, edge: { cloth: 1, vertices: [3, 4] } });
  });

  test("may name the frame alone, or leave out the name of the only cloth", () => {
    expect(parsePlace({ frame: "0" }, cloths)).toEqual({ frame: 0, edge: null });
    const only = parsePlace({ frame: "1", edge: "0-1" }, hangingSheet().header.cloths);
    expect(only?.edge).toEqual({ cloth: 0, vertices: [0, 1] });
  });

  test("without a frame goes nowhere", () => {
    for (const frame of [undefined, "", "x", "-1", "1.5"]) {
      expect(parsePlace({ frame, cloth: "chain", edge: "3-4" }, cloths)).toBeNull();
    }
  });

  test("to an edge that does not exist goes to the frame", () => {
    for (const [cloth, edge] of [
      ["nothing", "0-1"],
      ["patch", "0-4"],
      ["patch", "0"],
      [undefined, "0-1"],
    ]) {
      expect(parsePlace({ frame: "2", cloth, edge }, cloths)).toEqual({ frame: 2, edge: null });
    }
  });
});

describe("a chart", () => {
  const data = { xMin: "0", xMax: "3", left: "52", right: "384", top: "36", bottom: "204" };

  test("knows which time is where, and back", () => {
    const plot = parsePlot(data);
    if (plot === null) throw new Error("the plot is whole");
    expect(timeAt(plot, 218)).toBeCloseTo(1.5, 12);
    expect(placeOf(plot, 1.5)).toBeCloseTo(218, 12);
  });

  test("keeps times inside its plot and shows no line for a time outside", () => {
    const plot = parsePlot(data);
    if (plot === null) throw new Error("the plot is whole");
    expect([timeAt(plot, 0), timeAt(plot, 999)]).toEqual([0, 3]);
    expect([placeOf(plot, -0.1), placeOf(plot, 3.1)]).toEqual([null, null]);
    expect(placeOf(plot, 3)).toBe(384);
  });

  test("that lacks a number or has no width is left alone", () => {
    expect(parsePlot({ ...data, left: undefined })).toBeNull();
    expect(parsePlot({ ...data, xMax: "0" })).toBeNull();
    expect(parsePlot({ ...data, top: "high" })).toBeNull();
  });
});
