/** Links of the page that go to a frame, and an edge in it. */

import type { Edge } from "./edge_mark";
import type { ClothHeader } from "./header";

/** Where a link goes. */
export interface Place {
  frame: number;
  edge: Edge | null;
}

/** Reads a link's data attributes; null when it names no frame. An edge that does not exist is left out. */
export function parsePlace(data: Record<string, string | undefined>, cloths: ClothHeader[]): Place | null {
  const frame = /^\d+$/.test(data.frame ?? "") ? Number(data.frame) : null;
  return frame === null ? null : { frame, edge: parseEdge(data, cloths) };
}

function parseEdge(data: Record<string, string | undefined>, cloths: ClothHeader[]): Edge | null {
  const match = /^(\d+)-(\d+)$/.exec(data.edge ?? "");
  // With one cloth there is no need to name it.
  const cloth =
    data.cloth === undefined && cloths.length === 1 ? 0 : cloths.findIndex(({ name }) => name === data.cloth);
  if (match === null || cloth < 0) {
    return null;
  }
  const [a, b] = [Number(match[1]), Number(match[2])];
  return Math.max(a, b) < cloths[cloth].vertices ? { cloth, vertices: [a, b] } : null;
}

/** Follows the page's links, also those that are added later. */
export function listenToLinks(page: Document, cloths: ClothHeader[], go: (place: Place) => void): void {
  page.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLElement>("a.goto") : null;
    const place = link === null ? null : parsePlace(link.dataset, cloths);
    if (place !== null) {
      event.preventDefault();
      go(place);
    }
  });
}
