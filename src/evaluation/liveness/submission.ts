// How a capture was submitted, by the server's own clock and records. Times count from the moment the script was made.
// Read by elapsed.ts, announced.ts, container.ts and earlier-upload.ts.

/** A piece of the file, whose bytes nobody could change once it was announced. */
export interface Announcement {
  /** How many bytes of the file there are up to its end. */
  readonly endByte: number;
  readonly announcedMs: number;
}

export interface Submission {
  /** Up to the commit of the recording. */
  readonly elapsedMs: number;
  /** In the file's order: together all of it. */
  readonly announcements: readonly Announcement[];
  /** When each step of the script was handed out. */
  readonly handedOutMs: readonly number[];
  /** Whether a capture whose prompts were known ahead is sent back. */
  readonly justInTime: boolean;
  /** Share of the video's frames, 0–1, that an earlier capture of the account has; null when too few are distinct. */
  readonly seenBefore: number | null;
}
