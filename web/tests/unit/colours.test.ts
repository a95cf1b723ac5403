import { describe, expect, test } from "vitest";
import scale from "../../../crates/muslin-render/src/strain_scale.json";
import { codeColour, colourTable, gradientStops, strainCode } from "../../src/colours";

const hex = (colour: number[]) =>
  `#${colour.map((channel) => Math.round(channel).toString(16).padStart(2, "0")).join("")}`;

describe("strain codes", () => {
  test("follow the format's rule", () => {
    const codes = [-1, 0, 0.5, 1, 1.001, 3, 10, 1000].map(strainCode);
    expect(codes).toEqual([0, 0, 64, 127, 128, 189, 255, 255]);
  });
});

describe("strain colours", () => {
  test("are the scale's own at its ends and at the limit", () => {
    expect(hex(codeColour(0))).toBe(scale.within[0]);
    expect(hex(codeColour(127))).toBe(scale.within.at(-1));
    expect(hex(codeColour(128))).toBe(scale.over[0]);
    expect(hex(codeColour(255))).toBe(scale.over.at(-1));
  });

  test("jump at the limit and nowhere else", () => {
    const step = (code: number) => {
      const [from, to] = [codeColour(code), codeColour(code + 1)];
      return Math.max(...from.map((channel, index) => Math.abs(channel - to[index])));
    };
    for (let code = 0; code < 255; code++) {
      // Eight steps of the scale over 127 codes, five over the rest: no channel moves by more than a few units a code.
      if (code === 127) expect(step(code)).toBeGreaterThan(60);
      else expect(step(code)).toBeLessThan(4);
    }
  });

  test("fill a table with one opaque colour per code", () => {
    const table = colourTable();
    expect(table.length).toBe(1024);
    expect(hex([...table.slice(4 * 127, 4 * 127 + 3)])).toBe(scale.within.at(-1));
    expect(table.filter((_, index) => index % 4 === 3).every((opacity) => opacity === 255)).toBe(true);
  });

  test("make a gradient that jumps in its middle", () => {
    const stops = gradientStops().split(", ");
    expect(stops.length).toBe(scale.within.length + scale.over.length);
    expect(stops).toContain(`${scale.within.at(-1)} 50.00%`);
    expect(stops).toContain(`${scale.over[0]} 50.00%`);
  });
});
