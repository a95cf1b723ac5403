import { describe, expect, test } from "vitest";
import { labelPlace } from "../../src/label_place";

const LABEL = { width: 200, height: 30 };
const PHONE = { width: 358, height: 360 };

describe("a label", () => {
  test("is inside the picture, wherever its point is", () => {
    for (let x = -20; x <= PHONE.width + 20; x += 9) {
      for (let y = -20; y <= PHONE.height + 20; y += 9) {
        const { left, top } = labelPlace(x, y, LABEL, PHONE);
        expect(Math.min(left, top), `${x}, ${y}`).toBeGreaterThanOrEqual(0);
        expect(left + LABEL.width, `${x}, ${y}`).toBeLessThanOrEqual(PHONE.width);
        expect(top + LABEL.height, `${x}, ${y}`).toBeLessThanOrEqual(PHONE.height);
      }
    }
  });

  test("does not cover its point", () => {
    for (let x = 0; x <= PHONE.width; x += 9) {
      for (let y = 0; y <= PHONE.height; y += 9) {
        const { top } = labelPlace(x, y, LABEL, PHONE);
        expect(top > y || top + LABEL.height < y, `${x}, ${y}`).toBe(true);
      }
    }
  });

  test("stands on the side where there is room for it and the legend", () => {
    const wide = { width: 1000, height: 600 };
    expect(labelPlace(300, 300, LABEL, wide)).toEqual({ left: 310, top: 252 });
    expect(labelPlace(700, 300, LABEL, wide)).toEqual({ left: 490, top: 252 });
  });

  test("that is wider than the picture starts at its left", () => {
    expect(labelPlace(50, 100, { width: 500, height: 30 }, PHONE).left).toBeLessThan(10);
  });
});
