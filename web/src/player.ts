/** The player: puts source, clock, picture, controls and charts together. */

import { Attention } from "./attention";
import { Charts } from "./charts";
import { Clock } from "./clock";
import { type Actions, Controls } from "./controls";
import { element } from "./dom";
import { listenToKeys, makeHelp } from "./keyboard";
import { listenToLinks, type Place } from "./links";
import { Loop } from "./loop";
import { Picture } from "./picture";
import type { Colouring, Look } from "./prop";
import type { FrameSource, Moment } from "./source";
import { percent, seconds, speedName } from "./words";

/** Plays a source of frames inside a section of the page. The section's data attributes hold its state. */
export class Player implements Actions {
  private readonly clock: Clock;
  private readonly look: Look = { colouring: "fabric", wireframe: false };
  private readonly loop = new Loop((passed) => this.draw(passed));
  private readonly attention = new Attention();
  private readonly picture: Picture;
  private readonly controls: Controls;
  private readonly charts: Charts;
  /** Says aloud what the reader did, for those who do not see it; never every frame. */
  private readonly said = element("p", { class: "player-said", role: "status" });
  private readonly moment: Moment = { slot: -1, fraction: 0 };
  private readonly shown: Moment = { slot: -1, fraction: 0 };
  private hasStarted = false;

  constructor(
    private readonly section: HTMLElement,
    private readonly source: FrameSource,
  ) {
    const { header } = source;
    this.clock = new Clock(header.frames, header.frame_s);
    this.controls = new Controls(this.clock, header.last_frame, this);
    this.picture = new Picture(
      source,
      () => this.attention.wantsStillness,
      () => this.loop.ask(),
    );
    this.fillSection();
    this.charts = new Charts(document, (time) => this.seekTime(time));
    listenToKeys(section, header.last_frame, () => this.attention.isHeld, this);
    listenToLinks(document, header.cloths, (place) => this.goTo(place));
    this.applyLook();
    this.attention.watch(this.picture.element, () => this.attend());
  }

  togglePlay(): void {
    if (this.clock.playing) {
      this.clock.pause();
      this.say(`Paused at ${this.where()}`);
    } else {
      this.clock.play();
      this.say("Playing");
    }
    this.hasStarted = true;
    this.loop.ask();
  }

  step(count: number): void {
    this.hold();
    this.clock.step(count);
    this.sayWhere();
  }

  seekFrame(frame: number): void {
    this.hold();
    this.clock.seekFrame(frame);
    this.sayWhere();
  }

  setSpeed(speed: number): void {
    this.clock.setSpeed(speed);
    this.applyLook();
  }

  changeSpeed(steps: number): void {
    this.clock.changeSpeed(steps);
    this.say(`Speed ${speedName(this.clock.speed)}`);
    this.applyLook();
  }

  toggleLoop(): void {
    this.clock.loop = !this.clock.loop;
    this.say(this.clock.loop ? "Loop on" : "Loop off");
    this.applyLook();
  }

  setColouring(colouring: Colouring): void {
    this.look.colouring = colouring;
    this.applyLook();
  }

  toggleColouring(): void {
    this.setColouring(this.look.colouring === "strain" ? "fabric" : "strain");
    this.say(this.look.colouring === "strain" ? "Strain colours" : "Fabric colours");
  }

  toggleWireframe(): void {
    this.look.wireframe = !this.look.wireframe;
    this.say(this.look.wireframe ? "Wireframe on" : "Wireframe off");
    this.applyLook();
  }

  resetView(): void {
    this.clearMark();
    this.picture.stage?.view.goHome();
    this.say("View reset");
    this.loop.ask();
  }

  turnView(right: number, up: number): void {
    this.picture.stage?.view.turn(right, up);
    this.loop.ask();
  }

  clearMark(): void {
    this.picture.stage?.mark.set(null);
    delete this.section.dataset.edge;
    this.loop.ask();
  }

  private seekTime(time: number): void {
    this.hold();
    this.clock.seekTime(time);
    this.sayWhere();
  }

  /** Stops for the reader to look at a frame. */
  private hold(): void {
    this.hasStarted = true;
    this.clock.playing = false;
    this.loop.ask();
  }

  private goTo({ frame, edge }: Place): void {
    this.seekFrame(frame);
    this.clearMark();
    const stage = this.picture.stage;
    if (edge !== null && stage !== null) {
      stage.mark.set(edge);
      stage.mark.show(this.clock.momentInto(this.moment));
      stage.view.goNear(stage.mark.middle.clone(), stage.mark.length, stage.mark.normal());
      this.section.dataset.edge = edge.vertices.join("-");
    }
    this.section.scrollIntoView({ behavior: this.attention.wantsStillness ? "auto" : "smooth", block: "start" });
    this.section.focus({ preventScroll: true });
    this.refresh();
    this.say(edge === null ? this.where() : `${this.where()} ${stage?.mark.label.textContent ?? ""}`);
  }

  /** Starts when it is first seen, unless the reader prefers stillness or has already done something. */
  private attend(): void {
    if (this.attention.isHeld && !this.hasStarted && !this.attention.wantsStillness) {
      this.hasStarted = true;
      this.clock.play();
    }
    this.loop.ask();
  }

  private draw(passed: number): boolean {
    const isRunning = this.clock.playing && this.attention.isHeld;
    if (isRunning) {
      this.clock.advance(passed);
      if (!this.clock.playing) {
        this.say(`Ended at ${this.where()}`);
      }
    }
    const isTurning = this.picture.stage?.view.advance(passed) ?? false;
    this.refresh();
    this.picture.stage?.render();
    return (this.clock.playing && this.attention.isHeld) || isTurning;
  }

  /** Brings everything to the clock's time. */
  private refresh(): void {
    const { clock, moment, shown, section } = this;
    clock.momentInto(moment);
    if (moment.slot !== shown.slot || moment.fraction !== shown.fraction) {
      Object.assign(shown, moment);
      this.picture.stage?.show(moment, clock.frame);
      this.charts.update(clock.time);
    }
    this.controls.update();
    setData(section, "frame", String(clock.frame));
    const playing = this.attention.isHeld ? "playing" : "waiting";
    setData(section, "state", clock.playing ? playing : "paused");
    this.nameMark();
  }

  private applyLook(): void {
    this.picture.setLook(this.look);
    this.controls.updateOptions(this.look);
    setData(this.section, "colouring", this.look.colouring);
    setData(this.section, "wireframe", this.look.wireframe ? "on" : "off");
    this.loop.ask();
  }

  /** The mark's label. The strain of an edge is known for the worst one, in its frame. */
  private nameMark(): void {
    const mark = this.picture.stage?.mark;
    const edge = mark?.marked ?? null;
    if (mark === undefined || edge === null) {
      return;
    }
    const { worst, cloths } = this.source.header;
    const [a, b] = edge.vertices;
    const isWorst =
      worst !== null && worst.cloth === edge.cloth && worst.vertices.includes(a) && worst.vertices.includes(b);
    const strain = isWorst && worst.frame === this.clock.frame ? `strain ${percent(worst.strain)}, ` : "";
    const cloth = cloths.length > 1 ? ` of ${cloths[edge.cloth].name}` : "";
    const text = `${strain}edge ${a}–${b}${cloth}`;
    if (mark.label.textContent !== text) {
      mark.label.textContent = text;
    }
  }

  private where(): string {
    return `${seconds(this.clock.time)}, frame ${this.clock.frame}`;
  }

  /** Says where the reader went, or nothing when the slider, which has the focus, says so itself. */
  private sayWhere(): void {
    this.say(this.controls.hasSliderFocus ? "" : this.where());
  }

  private say(text: string): void {
    this.said.textContent = text;
  }

  private fillSection(): void {
    const { section } = this;
    const { thinned } = this.source.header;
    section.classList.add("player");
    // A click on the player gives it the focus, and with it the keys.
    section.tabIndex = -1;
    section.replaceChildren(this.picture.element, this.controls.element, makeHelp(), this.said);
    if (thinned !== null) {
      this.said.before(element("p", { class: "note" }, thinned));
    }
  }
}

function setData(target: HTMLElement, name: string, value: string): void {
  if (target.dataset[name] !== value) {
    target.dataset[name] = value;
  }
}
