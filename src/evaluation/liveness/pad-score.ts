// The PAD pack's score of a capture; made by src/evaluation/pad, read by pad-pack.ts.

export interface PadScore {
  /** Median over the scored faces, 0–1; higher means more likely bona fide. Null if no face was scored. */
  readonly live: number | null;
  /** The pack's threshold: a capture is live if `live` reaches it. */
  readonly threshold: number;
}
