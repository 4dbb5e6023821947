// The PAD pack's score of a capture; made by src/evaluation/pad, read by pad-pack.ts.

export interface PadScore {
  /** Median over the faces that were scored, 0–1; higher is more alive. Null if there was none. */
  readonly live: number | null;
  /** The pack's threshold: live when `live` reaches it. */
  readonly threshold: number;
}
