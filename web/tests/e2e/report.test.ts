/** A report in a browser: the one that MUSLIN_REPORT names, or a synthetic one. */

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseHeader, type RunHeader } from "../../src/header";
import { hangingSheet } from "../support/runs";
import {
  frameOf,
  launch,
  type OpenReport,
  open,
  settled,
  shot,
  strainSwitch,
  until,
  untilPicture,
  writeReport,
} from "./browser";

let browser: Browser;
let report: string;
let opened: OpenReport;
let header: RunHeader;

const still = { reducedMotion: "reduce" } as const;

beforeAll(async () => {
  browser = await launch();
  report = process.env.MUSLIN_REPORT ?? writeReport("hang", hangingSheet());
  opened = await open(browser, report, still);
  header = parseHeader((await opened.page.textContent("#muslin-run")) ?? "");
});

afterAll(async () => {
  await browser?.close();
});

/** Sends the slider to a frame, as a reader does who drags it. */
async function scrubTo(frame: number): Promise<void> {
  await opened.page.getByRole("slider", { name: "Time" }).fill(String(frame));
  await until(opened.page, "frame", String(frame));
}

/** A stored frame somewhere in the middle, never the first. */
function middleFrame(): number {
  return header.frames[Math.max(1, Math.floor(header.frames.length / 2))];
}

describe("a reader who wants no motion", () => {
  test("sees the first frame at rest", async () => {
    await opened.page.waitForTimeout(500);
    expect(await frameOf(opened.page)).toBe(0);
    expect(await opened.page.getAttribute("#player", "data-state")).toBe("paused");
  });

  test("can scrub to a frame, and the slider says where it is", async () => {
    const frame = middleFrame();
    await scrubTo(frame);
    const text = await opened.page.getByRole("slider", { name: "Time" }).getAttribute("aria-valuetext");
    expect(text).toContain(`frame ${frame} of ${header.last_frame}`);
    await shot(opened.page, "desktop");
  });

  test("can step, and go to both ends, by keys", async () => {
    const { page } = opened;
    await scrubTo(0);
    await page.focus("#player");
    await page.keyboard.press("ArrowRight");
    await until(page, "frame", String(header.frames[1]));
    await page.keyboard.press("ArrowLeft");
    await until(page, "frame", "0");
    await page.keyboard.press("End");
    await until(page, "frame", String(header.last_frame));
    await page.keyboard.press("Home");
    await until(page, "frame", "0");
  });

  test("can change speed and loop by keys and sees it in the controls", async () => {
    const { page } = opened;
    await page.focus("#player");
    await page.keyboard.press("-");
    expect(await page.getByRole("combobox", { name: "Speed" }).inputValue()).toBe("0.5");
    await page.keyboard.press("+");
    expect(await page.getByRole("combobox", { name: "Speed" }).inputValue()).toBe("1");
    await page.keyboard.press("l");
    expect(await page.getByRole("button", { name: "Loop" }).getAttribute("aria-pressed")).toBe("false");
    await page.keyboard.press("l");
  });

  test("is notified when a run that does not loop has ended", async () => {
    const { page } = opened;
    await page.focus("#player");
    await page.keyboard.press("l");
    await scrubTo(header.frames[Math.max(0, header.frames.length - 4)]);
    await page.getByRole("button", { name: "Play" }).click();
    await expect
      .poll(() => page.locator("#player [role=status]").textContent(), { timeout: 10_000 })
      .toMatch(new RegExp(`^Ended .* frame ${header.last_frame}$`));
    expect(await page.getAttribute("#player", "data-state")).toBe("paused");
    await page.keyboard.press("l");
  });
});

describe("the picture", () => {
  test("changes with the frame", async () => {
    await scrubTo(0);
    const first = await settled(opened.page);
    await scrubTo(middleFrame());
    await untilPicture(opened.page, "other", first);
  });

  test("changes with strain colours, which come with a legend", async () => {
    const { page } = opened;
    await scrubTo(header.worst?.frame ?? header.last_frame);
    const fabric = await settled(page);
    const legend = page.getByRole("group", { name: "Legend: strain" });
    expect(await legend.isVisible()).toBe(false);
    await strainSwitch(page).click();
    await until(page, "colouring", "strain");
    expect(await legend.isVisible()).toBe(true);
    expect(await legend.textContent()).toContain("limit");
    await untilPicture(page, "other", fabric);
    await shot(page, "strain");
    await page.focus("#player");
    await page.keyboard.press("s");
    await until(page, "colouring", "fabric");
  });

  test("changes with the wireframe", async () => {
    const { page } = opened;
    const plain = await settled(page);
    await page.getByRole("button", { name: "Wireframe" }).click();
    await until(page, "wireframe", "on");
    // Chains have no triangles and so no wireframe.
    if (header.cloths.some((cloth) => cloth.triangles > 0)) {
      await untilPicture(page, "other", plain);
    }
    await page.keyboard.press("w");
    await until(page, "wireframe", "off");
  });

  test("turns with the mouse and comes back by the button", async () => {
    const { page } = opened;
    const before = await settled(page);
    const box = await page.locator("#player canvas").boundingBox();
    if (box === null) throw new Error("the canvas has a place");
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + 150, box.y + box.height / 2, { steps: 3 });
    await page.mouse.up();
    await untilPicture(page, "other", before);
    await page.getByRole("button", { name: "Reset the view" }).click();
    await untilPicture(page, "same", before);
  });

  test("says what it shows", async () => {
    const label = await opened.page.getByRole("img", { name: /^Moving picture/ }).getAttribute("aria-label");
    expect(label).toContain(header.scene);
  });
});

describe("the page around the player", () => {
  test("goes to the worst edge by a click and marks it", async ({ skip }) => {
    const { page } = opened;
    const { worst } = header;
    const link = page.locator("a.goto[data-edge]").first();
    if (worst === null || (await link.count()) === 0) return skip("no worst edge in this report");
    await scrubTo(0);
    await strainSwitch(page).click();
    const frame = (await link.getAttribute("data-frame")) ?? "";
    await link.click();
    await until(page, "frame", frame);
    await until(page, "edge", (await link.getAttribute("data-edge")) ?? "");
    await page.waitForTimeout(300);
    expect(await page.locator(".player-mark").isVisible()).toBe(true);
    expect(await page.locator(".player-mark").textContent()).toMatch(/edge \d+–\d+/);
    await shot(page, "worst-edge");
    await page.keyboard.press("Escape");
    expect(await page.locator(".player-mark").isVisible()).toBe(false);
    await page.keyboard.press("r");
    await page.keyboard.press("s");
  });

  test("says where the reader is, never where they were", async ({ skip }) => {
    const { page } = opened;
    const status = page.locator("#player [role=status]");
    const link = page.locator("a.goto[data-edge]").first();
    if ((await link.count()) === 0) return skip("no worst edge in this report");
    const goToWorst = async () => {
      await link.click();
      expect(await status.textContent()).toMatch(/frame \d+ .*edge \d+–\d+/);
    };
    const here = async () => new RegExp(`, frame ${await frameOf(page)}$`);

    await goToWorst();
    const chart = page.locator('svg[data-chart="time"]').first();
    const box = await chart.boundingBox();
    if (box === null) throw new Error("the chart has a place");
    await chart.click({ position: { x: 0.9 * box.width, y: 0.5 * box.height } });
    await expect.poll(async () => (await status.textContent())?.match(await here())).toBeTruthy();

    await goToWorst();
    await page.keyboard.press("End");
    await until(page, "frame", String(header.last_frame));
    expect(await status.textContent()).toMatch(await here());

    // At the slider, its value is what is spoken: anything more would be said twice.
    const byPage = header.worst?.frame === header.last_frame ? "PageDown" : "PageUp";
    for (const key of ["Home", byPage, "ArrowRight"]) {
      await goToWorst();
      await page.getByRole("slider", { name: "Time" }).focus();
      await page.keyboard.press(key);
      await expect.poll(() => status.textContent(), { message: key }).toBe("");
    }
    await page.focus("#player");
    await page.keyboard.press("Escape");
    await page.keyboard.press("r");
  });

  test("seeks by a click on a chart, and the playhead follows", async () => {
    const { page } = opened;
    await scrubTo(0);
    const chart = page.locator('svg[data-chart="time"]').first();
    const head = chart.locator(".playhead");
    const before = await head.getAttribute("transform");
    await chart.scrollIntoViewIfNeeded();
    const box = await chart.boundingBox();
    if (box === null) throw new Error("the chart has a place");
    await page.mouse.click(box.x + 0.6 * box.width, box.y + 0.5 * box.height);
    await page.waitForFunction(() => document.getElementById("player")?.dataset.frame !== "0");
    expect(await head.getAttribute("transform")).not.toBe(before);
    // The line stands where the click was, to within the gap between two stored frames.
    const line = await head.boundingBox();
    const gaps = header.frames.slice(1).map((frame, slot) => frame - header.frames[slot]);
    const gap = (box.width * Math.max(...gaps)) / header.last_frame;
    expect(Math.abs((line?.x ?? 0) - (box.x + 0.6 * box.width))).toBeLessThan(gap + 2);
    await page.evaluate(() => scrollTo(0, 0));
  });
});

test("every control has a name", async () => {
  const unnamed = await opened.page.locator("#player").evaluate((player) => {
    const controls = [...player.querySelectorAll<HTMLElement>("button, input, select, summary, canvas")];
    const named = (control: HTMLElement) =>
      control.getAttribute("aria-label") ?? control.closest("label")?.textContent ?? control.textContent;
    return controls.filter((control) => !named(control)?.trim()).map((control) => control.outerHTML);
  });
  expect(unnamed).toEqual([]);
});

test("the browser has nothing to complain about", () => {
  expect(opened.complaints).toEqual([]);
});
