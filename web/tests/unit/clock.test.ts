import { describe, expect, test } from "vitest";
import { Clock } from "../../src/clock";

const all = Array.from({ length: 91 }, (_, frame) => frame);
const moment = () => ({ slot: -1, fraction: -1 });

describe("the clock", () => {
  test("plays in real time by default", () => {
    const clock = new Clock(all, 1 / 30);
    clock.play();
    clock.advance(0.5);
    expect(clock.frame).toBe(15);
    expect(clock.time).toBeCloseTo(0.5, 12);
  });

  test("plays at the speed that is set, and only at speeds on offer", () => {
    const clock = new Clock(all, 1 / 30);
    clock.setSpeed(0.25);
    clock.setSpeed(7);
    clock.play();
    clock.advance(1);
    expect(clock.time).toBeCloseTo(0.25, 12);
    clock.changeSpeed(9);
    expect(clock.speed).toBe(2);
    clock.changeSpeed(-9);
    expect(clock.speed).toBe(0.25);
  });

  test("starts again at the end when it loops, else stops at the last frame", () => {
    const clock = new Clock(all, 1 / 30);
    clock.play();
    clock.advance(3.1);
    expect(clock.time).toBeCloseTo(0.1, 9);
    clock.loop = false;
    clock.advance(9);
    expect(clock.playing).toBe(false);
    expect(clock.frame).toBe(90);
    clock.play();
    expect(clock.frame).toBe(0);
  });

  test("does not move while it stands still", () => {
    const clock = new Clock(all, 1 / 30);
    clock.advance(1);
    expect(clock.time).toBe(0);
  });

  test("mixes frames while it plays and shows exact ones when paused", () => {
    const clock = new Clock(all, 1 / 30);
    clock.play();
    clock.advance(1.3 / 30);
    expect(clock.momentInto(moment()).slot).toBe(1);
    expect(clock.momentInto(moment()).fraction).toBeCloseTo(0.3, 9);
    clock.pause();
    expect(clock.momentInto(moment())).toEqual({ slot: 1, fraction: 0 });
  });

  test("shows every frame exactly when sent to it", () => {
    // 1/24 and 1/30 are not exact in binary: seconds and back must still land on the frame.
    for (const seconds of [1 / 24, 1 / 30, 0.01, 0.1]) {
      const clock = new Clock(all, seconds);
      for (const frame of all) {
        clock.seekFrame(frame);
        expect([clock.frame, clock.momentInto(moment())]).toEqual([frame, { slot: frame, fraction: 0 }]);
      }
    }
  });

  test("steps through stored frames only, and not past the ends", () => {
    const clock = new Clock([0, 4, 8, 9], 0.1);
    const seen = [1, 1, 1, 1, -1].map((count) => {
      clock.step(count);
      return clock.frame;
    });
    expect(seen).toEqual([4, 8, 9, 9, 8]);
  });

  test("goes to the nearest stored frame when the asked one is not stored", () => {
    const clock = new Clock([0, 4, 8, 9], 0.1);
    for (const [asked, shown] of [
      [5, 4],
      [7, 8],
      [-3, 0],
      [99, 9],
    ]) {
      clock.seekFrame(asked);
      expect(clock.frame).toBe(shown);
    }
    clock.seekTime(0.33);
    expect(clock.frame).toBe(4);
  });

  test("moves evenly over gaps between stored frames", () => {
    const clock = new Clock([0, 4, 8, 9], 0.1);
    clock.play();
    clock.advance(0.6);
    const { slot, fraction } = clock.momentInto(moment());
    expect(slot).toBe(1);
    expect(fraction).toBeCloseTo(0.5, 9);
  });

  test("of a single frame does not play", () => {
    const clock = new Clock([0], 0.1);
    clock.play();
    expect(clock.playing).toBe(false);
    expect(clock.momentInto(moment())).toEqual({ slot: 0, fraction: 0 });
  });
});
