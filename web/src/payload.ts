/** Gets the run out of the page: base64 and deflate. */

import { parseHeader, type RunHeader } from "./header";

/** The header and the inflated binary part. */
export interface Payload {
  header: RunHeader;
  bytes: Uint8Array;
}

/** Reads the run that the page carries; null when it carries none. */
export async function readPayload(page: Document): Promise<Payload | null> {
  const header = page.getElementById("muslin-run");
  const frames = page.getElementById("muslin-frames");
  if (header === null || frames === null) {
    return null;
  }
  return { header: parseHeader(header.textContent ?? ""), bytes: await inflate(fromBase64(frames.textContent ?? "")) };
}

/** Bytes of base64 text; white space around it does not matter. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const letters = atob(text.trim());
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) {
    bytes[i] = letters.charCodeAt(i);
  }
  return bytes;
}

/** Undoes raw deflate (RFC 1951). */
export async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(inflater());
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function inflater(): DecompressionStream {
  try {
    return new DecompressionStream("deflate-raw");
  } catch {
    throw new Error("this browser cannot unpack it (DecompressionStream is missing); a current one can");
  }
}
