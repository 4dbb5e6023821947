// What a page in real Chromium is shown through its camera, and what becomes of its recording.
import type { CameraFilm } from '../../../test/support/film.ts';
import type { Seam } from '../../attacks/seams.ts';

/** Differing from a camera of 640 × 480 at 25 frames a second in usual light. */
export interface PageConditions {
  readonly width?: number;
  readonly height?: number;
  readonly fps?: number;
  /** Factor on the light. */
  readonly brightness?: number;
}

/** A camera that answers prompts, or plays a video. */
export interface PagePlan extends PageConditions {
  /** Pictures of whoever answers; null where a video is played. */
  readonly film: CameraFilm | null;
  /** A video to play from the first prompt on: JPEGs, base64. */
  readonly video?: { readonly jpegs: readonly string[]; readonly fps: number };
  /** From a prompt to the beginning of its answer. */
  readonly reactionMs?: number;
  /** Pieces instead of one view: each prompt's begins at once, its seam covered for so many frames. */
  readonly jumps?: { readonly seam: Seam; readonly frames: number };
  /** Shown at rest in place of whoever acts: a JPEG, base64. */
  readonly atRest?: string;
  /** The picture is coloured as the page's surround is at that moment. */
  readonly tint?: PageTint;
  /** Changes the recording before the page has it. */
  readonly recorder?: (recorded: Buffer) => Promise<Buffer>;
}

/** How a program colours its picture by the light that it reads off the page. */
export interface PageTint {
  /** ln(red / blue) rises and falls by so much. */
  readonly swing: number;
  /** Of each picture how much of the light falls where: grey JPEGs, base64. Absent: all of it everywhere. */
  readonly shares?: readonly string[];
}

/** What of a plan the page is told. */
export type CameraPlan = Omit<PagePlan, 'recorder'>;
