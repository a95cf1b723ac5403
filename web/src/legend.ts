/** The legend of the strain colours. */

import { CODES, gradientStops, strainCode } from "./colours";
import { element } from "./dom";
import { percent } from "./words";

/** Multiples of the limit that are written beside the scale. */
const MARKS = [0, 0.5, 1, 3, 10];

/** The scale with its marks, for a limit (a fraction: 0.01 is 1 %). */
export function makeLegend(limit: number): HTMLElement {
  const bar = element("span", { class: "player-scale", "aria-hidden": "true" });
  bar.style.setProperty("--stops", gradientStops());
  const marks = element("ul", { class: "player-marks" }, ...MARKS.map((ratio) => mark(ratio, limit)));
  return element(
    "div",
    { class: "player-legend", role: "group", "aria-label": "Legend: strain" },
    element("p", {}, "Strain"),
    element("div", {}, bar, marks),
  );
}

function mark(ratio: number, limit: number): HTMLElement {
  const value = ratio === 0 ? "0" : percent(ratio * limit);
  const item = element("li", {}, element("span", {}, value));
  if (ratio === 1) {
    item.className = "is-limit";
    item.append(" ", element("b", {}, "limit"));
  } else if (ratio > 1) {
    item.append(" ", element("small", {}, `${ratio}× limit`));
  }
  item.style.setProperty("--at", `${((100 * strainCode(ratio)) / (CODES - 1)).toFixed(2)}%`);
  return item;
}
