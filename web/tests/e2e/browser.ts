/** A browser with a report open in it. */

import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from "playwright-core";
import { expect } from "vitest";
import { reportPage } from "../support/page";
import type { SyntheticRun } from "../support/runs";

/** Software rendering, so that the tests need no graphics card; and a browser that keeps to itself. */
const FLAGS = [
  "--no-sandbox",
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** Starts the browser. */
export function launch(extra: string[] = []): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  return chromium.launch({ executablePath, args: [...FLAGS, ...extra] });
}

/** A page with a report, and what it wrote to the console that it should not have. */
export interface OpenReport {
  page: Page;
  complaints: string[];
}

/** Opens a report and waits until the player shows a frame. */
export async function open(browser: Browser, path: string, options: BrowserContextOptions = {}): Promise<OpenReport> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    // What the software renderer says of its own speed is not the page's doing.
    const isDriver = message.text().includes("GPU stall due to ReadPixels");
    if (["error", "warning"].includes(message.type()) && !isDriver) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(pathToFileURL(path).href);
  await page.waitForSelector("#player[data-frame]", { state: "attached" });
  return { page, complaints };
}

/** Writes a synthetic report and returns its path. */
export function writeReport(name: string, run: SyntheticRun): string {
  const path = join(mkdtempSync(join(tmpdir(), "muslin-e2e-")), `${name}.html`);
  writeFileSync(path, reportPage(run));
  return path;
}

/** Number of the frame that is shown. */
export async function frameOf(page: Page): Promise<number> {
  return Number(await page.getAttribute("#player", "data-frame"));
}

/** Waits until a data attribute of the player has a value. */
export async function until(page: Page, name: string, value: string): Promise<void> {
  await page.waitForSelector(`#player[data-${name}="${value}"]`, { state: "attached", timeout: 10_000 });
}

/** What a reader presses for strain colours: the input itself lies under its label. */
export function strainSwitch(page: Page): Locator {
  return page.locator("#player fieldset label", { hasText: "Strain" });
}

/** The picture as it is on the screen. */
export function pixels(page: Page): Promise<Buffer> {
  return page.locator("#player canvas").screenshot();
}

/** The picture once it stands still: two in a row are the same. How long that takes depends on the machine's load. */
export async function settled(page: Page): Promise<Buffer> {
  let last = await pixels(page);
  for (let look = 0; look < 50; look += 1) {
    await page.waitForTimeout(200);
    const now = await pixels(page);
    if (now.equals(last)) return now;
    last = now;
  }
  throw new Error("the picture never stood still");
}

/** Waits until the picture is (or is not) the same as one before. */
export async function untilPicture(page: Page, wanted: "same" | "other", before: Buffer): Promise<void> {
  const isSame = async () => (await pixels(page)).equals(before);
  await expect.poll(isSame, { timeout: 30_000 }).toBe(wanted === "same");
}

/** Keeps a screenshot where MUSLIN_SHOTS says, if it does. */
export async function shot(page: Page, name: string, options: { fullPage?: boolean } = {}): Promise<void> {
  const folder = process.env.MUSLIN_SHOTS;
  if (folder !== undefined) {
    mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: join(folder, `${name}.png`), ...options });
  }
}
