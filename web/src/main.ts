/** Starts the player in the page it is part of. */

import "./style.css";
import { element } from "./dom";
import { readPayload } from "./payload";
import { Player } from "./player";
import { RecordedRun } from "./source";

async function start(section: HTMLElement): Promise<void> {
  try {
    const payload = await readPayload(document);
    if (payload !== null) {
      new Player(section, new RecordedRun(payload.header, payload.bytes));
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    section.replaceChildren(element("p", { class: "note" }, `The run cannot be played: ${reason}.`));
  }
}

const section = document.getElementById("player");
if (section !== null) {
  void start(section);
}
