/** The same report for other readers: one who likes motion, on a phone, in the dark, without WebGL. */

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunHeader } from "../../src/header";
import { hangingSheet, oddRun } from "../support/runs";
import { frameOf, launch, open, settled, shot, strainSwitch, until, untilPicture, writeReport } from "./browser";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
const still = { reducedMotion: "reduce" } as const;

let browser: Browser;
let report: string;

beforeAll(async () => {
  browser = await launch();
  report = process.env.MUSLIN_REPORT ?? writeReport("hang", hangingSheet());
});

afterAll(async () => {
  await browser?.close();
});

test("a run plays by itself where motion is welcome, and pauses at a frame", async () => {
  const { page, complaints } = await open(browser, report, { reducedMotion: "no-preference" });
  await until(page, "state", "playing");
  await page.waitForFunction(() => Number(document.getElementById("player")?.dataset.frame) > 0);
  await page.keyboard.press("k");
  await until(page, "state", "paused");
  const frame = await frameOf(page);
  await page.waitForTimeout(300);
  expect(await frameOf(page)).toBe(frame);
  expect(Number(await page.getByRole("slider", { name: "Time" }).inputValue())).toBeCloseTo(frame, 3);
  await page.getByRole("button", { name: "Play" }).click();
  await until(page, "state", "playing");
  expect(complaints).toEqual([]);
  await page.close();
});

test("a run that is scrolled out of view waits", async () => {
  const { page } = await open(browser, report, { viewport: { width: 1280, height: 500 } });
  await until(page, "state", "playing");
  await page.evaluate(() => {
    document.body.style.paddingBottom = "3000px";
    scrollTo(0, 2500);
  });
  await until(page, "state", "waiting");
  const frame = await frameOf(page);
  await page.waitForTimeout(700);
  expect(await frameOf(page)).toBe(frame);
  await page.evaluate(() => scrollTo(0, 0));
  await until(page, "state", "playing");
  await page.close();
});

describe("on a phone", () => {
  test("nothing is wider than the screen, and fingers find the buttons", async () => {
    for (const width of [360, 390]) {
      const options = { ...PHONE, ...still, viewport: { width, height: 844 } };
      const { page, complaints } = await open(browser, report, options);
      await strainSwitch(page).tap();
      await until(page, "colouring", "strain");
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
      const heights = await page
        .locator("#player :is(button, select, input[type=range], fieldset label span, summary)")
        .evaluateAll((controls) => controls.map((control) => control.getBoundingClientRect().height));
      expect(Math.min(...heights)).toBeGreaterThanOrEqual(40);
      const canvas = await page.locator("#player canvas").boundingBox();
      expect(canvas?.height).toBeLessThanOrEqual(0.7 * 844);
      expect(complaints).toEqual([]);
      await page.close();
    }
  });

  test("the label of the worst edge is inside the picture", async ({ skip }) => {
    const { page } = await open(browser, report, { ...PHONE, ...still });
    const link = page.locator("a.goto[data-edge]").first();
    if ((await link.count()) === 0) return skip("no worst edge in this report");
    await link.tap();
    await until(page, "edge", (await link.getAttribute("data-edge")) ?? "");
    await page.waitForTimeout(500);
    await shot(page, "phone-worst-edge");
    const label = await page.locator(".player-mark").boundingBox();
    const picture = await page.locator(".player-stage").boundingBox();
    if (label === null || picture === null) throw new Error("label and picture have a place");
    expect(label.x).toBeGreaterThanOrEqual(picture.x);
    expect(label.y).toBeGreaterThanOrEqual(picture.y);
    expect(label.x + label.width).toBeLessThanOrEqual(picture.x + picture.width);
    expect(label.y + label.height).toBeLessThanOrEqual(picture.y + picture.height);
    await page.close();
  });

  test("a finger turns the view", async () => {
    const { page } = await open(browser, report, { ...PHONE, ...still });
    const last = page.getByRole("slider", { name: "Time" });
    await last.fill((await last.getAttribute("max")) ?? "0");
    const before = await settled(page);
    await shot(page, "phone");
    const box = await page.locator("#player canvas").boundingBox();
    if (box === null) throw new Error("the canvas has a place");
    const session = await page.context().newCDPSession(page);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", x: number) =>
      session.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: type === "touchEnd" ? [] : [{ x, y: box.y + box.height / 2 }],
      });
    await touch("touchStart", box.x + 100);
    await touch("touchMove", box.x + 160);
    await touch("touchMove", box.x + 220);
    await touch("touchEnd", 0);
    await untilPicture(page, "other", before);
    await page.close();
  });
});

test("the picture follows the scheme while the page is open", async () => {
  const { page, complaints } = await open(browser, report, still);
  const last = page.getByRole("slider", { name: "Time" });
  await last.fill((await last.getAttribute("max")) ?? "0");
  const light = await settled(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await untilPicture(page, "other", light);
  await shot(page, "dark");
  expect(complaints).toEqual([]);
  await page.close();
});

test("a context that is lost comes back", async () => {
  const { page } = await open(browser, report, still);
  const before = await settled(page);
  await page.locator("#player canvas").evaluate(async (canvas: HTMLCanvasElement) => {
    const extension = canvas.getContext("webgl2")?.getExtension("WEBGL_lose_context");
    const lost = new Promise((resolve) => canvas.addEventListener("webglcontextlost", resolve, { once: true }));
    extension?.loseContext();
    await lost;
    await new Promise((resolve) => setTimeout(resolve, 100));
    const restored = new Promise((resolve) => canvas.addEventListener("webglcontextrestored", resolve, { once: true }));
    extension?.restoreContext();
    await restored;
  });
  await untilPicture(page, "same", before);
  await page.close();
});

test("without WebGL a sentence stands in for the picture, and the charts still seek", async () => {
  const plain = await launch(["--disable-3d-apis"]);
  const { page, complaints } = await open(plain, report, still);
  expect(await page.locator(".player-message").textContent()).toContain("WebGL");
  await page.focus("#player");
  await page.keyboard.press("End");
  const last = await page.getByRole("slider", { name: "Time" }).getAttribute("max");
  await until(page, "frame", last ?? "");
  expect(complaints).toEqual([]);
  await plain.close();
});

test("without DecompressionStream a sentence says so", async () => {
  const context = await browser.newContext();
  await context.addInitScript("delete globalThis.DecompressionStream");
  const page = await context.newPage();
  await page.goto(`file://${report}`);
  await page.getByText("cannot be played").waitFor();
  expect(await page.locator("#player").textContent()).toContain("DecompressionStream");
  await context.close();
});

test("a run with chains, seams, moving solids and frames left out plays too", async () => {
  const { page, complaints } = await open(browser, writeReport("odd", oddRun()), still);
  await page.focus("#player");
  await page.keyboard.press("ArrowRight");
  await until(page, "frame", "4");
  await page.keyboard.press("s");
  expect(await page.getByText("Every 4th frame is stored").isVisible()).toBe(true);
  await page.locator("a.goto").click();
  // Frame 9 is not stored; 8 is the nearest.
  await until(page, "frame", "8");
  await shot(page, "odd");
  expect(complaints).toEqual([]);
  await page.close();
});

describe("a scene's camera", () => {
  const openWith = async (name: string, camera: RunHeader["camera"]) => {
    const run = oddRun();
    const { page } = await open(browser, writeReport(name, { ...run, header: { ...run.header, camera } }), still);
    await settled(page);
    return page;
  };

  test("that never sees any cloth is replaced by one that does, also when the view is reset", async () => {
    const free = await openWith("free", null);
    const expected = await settled(free);
    await free.close();
    const page = await openWith("away", { eye: [0, 0, 3], target: [0, 0, 6], field_of_view_deg: 50 });
    await untilPicture(page, "same", expected);
    await page.focus("#player");
    await page.keyboard.press("Shift+ArrowLeft");
    await page.keyboard.press("r");
    await untilPicture(page, "same", expected);
    await page.close();
  });

  test("that is farther from its target than readers may go stays where it is, and cloth in sight", async () => {
    const page = await openWith("far", { eye: [0, 0, 3], target: [0, 0, -60], field_of_view_deg: 50 });
    const first = await settled(page);
    await page.focus("#player");
    await page.keyboard.press("End");
    await until(page, "frame", "18");
    // There is no floor: without cloth and box, all pictures would be the same.
    await untilPicture(page, "other", first);
    await page.close();
  });
});
