// Why the capture page's calls are refused by the state of the challenge.

/** Why a step is not possible in the current state: extension member `conflict` of a 409 `state-conflict` problem. */
export const CAPTURE_CONFLICTS = [
  'other_device',
  'not_started',
  'processing',
  'consent_required',
  'consent_not_required',
  'no_tries_left',
  'capture_under_way',
  'capture_not_open',
  'commit_too_late',
  'slice_too_late',
  'slice_too_early',
  'too_many_chunks',
  'wrong_slice',
  'other_script',
  'too_large',
  'hash_mismatch',
  'wrong_offset',
  'way_not_open',
  'passkey_not_asked',
  'sandbox',
] as const;
export type CaptureConflict = (typeof CAPTURE_CONFLICTS)[number];
