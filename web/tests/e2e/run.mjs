/**
 * Runs the tests in a browser: `npm run e2e -- REPORT` opens that report (or the one that MUSLIN_REPORT names); without
 * any, a synthetic one. MUSLIN_SHOTS names a folder for screenshots, CHROMIUM the browser.
 */

import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const web = fileURLToPath(new URL("../../", import.meta.url));
const [report] = process.argv.slice(2);
const vitest = resolve(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
// Paths are meant from where the command was typed; npm starts scripts in the package's folder.
const from = process.env.INIT_CWD ?? process.cwd();
const env = { ...process.env };
const named = report ?? env.MUSLIN_REPORT;
if (named !== undefined) env.MUSLIN_REPORT = resolve(from, named);
if (env.MUSLIN_SHOTS !== undefined) env.MUSLIN_SHOTS = resolve(from, env.MUSLIN_SHOTS);
const args = [vitest, "run", "--config", "vitest.e2e.config.ts"];
process.exitCode = spawnSync(process.execPath, args, { cwd: web, env, stdio: "inherit" }).status ?? 1;
