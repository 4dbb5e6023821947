// What a judgement says about a video that it could read: stable codes for diagnostics and for the person's retry. Of one
// that it could not: ./video/clip.ts. All codes of a result, with those of src/jobs: docs/guides/reasons.md.

/**
 * What a reason means for the person. `retry`: the capture could not be judged or did not follow the script, and may
 * be taken again. `final`: evidence of an attack or of another person; never retried, never explained to the browser.
 * `info`: a check that was not required; counts for nothing. `silent`: the same, and not reported either.
 */
export type ReasonKind = 'retry' | 'final' | 'info' | 'silent';

/** In the order in which they are reported: what spoils everything else comes first. */
export const REASONS = {
  face_missing: { kind: 'retry', meaning: 'no face, or not all the time' },
  several_faces: { kind: 'retry', meaning: 'more than one face' },
  too_far: { kind: 'retry', meaning: 'the face is too small' },
  too_dark: { kind: 'retry', meaning: 'the face is too dark' },
  too_bright: { kind: 'retry', meaning: 'the face is overexposed' },
  blurred: { kind: 'retry', meaning: 'the picture is not sharp' },
  not_frontal: { kind: 'retry', meaning: 'no moment in which the face looks ahead' },
  view_broken: { kind: 'retry', meaning: 'the face was lost, covered or blurred in between' },
  too_short: { kind: 'retry', meaning: 'the video ends before the script does' },
  mouth_covered: { kind: 'retry', meaning: 'something covers the mouth' },
  neutral_missing: { kind: 'retry', meaning: 'no neutral face when asked to look ahead' },
  smile_missing: { kind: 'retry', meaning: 'no smile when asked for one' },
  turn_missing: { kind: 'retry', meaning: 'no turn of the head when asked for one' },
  too_still: {
    kind: 'retry',
    meaning: 'no movement was asked for, and too little seen to tell a photograph',
  },
  identity_changed: { kind: 'final', meaning: 'not the same person from first to last' },
  frozen: { kind: 'final', meaning: 'the picture stands still' },
  looped: { kind: 'final', meaning: 'a stretch of the video comes twice' },
  rigid_face: { kind: 'final', meaning: 'the face moves as a picture does, not as a face' },
  foreseen: { kind: 'final', meaning: 'prompts were answered before they were shown' },
  other_script: { kind: 'final', meaning: 'the face answers other prompts than were shown' },
  uploaded_before: { kind: 'final', meaning: 'frames of an earlier capture' },
  longer_than_elapsed: { kind: 'final', meaning: 'the video lasts longer than its script has existed' },
  pad_pack: { kind: 'final', meaning: 'the installed PAD pack sees an attack' },
  cut: { kind: 'final', meaning: 'the picture jumps' },
  flat_turn: { kind: 'final', meaning: 'the head turns as a flat picture does' },
  moves_with_surround: { kind: 'final', meaning: 'the face moves together with what surrounds it' },
  not_a_recorder: { kind: 'final', meaning: 'the file was not written by a browser' },
  even_timestamps: { kind: 'final', meaning: 'the frames come more evenly than from a camera' },
  soft_evidence: { kind: 'final', meaning: 'several weak signs of an attack' },
  smile_not_required: { kind: 'info', meaning: 'the script asks for no smile' },
  turn_not_required: { kind: 'silent', meaning: 'the script asks for no turn' },
  not_applicable: { kind: 'silent', meaning: 'does not apply to this video and script' },
  no_blink: { kind: 'silent', meaning: 'no blink seen, which says nothing' },
  no_script: { kind: 'info', meaning: 'no script was given' },
  too_few_frames: { kind: 'retry', meaning: 'too few usable frames' },
} as const satisfies Record<string, { kind: ReasonKind; meaning: string }>;

export type ReasonCode = keyof typeof REASONS;

/** Sorts codes into the catalogue's order, each once. */
export function inOrder(reasons: Iterable<ReasonCode>): ReasonCode[] {
  const given = new Set(reasons);
  return (Object.keys(REASONS) as ReasonCode[]).filter((code) => given.has(code));
}
