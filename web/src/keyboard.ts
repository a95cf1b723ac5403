/** Keys, and the list of them for the reader. */

import type { Actions } from "./controls";
import { element } from "./dom";

/** Angle of one turn of the view by a key [rad]. */
const TURN = 0.17;

/** Keys and what they do, as the reader sees them. */
const HELP: [string, string][] = [
  ["Space or K", "play, pause"],
  ["← →", "one frame back, forward"],
  ["Home End", "first, last frame (when the player has the focus)"],
  ["+ −", "faster, slower"],
  ["L", "loop"],
  ["S", "strain or fabric colours"],
  ["W", "wireframe"],
  ["Shift with an arrow", "turn the view"],
  ["R", "reset the view"],
  ["Esc", "remove the mark on an edge"],
  ["Mouse or finger", "drag turns the view, two fingers or the right button move it"],
  ["Wheel", "zooms after a click on the picture, or with Ctrl; otherwise it scrolls the page"],
];

/** What a key asks for; undefined: nothing. `lastFrame` is where End goes. */
export function actionOf(key: string, shift: boolean, lastFrame: number): ((actions: Actions) => void) | undefined {
  const plain: Record<string, (actions: Actions) => void> = {
    " ": (actions) => actions.togglePlay(),
    k: (actions) => actions.togglePlay(),
    ArrowLeft: (actions) => (shift ? actions.turnView(-TURN, 0) : actions.step(-1)),
    ArrowRight: (actions) => (shift ? actions.turnView(TURN, 0) : actions.step(1)),
    Home: (actions) => actions.seekFrame(0),
    End: (actions) => actions.seekFrame(lastFrame),
    "+": (actions) => actions.changeSpeed(1),
    "=": (actions) => actions.changeSpeed(1),
    ">": (actions) => actions.changeSpeed(1),
    "-": (actions) => actions.changeSpeed(-1),
    "−": (actions) => actions.changeSpeed(-1),
    "<": (actions) => actions.changeSpeed(-1),
    l: (actions) => actions.toggleLoop(),
    s: (actions) => actions.toggleColouring(),
    w: (actions) => actions.toggleWireframe(),
    r: (actions) => actions.resetView(),
    Escape: (actions) => actions.clearMark(),
  };
  if (shift && key === "ArrowUp") return (actions) => actions.turnView(0, TURN);
  if (shift && key === "ArrowDown") return (actions) => actions.turnView(0, -TURN);
  return plain[key.length === 1 ? key.toLowerCase() : key];
}

/**
 * Listens to keys: of the player, and of the page while nothing has the focus and the player can be seen. `isInView`
 * returns whether it can.
 */
export function listenToKeys(player: HTMLElement, lastFrame: number, isInView: () => boolean, actions: Actions): void {
  document.addEventListener("keydown", (event) => {
    if (
      event.defaultPrevented ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      !(event.target instanceof Element)
    ) {
      return;
    }
    const isInside = player.contains(event.target);
    const isFree = event.target === document.body && isInView();
    // Home and End belong to the page unless the reader is at the player.
    const isPages = !isInside && (event.key === "Home" || event.key === "End");
    if (!(isInside || isFree) || isPages || isOwnKey(event.target, event.key)) {
      return;
    }
    const action = actionOf(event.key, event.shiftKey, lastFrame);
    if (action !== undefined) {
      event.preventDefault();
      action(actions);
    }
  });
}

/** Keys that the focused element needs itself: typing, choosing, pressing. */
function isOwnKey(target: Element, key: string): boolean {
  if (target instanceof HTMLInputElement && target.type === "range") {
    return key === "PageUp" || key === "PageDown";
  }
  const isChoice = target instanceof HTMLInputElement && target.type === "radio";
  if (isChoice) {
    return key === " " || key.startsWith("Arrow");
  }
  if (target.closest("button, summary, a[href]") !== null) {
    return key === " " || key === "Enter";
  }
  return target.closest("input, select, textarea, [contenteditable]") !== null;
}

/** The list of keys, folded. */
export function makeHelp(): HTMLElement {
  const rows = HELP.map(([keys, what]) => element("div", {}, element("dt", {}, keys), element("dd", {}, what)));
  const summary = element("summary", {}, "Keys and gestures");
  return element("details", { class: "player-help" }, summary, element("dl", {}, ...rows));
}
