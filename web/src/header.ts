/** What the page says about the run: the JSON beside the frames, checked before anything trusts it. */

/** A point or an extent: x, y, z [m], y up. */
export type Triple = [number, number, number];

/** The box that positions are quantised in [m]. A component of `size` may be 0. */
export interface Box {
  min: Triple;
  size: Triple;
}

/** Vertices that are pinned, until (not including) a frame or always. */
export interface PinnedVertices {
  vertices: number[];
  until_frame: number | null;
}

/** A cloth: counts of what the binary part holds, and how to read it. */
export interface ClothHeader {
  name: string;
  vertices: number;
  triangles: number;
  lines: number;
  display_vertices: number;
  coords: boolean;
  pinned: PinnedVertices[];
  box: Box;
}

/**
 * A solid. What it is to the picture: a thing; the level plane that is the floor at `ground_y`, drawn as such; or
 * another plane, whose square is drawn but need not be in the picture as a whole.
 */
export interface ColliderHeader {
  name: string;
  vertices: number;
  triangles: number;
  moves: boolean;
  part: "thing" | "floor" | "plane";
  box: Box;
}

/** A view that the scene asks for; the field of view is the vertical one. */
export interface CameraHeader {
  eye: Triple;
  target: Triple;
  field_of_view_deg: number;
}

/** The edge that stretched most, in all frames written. */
export interface Worst {
  frame: number;
  cloth: number;
  vertices: [number, number];
  strain: number;
}

/** The whole header. */
export interface RunHeader {
  format: 1;
  scene: string;
  /** Time from one frame of the run to the next [s]. */
  frame_s: number;
  last_frame: number;
  /** Numbers of the stored frames, ascending. */
  frames: number[];
  /** Says so when not all frames are stored. */
  thinned: string | null;
  strain_limit: number;
  camera: CameraHeader | null;
  /** Height of the floor [m]. */
  ground_y: number | null;
  cloths: ClothHeader[];
  colliders: ColliderHeader[];
  worst: Worst | null;
}

/** Reads the header, or throws an error whose message can be shown. */
export function parseHeader(text: string): RunHeader {
  const header = JSON.parse(text) as RunHeader;
  if (header.format !== 1) {
    throw new Error(`this page holds a run of format ${header.format}; the player reads format 1`);
  }
  if (!(header.frame_s > 0) || !Array.isArray(header.frames) || header.frames.length === 0) {
    throw new Error("the run has no frames");
  }
  if (header.frames.some((frame, slot) => slot > 0 && frame <= header.frames[slot - 1])) {
    throw new Error("the run's frames are not in order");
  }
  return header;
}
