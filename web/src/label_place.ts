/** Where a label stands beside a point, inside the picture. Pure: numbers in, numbers out. */

/** Width and height [CSS px]. */
export interface Size {
  width: number;
  height: number;
}

/** A label's corner, from the picture's upper left one [CSS px]. */
export interface Corner {
  left: number;
  top: number;
}

/** From the point to the label, sideways and upwards [CSS px]: the mark itself stays in sight. */
const ASIDE = 10;
const ABOVE = 18;
/** From the label to the picture's sides, at least [CSS px]. */
const MARGIN = 6;
/** Right of this fraction of the picture's width the label stands on the point's left, away from the legend. */
const LEGEND_SIDE = 0.6;

/** Above the point and to its right where there is room; wherever the point is, inside the picture on all sides. */
export function labelPlace(x: number, y: number, label: Size, picture: Size): Corner {
  const left = x > LEGEND_SIDE * picture.width ? x - ASIDE - label.width : x + ASIDE;
  const above = y - ABOVE - label.height;
  const top = above < MARGIN ? y + ABOVE : above;
  return { left: within(left, label.width, picture.width), top: within(top, label.height, picture.height) };
}

/** Moved as little as it takes for something of a size to lie inside a room; at its start where it does not fit. */
function within(start: number, size: number, room: number): number {
  return Math.max(Math.min(start, room - MARGIN - size), MARGIN);
}
