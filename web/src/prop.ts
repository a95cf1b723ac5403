/** Things on the stage: what all of them can do. */

import type { Object3D } from "three";
import type { Moment } from "./source";
import type { Theme } from "./theme";

/** How cloth is coloured. */
export type Colouring = "fabric" | "strain";

/** How things are drawn, as the reader chose. */
export interface Look {
  colouring: Colouring;
  wireframe: boolean;
}

/** A thing on the stage. */
export interface Prop {
  readonly object: Object3D;
  /** Moves to a moment of the run; `frame` is the number of the frame at or before it. */
  show(moment: Moment, frame: number): void;
  setLook?(look: Look): void;
  setTheme?(theme: Theme): void;
}
