/** Colours of the stage in the page's two schemes. */

import fabrics from "../../crates/muslin-render/src/fabrics.json";

/** What changes with the scheme. Light intensities are three.js's. */
export interface Theme {
  floor: number;
  solid: number;
  pin: number;
  wire: number;
  wireOpacity: number;
  sky: number;
  earth: number;
  ambient: number;
  key: number;
  /** How dark the key light's shadow is, 0 to 1. */
  shadow: number;
}

const LIGHT: Theme = {
  floor: 0xe6e2d8,
  solid: 0x98958c,
  pin: 0x2b2b29,
  wire: 0x14202c,
  wireOpacity: 0.42,
  sky: 0xffffff,
  earth: 0xb8b0a2,
  ambient: 1.25,
  key: 2.9,
  shadow: 0.6,
};

const DARK: Theme = {
  floor: 0x2a2c31,
  solid: 0x8b8a86,
  pin: 0xf2f0ea,
  wire: 0x05080c,
  wireOpacity: 0.5,
  sky: 0xdfe6f2,
  earth: 0x5b564e,
  ambient: 1,
  key: 2.7,
  shadow: 0.8,
};

const darkScheme = "(prefers-color-scheme: dark)";

/** Calls back with the theme now, and whenever the reader's scheme changes. */
export function followTheme(apply: (theme: Theme) => void): void {
  const query = matchMedia(darkScheme);
  const update = () => apply(query.matches ? DARK : LIGHT);
  query.addEventListener("change", update);
  update();
}

/** Colours of the cloths' two sides, in the order of the scene: those of pictures that the command makes. */
export const FABRICS: readonly { front: string; back: string }[] = fabrics;
