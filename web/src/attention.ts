/** Whether anyone looks: the player in view, the tab in front, motion welcome. */

/** Follows what decides whether the picture may move by itself. */
export class Attention {
  private isOnScreen = false;
  private readonly still = matchMedia("(prefers-reduced-motion: reduce)");

  /** Starts to watch the player's picture; `changed` is called when `isHeld` may have changed. */
  watch(target: Element, changed: () => void): void {
    document.addEventListener("visibilitychange", changed);
    new IntersectionObserver(
      (entries) => {
        this.isOnScreen = entries[entries.length - 1].isIntersecting;
        changed();
      },
      { threshold: 0.25 },
    ).observe(target);
  }

  /** True while the player is in view, in a tab that is in front. */
  get isHeld(): boolean {
    return this.isOnScreen && document.visibilityState === "visible";
  }

  /** True when the reader asked for less motion. */
  get wantsStillness(): boolean {
    return this.still.matches;
  }
}
