/** Time of the playback. Pure: it is given how much time has passed, and knows nothing of screens. */

import type { Moment } from "./source";

/** Speeds on offer, as multiples of real time. */
export const SPEEDS: readonly number[] = [0.25, 0.5, 1, 2];

/** Where the playback is and how it goes on. Times are seconds of the run, from 0. */
export class Clock {
  playing = false;
  loop = true;
  private speedIndex = 2;
  private now = 0;

  /** `frames` are the numbers of the stored frames, ascending; `frameSeconds` is the time between two numbers. */
  constructor(
    readonly frames: readonly number[],
    readonly frameSeconds: number,
  ) {}

  /** Time of the last stored frame [s]. */
  get duration(): number {
    return this.frames[this.frames.length - 1] * this.frameSeconds;
  }

  /** Time [s]. */
  get time(): number {
    return this.now;
  }

  get speed(): number {
    return SPEEDS[this.speedIndex];
  }

  setSpeed(speed: number): void {
    const index = SPEEDS.indexOf(speed);
    if (index >= 0) {
      this.speedIndex = index;
    }
  }

  /** One speed faster (1) or slower (−1), as far as there are any. */
  changeSpeed(steps: number): void {
    this.speedIndex = Math.min(Math.max(this.speedIndex + steps, 0), SPEEDS.length - 1);
  }

  /** Starts; from the beginning if the end is reached. */
  play(): void {
    if (this.now >= this.duration) {
      this.now = 0;
    }
    this.playing = this.duration > 0;
  }

  /** Stops, at a frame: what stands still is a frame of the run, not a mixture of two. */
  pause(): void {
    this.playing = false;
    this.seekSlot(this.nearestSlot(this.now));
  }

  /** Lets real time pass [s]. */
  advance(seconds: number): void {
    if (!this.playing) {
      return;
    }
    this.now += seconds * this.speed;
    if (this.now < this.duration) {
      return;
    }
    if (this.loop) {
      this.now %= this.duration;
    } else {
      this.now = this.duration;
      this.playing = false;
    }
  }

  /** Goes to a time; to the nearest stored frame when standing still. */
  seekTime(seconds: number): void {
    const within = Math.min(Math.max(seconds, 0), this.duration);
    this.now = this.playing ? within : this.frames[this.nearestSlot(within)] * this.frameSeconds;
  }

  /** Goes to the stored frame nearest to a frame number. */
  seekFrame(frame: number): void {
    this.seekSlot(this.nearestSlot(frame * this.frameSeconds));
  }

  /** Stops and goes some stored frames on (or back, if negative). */
  step(count: number): void {
    this.playing = false;
    this.seekSlot(this.nearestSlot(this.now) + count);
  }

  /** Where in the stored frames the time falls. Writes into `out`, so that playing allocates nothing. */
  momentInto(out: Moment): Moment {
    const number = this.now / this.frameSeconds;
    const slot = this.slotBefore(number);
    const next = Math.min(slot + 1, this.frames.length - 1);
    const gap = this.frames[next] - this.frames[slot];
    const fraction = gap > 0 ? Math.min(Math.max((number - this.frames[slot]) / gap, 0), 1) : 0;
    out.slot = slot;
    // A frame number recovered from seconds is off by rounding; a frame shown at rest must be exact.
    out.fraction = fraction < 1e-6 ? 0 : fraction;
    return out;
  }

  /** Number of the stored frame at or just before the time. */
  get frame(): number {
    return this.frames[this.slotBefore(this.now / this.frameSeconds)];
  }

  private seekSlot(slot: number): void {
    const within = Math.min(Math.max(slot, 0), this.frames.length - 1);
    this.now = this.frames[within] * this.frameSeconds;
  }

  /** Last stored frame at or before a number, which may be off by rounding. */
  private slotBefore(number: number): number {
    let low = 0;
    let high = this.frames.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.frames[middle] <= number + 1e-6) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  private nearestSlot(seconds: number): number {
    const number = seconds / this.frameSeconds;
    const slot = this.slotBefore(number);
    const next = Math.min(slot + 1, this.frames.length - 1);
    return this.frames[next] - number < number - this.frames[slot] ? next : slot;
  }
}
