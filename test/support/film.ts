// The format of a film: pictures in which every movement continues from where rest ends.

/** Indices of pictures, inclusive. */
interface Range {
  first: number;
  last: number;
}

/** Pictures at 25 per second, 480 px high. */
export interface CameraFilm {
  /** Base64. */
  jpegs: string[];
  width: number;
  /** Its last picture comes right before each movement's first. */
  rest: Range;
  /** By prompt: the transition, and the picture from which the movement is held. */
  moves: Record<string, Range & { heldFrom: number }>;
  /** Heads that look in all directions, for a person who turns the nose to a dot. */
  looks?: Look[];
}

/** A head that looks in a direction (src/contract/target.ts). */
export interface Look {
  picture: number;
  x: number;
  y: number;
}
