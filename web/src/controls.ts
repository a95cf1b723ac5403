/** Buttons, slider and switches. They say what was asked and show the state; they decide nothing. */

import { type Clock, SPEEDS } from "./clock";
import { element, icon } from "./dom";
import type { Colouring, Look } from "./prop";
import { seconds, speedName } from "./words";

/** What can be asked of the player, by button, key or link. */
export interface Actions {
  togglePlay(): void;
  step(count: number): void;
  seekFrame(frame: number): void;
  setSpeed(speed: number): void;
  changeSpeed(steps: number): void;
  toggleLoop(): void;
  setColouring(colouring: Colouring): void;
  toggleColouring(): void;
  toggleWireframe(): void;
  resetView(): void;
  turnView(right: number, up: number): void;
  clearMark(): void;
}

const ICONS = {
  play: "M8 5v14l11-7z",
  pause: "M7 5h4v14H7zM13 5h4v14h-4z",
  back: "M6 5h2.5v14H6zM19 5v14l-9-7z",
  forward: "M15.5 5h2.5v14h-2.5zM5 5v14l9-7z",
  loop: "M7 7h9V4l5 4.5-5 4.5v-3H9v3H6V8a1 1 0 0 1 1-1zM17 17H8v3l-5-4.5L8 11v3h7v-3h3v5a1 1 0 0 1-1 1z",
  wire: "M4 4h16v16H4zm1.8 1.8v4.8h4.8V5.8zm6.400 0v4.8h6V5.8zm-6.400 6.400v6h4.8v-6zm6.400 0v6h6v-6z",
  reset: "M4 10 12 3l8 7v10h-6v-6h-4v6H4z",
};

/** The controls under the picture. */
export class Controls {
  readonly element: HTMLElement;
  private readonly playButton = button("Play", ICONS.play);
  private readonly loopButton = button("Loop", ICONS.loop, "Loop");
  private readonly wireButton = button("Wireframe", ICONS.wire, "Wireframe");
  private readonly slider = element("input", { type: "range", class: "player-slider", min: "0" });
  private readonly timeText = element("output", { class: "player-time", "aria-live": "off" });
  private readonly speed = element("select", { "aria-label": "Speed" });
  private readonly colourings: Record<Colouring, HTMLInputElement>;
  private shownFrame = -1;
  private shownPlaying: boolean | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly lastFrame: number,
    private readonly actions: Actions,
  ) {
    this.colourings = { fabric: this.radio("fabric"), strain: this.radio("strain") };
    this.slider.max = String(lastFrame);
    this.slider.setAttribute("aria-label", "Time");
    this.speed.append(...SPEEDS.map((speed) => element("option", { value: String(speed) }, speedName(speed))));
    this.element = element("div", { class: "player-controls" }, this.transport(), this.options());
    this.listen();
  }

  /** Whether the reader is at the slider, whose value screen readers speak by themselves. */
  get hasSliderFocus(): boolean {
    return document.activeElement === this.slider;
  }

  /** Shows where the clock is. Called for every picture: touches the page only when something changed. */
  update(): void {
    const { clock } = this;
    const { frame, playing } = clock;
    if (playing !== this.shownPlaying) {
      this.shownPlaying = playing;
      relabel(this.playButton, playing ? "Pause" : "Play", playing ? ICONS.pause : ICONS.play);
      // While it plays the handle glides; at rest it stands on frames, for those who move it by keys.
      this.slider.step = playing ? "any" : "1";
    }
    this.slider.value = String(clock.time / clock.frameSeconds);
    this.slider.style.setProperty("--done", `${(100 * clock.time) / (clock.duration || 1)}%`);
    if (frame !== this.shownFrame) {
      this.shownFrame = frame;
      const time = seconds(frame * clock.frameSeconds);
      this.timeText.replaceChildren(element("b", {}, time), ` frame ${frame} of ${this.lastFrame}`);
      this.slider.setAttribute("aria-valuetext", `${time}, frame ${frame} of ${this.lastFrame}`);
    }
  }

  /** Shows the switches' state. */
  updateOptions(look: Look): void {
    this.speed.value = String(this.clock.speed);
    this.loopButton.setAttribute("aria-pressed", String(this.clock.loop));
    this.wireButton.setAttribute("aria-pressed", String(look.wireframe));
    this.colourings[look.colouring].checked = true;
  }

  private transport(): HTMLElement {
    const back = button("One frame back", ICONS.back);
    const forward = button("One frame forward", ICONS.forward);
    back.addEventListener("click", () => this.actions.step(-1));
    forward.addEventListener("click", () => this.actions.step(1));
    const buttons = element("div", { class: "player-buttons" }, this.playButton, back, forward);
    return element("div", { class: "player-transport" }, buttons, this.slider, this.timeText);
  }

  private options(): HTMLElement {
    const reset = button("Reset the view", ICONS.reset, "Reset view");
    reset.addEventListener("click", () => this.actions.resetView());
    const colours = element("fieldset", { class: "player-segments" }, element("legend", {}, "Colours"));
    for (const [name, input] of Object.entries(this.colourings)) {
      const text = name === "fabric" ? "Fabric" : "Strain";
      colours.append(element("label", {}, input, element("span", {}, text)));
    }
    const speed = element("label", { class: "player-speed" }, element("span", {}, "Speed"), this.speed);
    return element("div", { class: "player-options" }, colours, this.wireButton, this.loopButton, speed, reset);
  }

  private radio(name: Colouring): HTMLInputElement {
    const input = element("input", { type: "radio", name: "player-colouring", value: name });
    input.addEventListener("change", () => this.actions.setColouring(name));
    return input;
  }

  private listen(): void {
    const { actions } = this;
    this.playButton.addEventListener("click", () => actions.togglePlay());
    this.loopButton.addEventListener("click", () => actions.toggleLoop());
    this.wireButton.addEventListener("click", () => actions.toggleWireframe());
    this.speed.addEventListener("change", () => actions.setSpeed(Number(this.speed.value)));
    this.slider.addEventListener("input", () => actions.seekFrame(Number(this.slider.value)));
  }
}

function button(name: string, path: string, text?: string): HTMLButtonElement {
  const made = element("button", { type: "button", "aria-label": name, title: name }, icon(path));
  if (text !== undefined) {
    made.append(element("span", {}, text));
  }
  return made;
}

function relabel(target: HTMLButtonElement, name: string, path: string): void {
  target.setAttribute("aria-label", name);
  target.title = name;
  target.replaceChildren(icon(path));
}
