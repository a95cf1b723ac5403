/** The colour scale of strain: the one file that pictures made by the command use as well. */

import scale from "../../crates/muslin-render/src/strain_scale.json";

/** Red, green, blue, 0 to 255, in sRGB. */
export type Rgb = [number, number, number];

/** The code of a strain that is exactly the limit. */
export const LIMIT_CODE = 127;

/** Codes there are. */
export const CODES = 256;

/** The code of a strain that is `ratio` times the limit. */
export function strainCode(ratio: number): number {
  if (!(ratio > 0)) {
    return 0;
  }
  if (ratio <= 1) {
    return Math.round(LIMIT_CODE * ratio);
  }
  return Math.min(128 + Math.round(127 * Math.log10(ratio)), CODES - 1);
}

/** Colour of a code. Between the limit and what is over it the colour jumps. */
export function codeColour(code: number): Rgb {
  return code <= LIMIT_CODE ? between(scale.within, code / LIMIT_CODE) : between(scale.over, (code - 128) / 127);
}

/** Colours of all codes: red, green, blue, opacity, 0 to 255. */
export function colourTable(): Uint8Array<ArrayBuffer> {
  const table = new Uint8Array(4 * CODES);
  for (let code = 0; code < CODES; code++) {
    table.set([...codeColour(code).map(Math.round), 255], 4 * code);
  }
  return table;
}

/** The scale as stops of a CSS gradient, from code 0 to the last. */
export function gradientStops(): string {
  const half = (100 * 127.5) / 255;
  const stops = (colours: string[], from: number) =>
    colours.map((colour, index) => `${colour} ${(from + (half * index) / (colours.length - 1)).toFixed(2)}%`);
  return [...stops(scale.within, 0), ...stops(scale.over, half)].join(", ");
}

/** Linear in sRGB between stops at equal distances. */
function between(stops: string[], fraction: number): Rgb {
  const place = Math.min(Math.max(fraction, 0), 1) * (stops.length - 1);
  const index = Math.min(Math.floor(place), stops.length - 2);
  const [from, to] = [parse(stops[index]), parse(stops[index + 1])];
  const mix = (channel: number) => from[channel] + (place - index) * (to[channel] - from[channel]);
  return [mix(0), mix(1), mix(2)];
}

function parse(colour: string): Rgb {
  const value = Number.parseInt(colour.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}
