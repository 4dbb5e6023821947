// The operator's PAD pack's score of a capture; made by src/evaluation/pad, read by pad-pack.ts.

export interface PadScore {
  /** Mean over the portraits, in the pack's own unit; higher is more alive. */
  readonly live: number;
  /** The pack's threshold: live when `live` reaches it. */
  readonly threshold: number;
}
