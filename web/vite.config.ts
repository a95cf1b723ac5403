import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/** The licence of three.js asks that its notice goes along with every copy. */
function threeLicence(): string {
  const text = readFileSync(new URL("./node_modules/three/LICENSE", import.meta.url), "utf8");
  return `/*! Contains three.js.\n${text.trim()}\n*/`;
}

/** The bundle is pasted into a page between script tags: refuses what would end the tag early. */
function fitForInlining(): Plugin {
  return {
    name: "fit-for-inlining",
    enforce: "post",
    generateBundle(_options, bundle) {
      const names = Object.keys(bundle).sort().join(" ");
      if (names !== "player.css player.js") {
        this.error(`expected player.js and player.css only, got ${names}`);
      }
      for (const [name, file] of Object.entries(bundle)) {
        const text = file.type === "chunk" ? file.code : String(file.source);
        for (const forbidden of [/<\/script/i, /<script/i, /<!--/, /<\/style/i]) {
          if (forbidden.test(text)) {
            this.error(`${name} contains ${forbidden.source}, which must not stand inside the page`);
          }
        }
      }
    },
  };
}

export default defineConfig({
  base: "./",
  publicDir: false,
  plugins: [fitForInlining()],
  build: {
    target: "es2022",
    outDir: "../crates/muslin-record/src/html/player",
    emptyOutDir: false,
    modulePreload: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      input: "src/main.ts",
      output: {
        entryFileNames: "player.js",
        assetFileNames: "player[extname]",
        codeSplitting: false,
        comments: { legal: false, annotation: false, jsdoc: false },
        postBanner: threeLicence(),
      },
    },
  },
  test: { include: ["tests/unit/**/*.test.ts"] },
});
