// What a page in real Chromium is shown through its camera.
import type { CameraFilm } from '../../../test/support/film.ts';
import type { Seam } from '../../attacks/seams.ts';

/** Deviations from a camera of 640 × 480 at 25 frames per second in usual light. */
export interface PageConditions {
  readonly width?: number;
  readonly height?: number;
  readonly fps?: number;
  /** Factor on the brightness. */
  readonly brightness?: number;
}

/** A camera that answers prompts, or plays a video. */
export interface PagePlan extends PageConditions {
  /** Images of the person who answers; null if a video is played. */
  readonly film: CameraFilm | null;
  /** A video to play from the first prompt on: JPEGs, base64. */
  readonly video?: { readonly jpegs: readonly string[]; readonly fps: number };
  /** Time from a prompt to the start of its answer. */
  readonly reactionMs?: number;
  /**
   * Pieces instead of one continuous film: each prompt's piece begins at once, with its seam covered for this many
   * frames.
   */
  readonly jumps?: { readonly seam: Seam; readonly frames: number };
  /** Shown at rest instead of the actor: a JPEG, base64. */
  readonly atRest?: string;
}
