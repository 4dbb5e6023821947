// Requires an unbroken view: nothing may hide the face between the frames that make the template and those that answer
// the prompts. Whatever covers the seams of edited footage breaks the view. An honest person may break it too, and can
// then try again.
import { isRecognisable } from '../identity.ts';
import type { Clip } from '../video/clip.ts';
import { atLeast, atMost, gate, notEvaluated, type Outcome, type VideoCheck } from './cue.ts';
import type { VideoEvidence } from './evidence.ts';
import { median } from './statistics.ts';
import { brightnessOf, detailOf, repeatsOf } from './thumbnails.ts';
import { unclear, unlessUnclear } from './visibility.ts';

export const faceInView: VideoCheck = {
  cue: 'face_in_view',
  role: gate('face'),
  refuses: ['other_footage'],
  run: longestWithoutFace,
};
export const pictureKept: VideoCheck = {
  cue: 'picture_kept',
  role: gate('face'),
  refuses: [],
  stays: 'a seam could hide behind black or blurred pictures',
  run: leastDetail,
};
export const pictureAlive: VideoCheck = {
  cue: 'picture_alive',
  role: gate('spoof'),
  refuses: ['pose_grid'],
  run: longestStandstill,
};

/** Genuine captures at 10 frames per second ≤ 250 ms (identity bench); rendered turns into profile 500 ms. */
const MAX_WITHOUT_FACE_MS = 500;
/** Frames on each side with which a frame's detail is compared: half a second. */
const NEIGHBOURS = 12;
/** Genuine clips, fast turns included, 0.82 and more; blurred seams ≤ 0.54, black ones 0 (identity bench). */
const MIN_DETAIL = 0.65;
/** A darker frame is hidden, not dimmed. Chosen, not measured. */
const MIN_LIGHT = 0.8;
/**
 * Genuine clips ≤ 67 ms. A recorder that runs short of frames writes fewer, not the same ones again (identity bench).
 */
const MAX_STANDSTILL_MS = 200;

/** Longest time between two frames whose face can be recognised, in milliseconds. */
function longestWithoutFace(evidence: VideoEvidence): Outcome {
  const { observations } = evidence;
  const times = observations.flatMap(({ face, timeMs }) => (face && isRecognisable(face) ? [timeMs] : []));
  if (times.length < 2) return notEvaluated(unclear(evidence) ?? 'face_missing');
  const longest = Math.max(...times.slice(1).map((timeMs, i) => timeMs - times[i]!));
  return atMost(longest, MAX_WITHOUT_FACE_MS, 'view_broken');
}

/** Lowest detail of a source frame's whole picture, divided by the median of the frames around it. */
function leastDetail({ clip }: VideoEvidence): Outcome {
  return atLeast(Math.min(...detailRatios(clip, NEIGHBOURS)), MIN_DETAIL, 'view_broken');
}

/**
 * Detail of each source frame's whole picture, divided by the median of the frames up to `neighbours` away; 0 if that
 * median is 0.
 */
export function detailRatios(clip: Clip, neighbours: number): number[] {
  const detail = detailOf(clip);
  const brightness = brightnessOf(clip);
  return detail.map((own, i) => {
    const around = [Math.max(0, i - neighbours), i + neighbours + 1] as const;
    const usual = median(detail.slice(...around));
    if (usual === 0) return 0;
    if (own >= usual) return own / usual;
    // A frame in less light shows less detail by as much.
    const light = Math.min(1, brightness[i]! / median(brightness.slice(...around)));
    return own / usual / Math.max(light, MIN_LIGHT);
  });
}

/** Longest stretch of source frames that show nothing new, in milliseconds. */
function longestStandstill(evidence: VideoEvidence): Outcome {
  const { sourceTimesMs } = evidence.clip;
  const repeats = repeatsOf(evidence.clip);
  let longest = 0;
  let from = 0;
  for (let i = 1; i < sourceTimesMs.length; i++) {
    if (repeats[i]) longest = Math.max(longest, sourceTimesMs[i]! - sourceTimesMs[from]!);
    else from = i;
  }
  return unlessUnclear(evidence, atMost(longest, MAX_STANDSTILL_MS, 'picture_broken'));
}
