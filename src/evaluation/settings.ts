// Settings of a judgement: limits on hostile input, the rate at which a clip is judged, and the operating point. An
// operator sets only the operating point (RECOGNITION_TARGET_FMR).
import { tmpdir } from 'node:os';
import { MAX_VIDEO_BYTES } from '../contract/upload-limits.ts';

/** Limits on a video, and the paths of its decoder. */
export interface VideoSettings {
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
  /** Folder for the file that the decoder reads; it is unlinked before the decoder starts. */
  readonly tempDir: string;
  readonly maxBytes: number;
  /** Width × height of the coded picture. */
  readonly maxPixels: number;
  readonly minDurationMs: number;
  /** The longest script lasts 55 s, if none of its prompts is answered. */
  readonly maxDurationMs: number;
  /**
   * Of a longer clip, only this first part is decoded and judged: the longest script and what the page records after
   * it.
   */
  readonly judgedMs: number;
  /** Decoded source frames at which decoding stops. */
  readonly maxSourceFrames: number;
  /** Pixels of all decoded source frames together: 16 s of 1080p at 60 frames per second. */
  readonly maxDecodedPixels: number;
  /** Wall-clock limit of one decode, then SIGKILL. CPU time has its own limit in ./video/confinement.ts. */
  readonly timeoutMs: number;
  /** Frames judged per second; fewer if the clip has fewer. No frame is ever duplicated. */
  readonly sampleFps: number;
  /** Frames are shrunk to this long side; smaller ones are left as they are. */
  readonly maxLongSidePx: number;
}

/**
 * False match rate at which faces are compared, unless the operator sets another (docs/recognition.md, What decides).
 */
export const DEFAULT_TARGET_FMR = 1e-4;

/** All settings of a judgement. */
export interface EvaluationSettings {
  readonly video: VideoSettings;
  /** Most frames whose embeddings are averaged into the probe's template. */
  readonly templateFrames: number;
  /** False match rate at which comparisons are decided; the pack's calibration gives the threshold. */
  readonly targetFmr: number;
}

/**
 * 12 frames per second keep three or more frames of a quarter-second smile; more cost time and changed no verdict on
 * the first test clips. 800 pixels leave an eye distance of 80 or more in a selfie, twice what a template needs. The
 * other limits are chosen, not measured.
 */
export const DEFAULT_SETTINGS: EvaluationSettings = {
  video: {
    ffmpegPath: 'ffmpeg',
    ffprobePath: 'ffprobe',
    get tempDir() {
      return tmpdir();
    },
    maxBytes: MAX_VIDEO_BYTES,
    maxPixels: 1920 * 1440,
    minDurationMs: 1000,
    maxDurationMs: 60_000,
    judgedMs: 57_000,
    maxSourceFrames: 60 * 60,
    maxDecodedPixels: 2e9,
    timeoutMs: 60_000,
    sampleFps: 12,
    maxLongSidePx: 800,
  },
  templateFrames: 5,
  targetFmr: DEFAULT_TARGET_FMR,
};
