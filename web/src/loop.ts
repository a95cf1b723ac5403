/** One picture after the other, and none when nothing changes. */

/** More than this between two pictures is a pause of the browser, not time of the run [s]. */
const LONGEST = 0.25;

/** Calls for a picture when asked to; goes on by itself while the picture says so. */
export class Loop {
  private isAsked = false;
  /** Time of the last picture [ms]; null after a rest, when no time counts as passed. */
  private last: number | null = null;

  /** `draw` gets the time since the last picture [s], and returns true when it wants to go on. */
  constructor(private readonly draw: (seconds: number) => boolean) {}

  /** Asks for a picture. */
  ask(): void {
    if (!this.isAsked) {
      this.isAsked = true;
      requestAnimationFrame((now) => this.turn(now));
    }
  }

  private turn(now: number): void {
    this.isAsked = false;
    const passed = this.last === null ? 0 : Math.min(Math.max((now - this.last) / 1000, 0), LONGEST);
    this.last = now;
    if (this.draw(passed)) {
      this.ask();
    } else if (!this.isAsked) {
      this.last = null;
    }
  }
}
