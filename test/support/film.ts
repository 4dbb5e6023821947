// The form of a film: pictures in which every movement goes on from where rest ends.

/** Numbers of pictures, the last one included. */
interface Range {
  first: number;
  last: number;
}

/** Pictures at 25 a second, 480 high. */
export interface CameraFilm {
  /** Base64. */
  jpegs: string[];
  width: number;
  /** Its last picture is the one before each movement's first. */
  rest: Range;
  /** By prompt: the way there, and from where on it is held. */
  moves: Record<string, Range & { heldFrom: number }>;
  /** Heads that look about, for whoever follows a path. */
  looks?: Look[];
}

/** A head that looks towards a place of a path; `x` and `y` as of its knots (src/contract/path.ts). */
export interface Look {
  picture: number;
  x: number;
  y: number;
  /** Looks of one piece of footage follow each other in time; absent: any may follow any. */
  piece?: number;
}
