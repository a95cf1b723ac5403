import { deflateRawSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { parseHeader } from "../../src/header";
import { fromBase64, inflate } from "../../src/payload";
import { decodeRun, type Track, writePositions, writeStrain } from "../../src/run";
import { RecordedRun } from "../../src/source";
import { encodeRun } from "../support/encode";
import { hangingSheet, oddRun } from "../support/runs";

/** Greatest distance between what was written and what is read, as a multiple of half a code: 1 is rounding alone. */
function worstError(track: Track, slot: number, positions: number[][]): number {
  const out = new Float32Array(3 * track.vertices);
  writePositions(track, slot, 0, out);
  const errors = positions.flatMap((point, vertex) =>
    point.map((value, axis) => {
      // Half a code, and the rounding of a 32-bit number near 1.
      const allowed = track.box.size[axis] / 65535 / 2 + 1e-7;
      return Math.abs(out[3 * vertex + axis] - value) / allowed;
    }),
  );
  return Math.max(...errors);
}

describe("a run", () => {
  test.each([
    ["the sheet", hangingSheet()],
    ["the odd one", oddRun()],
  ])("comes back as it was written, to half a code: %s", (_name, { header, parts }) => {
    const run = decodeRun(header, encodeRun(header, parts));
    for (const [cloth, frames] of parts.cloths.entries()) {
      for (const [slot, { positions, strain }] of frames.entries()) {
        expect(worstError(run.cloths[cloth], slot, positions)).toBeLessThanOrEqual(1);
        expect([...run.cloths[cloth].strains[slot]]).toEqual(strain);
      }
    }
    for (const [collider, frames] of parts.colliders.entries()) {
      for (const [slot, { positions }] of frames.entries()) {
        expect(worstError(run.colliders[collider], slot, positions)).toBeLessThanOrEqual(1);
      }
    }
    expect(run.shapes).toEqual(parts.shapes);
    expect(run.colliderTriangles).toEqual(parts.colliderTriangles);
  });

  test("is read from hand-made bytes, across the wrap of a code", () => {
    const box = { min: [1, 0, 0] as [number, number, number], size: [2, 0, 0] as [number, number, number] };
    const header = { ...oddRun().header, frames: [0, 1], colliders: [] };
    const counts = { vertices: 1, triangles: 0, lines: 0, display_vertices: 1, coords: false, pinned: [], box };
    header.cloths = [{ name: "point", ...counts }];
    // x: 65535, then 65535 + 1 = 0 (modulo 65536); strain: 250, then 250 + 10 = 4 (modulo 256).
    const bytes = Uint8Array.of(255, 255, 0, 0, 0, 0, 250, 1, 0, 0, 0, 0, 0, 10);
    const [track] = decodeRun(header, bytes).cloths;
    const [position, strain] = [new Float32Array(3), new Float32Array(1)];
    writePositions(track, 0, 0, position);
    expect([...position]).toEqual([3, 0, 0]);
    writePositions(track, 1, 0, position);
    expect([...position]).toEqual([1, 0, 0]);
    writePositions(track, 0, 0.5, position);
    expect([...position]).toEqual([2, 0, 0]);
    writeStrain(track, 1, 0, strain);
    expect([...strain]).toEqual([4]);
  });

  test("that is cut short or too long is refused with a sentence", () => {
    const { header, parts } = oddRun();
    const bytes = encodeRun(header, parts);
    expect(() => decodeRun(header, bytes.subarray(0, bytes.length - 1))).toThrow(/too early/);
    expect(() => decodeRun(header, Uint8Array.of(...bytes, 0))).toThrow(/1 bytes too many/);
  });

  test("survives deflate and base64", async () => {
    const { header, parts } = oddRun();
    const bytes = encodeRun(header, parts);
    const text = `\n${deflateRawSync(bytes).toString("base64")}\n`;
    expect(await inflate(fromBase64(text))).toEqual(bytes);
  });

  test("keeps a collider that does not move in its place in every frame", () => {
    const { header, parts } = hangingSheet();
    const source = new RecordedRun(header, encodeRun(header, parts));
    const places = [0, 50].map((slot) => {
      const out = new Float32Array(3 * header.colliders[0].vertices);
      source.colliderPositions(0, { slot, fraction: 0.5 }, out);
      return out;
    });
    expect(places[0]).toEqual(places[1]);
  });
});

describe("a header", () => {
  const good = oddRun().header;

  test("is read as it is", () => {
    expect(parseHeader(JSON.stringify(good))).toEqual(good);
  });

  test.each([
    ["of another format", { ...good, format: 2 }, /format 2/],
    ["without frames", { ...good, frames: [] }, /no frames/],
    ["with frames out of order", { ...good, frames: [0, 2, 1] }, /not in order/],
  ])("%s is refused with a sentence", (_name, header, message) => {
    expect(() => parseHeader(JSON.stringify(header))).toThrow(message);
  });
});
