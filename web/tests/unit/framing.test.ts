import { PerspectiveCamera, Vector3 } from "three";
import { describe, expect, test } from "vitest";
import { fitView, isAnyInView, surveyMotion, viewDirection } from "../../src/framing";
import type { Triple } from "../../src/header";
import { RecordedRun } from "../../src/source";
import { encodeRun } from "../support/encode";
import { hangingSheet, oddRun } from "../support/runs";

function source({ header, parts } = hangingSheet()) {
  return new RecordedRun(header, encodeRun(header, parts));
}

describe("the view", () => {
  test.each([0.6, 1, 16 / 9, 2.4])("holds the whole motion and fills the picture, aspect %f", (aspect) => {
    const motion = surveyMotion(source());
    const view = fitView(motion, aspect);
    const camera = new PerspectiveCamera(view.fieldOfView, aspect, 0.01, 100);
    camera.position.set(...view.eye);
    camera.lookAt(...view.target);
    camera.updateMatrixWorld();
    const reach = { x: 0, y: 0 };
    for (let at = 0; at < motion.points.length; at += 3) {
      const point = new Vector3().fromArray(motion.points, at).project(camera);
      reach.x = Math.max(reach.x, Math.abs(point.x));
      reach.y = Math.max(reach.y, Math.abs(point.y));
    }
    // Inside the picture, and one of the two directions within the margin and a little of its edge.
    expect(Math.max(reach.x, reach.y)).toBeLessThan(1);
    expect(Math.max(reach.x, reach.y)).toBeGreaterThan(0.85);
  });

  test("turns to the side that a hanging sheet faces, but not straight at it", () => {
    const [x, y, z] = viewDirection({ xx: 0.1, xz: 0, zz: 1, yy: 0.1 });
    expect(z).toBeGreaterThan(0.7);
    expect(x).toBeGreaterThan(0.3);
    expect(y).toBeGreaterThan(0.1);
    const side = viewDirection({ xx: 1, xz: 0, zz: 0.1, yy: 0.1 });
    expect(Math.abs(side[0])).toBeGreaterThan(0.7);
  });

  test("looks from higher up at cloth that lies flat, and has a direction even without cloth", () => {
    const flat = viewDirection({ xx: 0, xz: 0, zz: 0, yy: 1 });
    const upright = viewDirection({ xx: 0, xz: 0, zz: 1, yy: 0 });
    expect(flat[1]).toBeGreaterThan(upright[1] + 0.1);
    expect(Math.hypot(...viewDirection({ xx: 0, xz: 0, zz: 0, yy: 0 }))).toBeCloseTo(1, 12);
  });

  test("leaves out a collider that is much larger than the cloth, and keeps a small one", () => {
    const run = oddRun();
    const small = surveyMotion(source(run));
    expect(small.max[0]).toBeCloseTo(run.header.colliders[0].box.min[0] + run.header.colliders[0].box.size[0], 5);
    run.header.colliders[0].box = { min: [-50, -1, -50], size: [100, 0.1, 100] };
    expect(surveyMotion(source(run)).max[0]).toBeLessThan(1);
  });

  test("leaves out planes, however small the square is that stands for them", () => {
    const run = oddRun();
    const whole = surveyMotion(source(run)).max[0];
    run.header.colliders[0].part = "plane";
    expect(surveyMotion(source(run)).max[0]).toBeLessThan(whole - 0.1);
  });
});

describe("what a view shows", () => {
  /** Whether a camera of 40 degrees sees any of some points in a picture of 3:2. */
  const sees = (points: number[], eye: Triple, target: Triple) =>
    isAnyInView(Float32Array.from(points), { eye, target, fieldOfView: 40 }, 1.5);

  test("is what three.js draws inside the picture", () => {
    const slanting: [Triple, Triple] = [
      [1, 2, 4],
      [0.2, -0.3, 0.1],
    ];
    const fromAbove: [Triple, Triple] = [
      [0, 3, 0],
      [0, 0, 0],
    ];
    for (const [eye, target] of [slanting, fromAbove]) {
      const camera = new PerspectiveCamera(40, 1.5, 0.01, 100);
      camera.position.set(...eye);
      camera.lookAt(...target);
      camera.updateMatrixWorld();
      for (let i = 0; i < 1000; i++) {
        // A lattice through the picture and beyond it, also behind the camera.
        const point = new Vector3((i % 10) - 4.53, (Math.floor(i / 10) % 10) - 4.41, Math.floor(i / 100) - 3.37);
        const { x, y, z } = point.clone().project(camera);
        const isDrawn = Math.abs(x) < 1 && Math.abs(y) < 1 && Math.abs(z) < 1;
        expect(sees(point.toArray(), eye, target), `${point.toArray()}`).toBe(isDrawn);
      }
    }
  });

  test("is nothing when the camera looks away or nowhere", () => {
    expect(sees([0, 0, 0], [0, 0, 5], [0, 0, 0])).toBe(true);
    expect(sees([0, 0, 0], [0, 0, 5], [0, 0, 9])).toBe(false);
    expect(sees([0, 0, 0], [0, 0, 5], [0, 0, 5])).toBe(false);
  });

  test("is something when one point of many is in the picture", () => {
    expect(sees([90, 0, 0, 0, 0, 0, 0, 90, 0], [0, 0, 5], [0, 0, 0])).toBe(true);
  });
});
