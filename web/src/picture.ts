/** The part of the page that holds the picture: canvas, legend, mark, and a sentence when there is no picture. */

import { element } from "./dom";
import { makeLegend } from "./legend";
import type { Look } from "./prop";
import type { FrameSource } from "./source";
import { Stage } from "./stage";
import { followTheme } from "./theme";

/** Canvas and what lies around it. `stage` is null where WebGL is missing. */
export class Picture {
  readonly element: HTMLElement;
  readonly stage: Stage | null;
  private readonly canvas = element("canvas", { role: "img" });
  private readonly frame = element("div", { class: "player-stage" }, this.canvas);
  private readonly message = element("p", { class: "player-message", hidden: "" });
  private readonly legend: HTMLElement;

  /** `isStill` says whether motion is to be avoided; `changed` is called when there is something new to draw. */
  constructor(
    private readonly source: FrameSource,
    isStill: () => boolean,
    private readonly changed: () => void,
  ) {
    this.legend = makeLegend(source.header.strain_limit);
    this.frame.append(this.message);
    this.element = element("div", { class: "player-picture" }, this.frame, this.legend);
    this.stage = this.makeStage(isStill);
    if (this.stage !== null) {
      this.frame.append(this.stage.mark.label);
      this.listen(this.stage);
    }
  }

  setLook(look: Look): void {
    this.stage?.setLook(look);
    this.legend.hidden = look.colouring !== "strain" || this.stage === null;
    this.canvas.setAttribute("aria-label", describe(this.source, look));
  }

  private makeStage(isStill: () => boolean): Stage | null {
    try {
      return new Stage(this.canvas, this.source, isStill, this.changed);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.canvas.remove();
      this.frame.classList.add("is-empty");
      this.say(`The moving picture cannot be shown: ${reason}. The rest of this page does not need it.`);
      return null;
    }
  }

  private listen(stage: Stage): void {
    followTheme((theme) => {
      stage.setTheme(theme);
      this.changed();
    });
    new ResizeObserver(() => {
      stage.resize(this.frame.clientWidth, this.frame.clientHeight);
      // At once, not with the next picture: a canvas that changes size is empty until it is drawn.
      stage.render();
    }).observe(this.frame);
    this.canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      this.say("The graphics driver took the picture away; it comes back when the driver does.");
    });
    this.canvas.addEventListener("webglcontextrestored", () => {
      this.say("");
      stage.restore();
      stage.render();
      this.changed();
    });
    this.canvas.addEventListener("dblclick", () => stage.view.goHome());
    this.letThePageScroll();
  }

  /** The wheel zooms only when the reader has turned to the picture; before, it would catch those who scroll past. */
  private letThePageScroll(): void {
    const keep = (event: WheelEvent) => {
      const isTurnedTo = this.frame.closest("section")?.contains(document.activeElement);
      if (!isTurnedTo && !event.ctrlKey && !event.metaKey) {
        event.stopPropagation();
      }
    };
    this.frame.addEventListener("wheel", keep, { capture: true, passive: true });
  }

  private say(text: string): void {
    this.message.textContent = text;
    this.message.hidden = text === "";
  }
}

function describe({ header }: FrameSource, look: Look): string {
  const names = (things: { name: string }[]) => things.map((thing) => thing.name).join(", ");
  const cloths = header.cloths.length > 0 ? ` Cloth: ${names(header.cloths)}.` : "";
  const solids = header.colliders.length > 0 ? ` Solid: ${names(header.colliders)}.` : "";
  const colours = look.colouring === "strain" ? " Coloured by strain." : "";
  return `Moving picture of the run ${header.scene}.${cloths}${solids}${colours}`;
}
