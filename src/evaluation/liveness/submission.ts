// How a capture was submitted, according to the server's own clock and records. Times count from the creation of the
// script. Read by elapsed.ts, announced.ts and earlier-upload.ts.

/** A slice of the file. Once it is announced, nobody can change its bytes. */
export interface Announcement {
  /** Number of bytes of the file up to the end of the slice. */
  readonly endByte: number;
  readonly announcedMs: number;
}

export interface Submission {
  /** Time at which the recording was committed. */
  readonly elapsedMs: number;
  /** In file order; together they cover the whole file. */
  readonly announcements: readonly Announcement[];
  /** When each step of the script was handed out. */
  readonly handedOutMs: readonly number[];
  /** Whether a capture is sent back if its prompts were known too far ahead. */
  readonly justInTime: boolean;
  /**
   * Share of the video's frames, 0–1, that an earlier capture of the account has too; null if too few frames are
   * distinct.
   */
  readonly seenBefore: number | null;
}
