/** How numbers are written for people. */

/** A fraction as a percentage with three significant digits: 0.01 is "1 %". */
export function percent(fraction: number): string {
  return `${Number((100 * fraction).toPrecision(3))} %`.replace("-", "−");
}

/** Seconds with two decimals: "1.23 s". */
export function seconds(time: number): string {
  return `${time.toFixed(2)} s`;
}

/** A speed as a multiple of real time: "½×". */
export function speedName(speed: number): string {
  const fractions: Record<number, string> = { 0.25: "¼", 0.5: "½" };
  return `${fractions[speed] ?? speed}×`;
}
