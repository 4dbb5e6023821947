// What a judgement says about a video that it could read: stable codes for diagnostics and for the person's retry. The
// codes for a video that it could not read are in ./video/clip.ts. All codes of a result, with those of src/jobs:
// docs/guides/reasons.md.
import type { RetryReason } from '../contract/capture-page.ts';

/**
 * What a reason means for the person. `retry`: the capture could not be judged or did not follow the script, and may
 * be taken again. `final`: evidence of an attack or of another person; never retried, never explained to the browser.
 * `info`: a check that was not required; counts for nothing. `silent`: the same, and not reported either.
 */
type ReasonKind = 'retry' | 'final' | 'info' | 'silent';

type Reason =
  /** `told`: what the page tells the person about it; the page has fewer reasons than the judgement. */
  | { readonly kind: 'retry'; readonly told: RetryReason; readonly meaning: string }
  | { readonly kind: Exclude<ReasonKind, 'retry'>; readonly meaning: string };

/** In the order in which they are reported: what spoils everything else comes first. */
export const REASONS = {
  face_missing: { kind: 'retry', told: 'face_missing', meaning: 'no face in all or part of the video' },
  several_faces: {
    kind: 'retry',
    told: 'several_faces',
    meaning: 'more than one face, not counting small ones in the background',
  },
  too_far: { kind: 'retry', told: 'too_far', meaning: 'the face is too small' },
  too_dark: { kind: 'retry', told: 'too_dark', meaning: 'the face is too dark, or lit from behind' },
  too_bright: { kind: 'retry', told: 'too_bright', meaning: 'the face is overexposed' },
  no_colour: { kind: 'retry', told: 'no_colour', meaning: 'the picture has no colours' },
  blurred: { kind: 'retry', told: 'blurred', meaning: 'the picture is not sharp' },
  not_frontal: { kind: 'retry', told: 'turned_away', meaning: 'no moment in which the face looks ahead' },
  view_broken: {
    kind: 'retry',
    told: 'view_broken',
    meaning: 'the face was lost, covered or blurred during the recording',
  },
  too_short: { kind: 'retry', told: 'too_short', meaning: 'the video ends before the script does' },
  mouth_covered: { kind: 'retry', told: 'mouth_covered', meaning: 'something covers the mouth' },
  neutral_missing: {
    kind: 'retry',
    told: 'neutral_missing',
    meaning: 'no neutral face when asked to look ahead',
  },
  smile_missing: { kind: 'retry', told: 'smile_missing', meaning: 'no smile when asked for one' },
  target_missing: {
    kind: 'retry',
    told: 'target_missing',
    meaning: 'the head was not turned to the dot and held there',
  },
  too_still: {
    kind: 'retry',
    told: 'unknown',
    meaning: 'no movement was asked for, and too little was seen to rule out a photograph',
  },
  prompts_ahead: {
    kind: 'retry',
    told: 'connection_slow',
    meaning: 'prompts were known long before their part of the recording was announced',
  },
  announced_late: {
    kind: 'retry',
    told: 'connection_slow',
    meaning: 'the recording was announced later than it was made',
  },
  // An attacker is not told what detected the attack.
  picture_broken: {
    kind: 'retry',
    told: 'unknown',
    meaning: 'the picture stood still, was cut or faded into another during the recording',
  },
  pad_pack: {
    kind: 'retry',
    told: 'unknown',
    meaning: 'the PAD network takes the face for a picture of a face',
  },
  identity_changed: { kind: 'final', meaning: 'not the same person throughout' },
  frozen: { kind: 'final', meaning: 'the picture stands still' },
  looped: { kind: 'final', meaning: 'part of the video is repeated' },
  rigid_face: { kind: 'final', meaning: 'the face moves as a picture does, not as a face' },
  foreseen: { kind: 'final', meaning: 'prompts were answered before they were shown' },
  other_script: { kind: 'final', meaning: 'the face answers prompts other than those shown' },
  uploaded_before: { kind: 'final', meaning: 'contains frames of an earlier capture' },
  longer_than_elapsed: { kind: 'final', meaning: 'the video lasts longer than its script has existed' },
  smile_not_required: { kind: 'info', meaning: 'the script asks for no smile' },
  target_not_required: { kind: 'silent', meaning: 'the script asks for no turn of the head' },
  not_applicable: { kind: 'silent', meaning: 'does not apply to this video and script' },
  no_pad_pack: { kind: 'info', meaning: 'the PAD network is switched off' },
  no_script: { kind: 'info', meaning: 'no script was given' },
  too_few_frames: { kind: 'retry', told: 'too_short', meaning: 'too few frames, though most are clear' },
} as const satisfies Record<string, Reason>;

export type ReasonCode = keyof typeof REASONS;

/** The codes of reasons that allow another try. */
export type RetryCode = {
  [Code in ReasonCode]: (typeof REASONS)[Code]['kind'] extends 'retry' ? Code : never;
}[ReasonCode];

export function allowsRetry(code: ReasonCode): code is RetryCode {
  return REASONS[code].kind === 'retry';
}

/** Sorts codes into the catalogue's order, without duplicates. */
export function inOrder(reasons: Iterable<ReasonCode>): ReasonCode[] {
  const given = new Set(reasons);
  return (Object.keys(REASONS) as ReasonCode[]).filter((code) => given.has(code));
}
