// How a capture was submitted, by the server's own clock and records. Read by elapsed.ts, container.ts and earlier-upload.ts.

export interface Submission {
  /** From the moment the script was made to the commit of the recording's hash. */
  readonly elapsedMs: number;
  /** Share of the video's frames, 0–1, that an earlier capture of the account has; null when too few are distinct. */
  readonly seenBefore: number | null;
}
