// What decoding says about a whole clip, in addition to its sampled frames.

/** Size of a thumbnail, to which every source frame is squeezed, in grey. */
export const THUMBNAIL_WIDTH = 64;
export const THUMBNAIL_HEIGHT = 64;

/** Stable codes for why a video could not be decoded. */
export const UNDECODABLE_REASONS = [
  'empty_file',
  'too_many_bytes',
  'not_a_video',
  'too_large_dimensions',
  'too_long',
  'too_short',
  'too_many_pixels',
  'one_frame',
  'decode_failed',
  'decode_timeout',
] as const;
export type UndecodableReason = (typeof UNDECODABLE_REASONS)[number];

/** One coded picture of the file. */
export interface Packet {
  /** Its presentation time on the clock of the clip's `sourceTimesMs`; below 0 before the first decoded frame. */
  readonly timeMs: number;
  /** Number of bytes of the file before it; 0 if the container does not tell. */
  readonly startByte: number;
  /**
   * Number of bytes up to its end, as the container has it: a compressed or overlapping picture ends sooner. Infinite
   * if the container does not tell.
   */
  readonly endByte: number;
}

/** Facts of a decoded clip. */
export interface Clip {
  readonly container: 'webm' | 'mp4';
  readonly codec: string;
  /** Size of the sampled frames, after rotation and shrinking. */
  readonly width: number;
  readonly height: number;
  /** From the first to the last source frame of the decoded part, plus one mean frame interval. */
  readonly durationMs: number;
  /** The same for the whole file, by its packets' times; more if only its first part was decoded. */
  readonly fileDurationMs: number;
  /** Packets of the whole file, in time order. */
  readonly packets: readonly Packet[];
  /** All source frames of the decoded part, not only the sampled ones. */
  readonly sourceFrameCount: number;
  /** Their presentation times, counted from the first one. */
  readonly sourceTimesMs: readonly number[];
  /** Their thumbnails, THUMBNAIL_WIDTH × THUMBNAIL_HEIGHT bytes each, one after another. */
  readonly thumbnails: Uint8Array;
}
