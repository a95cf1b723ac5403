/** Makes a report page around a synthetic run, as the command makes them around real ones. */

import { readFileSync } from "node:fs";
import { deflateRawSync } from "node:zlib";
import { encodeRun } from "./encode";
import type { SyntheticRun } from "./runs";

const html = new URL("../../../crates/muslin-record/src/html/", import.meta.url);

function file(name: string): string {
  return readFileSync(new URL(name, html), "utf8");
}

/** The page, with the bundle that is committed. */
export function reportPage({ header, parts }: SyntheticRun): string {
  const json = JSON.stringify(header).replaceAll("<", "\\u003c");
  const frames = deflateRawSync(encodeRun(header, parts)).toString("base64");
  const duration = header.last_frame * header.frame_s;
  const { worst } = header;
  const link =
    worst === null
      ? '<a class="goto" href="#player" data-frame="9">frame 9</a>'
      : `<a class="goto" href="#player" data-frame="${worst.frame}" data-cloth="${header.cloths[worst.cloth].name}" ` +
        `data-edge="${worst.vertices.join("-")}">edge ${worst.vertices.join("–")}, frame ${worst.frame}</a>`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${header.scene.replaceAll("<", "&lt;")}</title>
<link rel="icon" href="data:,">
<style>
${file("style.css")}${file("player/player.css")}</style>
</head>
<body>
<header>
<h1>${header.scene.replaceAll("<", "&lt;")}</h1>
<p class="sub">${header.last_frame + 1} frames, ${duration.toFixed(2)} s simulated by muslin 0.0.0</p>
</header>
<section id="player" aria-label="Playback of the run">
<p class="note">The moving picture needs JavaScript.</p>
</section>
<div class="verdict broken" role="status">
<span class="sign" aria-hidden="true">✘</span>
<div><p class="first">Broken: ${link} stretched 1.42 %; the limit is 1 %.</p>
<p>This page is synthetic: its motion is a formula.</p></div>
</div>
<section>
<h2>Charts</h2>
<div class="charts">
${chart("strain", duration)}${chart("energy", duration)}</div>
</section>
<script type="application/json" id="muslin-run">${json}</script>
<script type="application/octet-stream" id="muslin-frames">${frames}</script>
<script type="module">${file("player/player.js")}</script>
</body>
</html>
`;
}

function chart(name: string, duration: number): string {
  const points = Array.from({ length: 60 }, (_, i) => {
    const fraction = i / 59;
    const y = 120 - 70 * Math.exp(-3 * fraction) * Math.sin(14 * fraction);
    return `${(52 + 332 * fraction).toFixed(1)},${y.toFixed(1)}`;
  });
  return `<figure>
<figcaption>${name}</figcaption>
<svg class="chart" data-chart="time" data-x-min="0" data-x-max="${duration}" data-left="52" data-right="384" \
data-top="36" data-bottom="204" role="img" aria-label="${name} over time" viewBox="0 0 400 248">
<line class="grid" x1="52" x2="384" y1="204" y2="204"/><line class="grid" x1="52" x2="384" y1="120" y2="120"/>
<polyline class="line line-0" points="${points.join(" ")}"/>
<text class="label" x="384" y="243" text-anchor="end">time [s]</text>
</svg>
</figure>
`;
}
