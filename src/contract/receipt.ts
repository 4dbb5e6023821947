// The receipt of a result: what was judged, with what, and the outcome, so that anyone who has the video can judge it
// again. It holds no template, no picture and no name: docs/guides/receipts.md.
import { type Static, Type } from 'typebox';
import { DeviceResult } from './device.ts';
import { NullableNumber, NullableString, Sha256 } from './field-types.ts';
import { JudgedCue } from './judged-try.ts';
import { LIVENESS_LEVELS } from './liveness-level.ts';
import { FEATID_SOURCES } from './picture.ts';
import { Liveness } from './result.ts';
import { Script } from './script.ts';

/** Version of the fields below; it is raised when the meaning of one changes. */
export const RECEIPT_FORMAT = 1;
/** `typ` in a receipt's header, so that no other token signed with the same keys can pass for a receipt. */
export const RECEIPT_TYPE = 'likeness-receipt+jwt';
export const RECEIPT_ALGORITHM = 'EdDSA';

const Hashed = Type.Object({ id: Type.String(), sha256: Sha256 });

/** What a judgement was made with. The same engine gives the same values on the same processor. */
export const Engine = Type.Object({
  /** Version of Likeness. */
  version: Type.String(),
  /** The file of every network. */
  models: Type.Array(Hashed),
  /**
   * Recognisers, the one for new templates first; `calibration_sha256` is the hash of the calibration in force, as
   * canonical JSON.
   */
  recognisers: Type.Array(Type.Object({ id: Type.String(), calibration_sha256: NullableString })),
  /** Manifest of the PAD pack, hashed as canonical JSON; null if PAD is switched off. */
  pad: Type.Unsafe<Static<typeof Hashed> | null>({ anyOf: [Hashed, { type: 'null' }] }),
  /** The false match rate at which comparisons were decided. */
  target_fmr: Type.Number(),
  /** Not compared. Other runtimes may give other last digits. */
  runtime: Type.Record(Type.String(), Type.String()),
});
export type Engine = Static<typeof Engine>;

/** What was known about the video beyond its bytes. */
const Inputs = Type.Object({
  script: Type.Unsafe<Script | null>({ anyOf: [Script, { type: 'null' }] }),
  /** From the drawing of the script to the commit of the recording, by the server's clock. */
  elapsed_ms: Type.Number(),
  /** The recording's slices: where each ends in the file, and when it was announced, from the drawing of the script. */
  announcements: Type.Array(Type.Object({ end_byte: Type.Integer(), announced_ms: Type.Number() })),
  /** When each step of the script was handed out, from the drawing of the script. */
  handed_out_ms: Type.Array(Type.Number()),
  /** Whether a recording whose prompts were known ahead of time had to be sent back. */
  just_in_time: Type.Boolean(),
  /** Share of the frames that also occur in an earlier capture of the account; null if too few are distinct. */
  seen_before: NullableNumber,
});
export type ReceiptInputs = Static<typeof Inputs>;

/** The outcome of judging the video. Judging it again must give the same, to the last digit. */
const Values = Type.Object({
  liveness: Liveness,
  reasons: Type.Array(Type.String()),
  /** Why the capture could have been retried; null if a retry was not allowed or not needed. */
  retry: NullableString,
  /** Every check, decisive or not. Empty for a video that cannot be judged. */
  cues: Type.Array(JudgedCue),
});
export type ReceiptValues = Static<typeof Values>;

const Compared = Type.Object({
  /**
   * SHA-256 of the challenge's id, a line feed and the FeatureID, so that a holder of the FeatureID can recognise it.
   */
  featid_sha256: Sha256,
  source: Type.Enum([...FEATID_SOURCES]),
  score: Type.Number(),
  result: Type.Enum(['pass', 'fail']),
});

const OverallResult = Type.Enum(['pass', 'fail']);

/** The payload of a receipt. */
export const Receipt = Type.Object({
  iss: Type.String({ description: 'Base address of the service.' }),
  iat: Type.Integer({ description: 'When the challenge was completed: seconds since 1970.' }),
  format: Type.Literal(RECEIPT_FORMAT),
  challenge_id: Type.String(),
  overall_result: OverallResult,
  /** Of the challenge. What the person was asked for is in `inputs.script`, with the `way` if anything was left out. */
  liveness_level: Type.Enum([...LIVENESS_LEVELS]),
  /** Null if none was made. */
  liveness_featid_sha256: NullableString,
  /** Null in a liveness-only challenge. It cannot be judged again, because the receipt holds no templates. */
  compared: Type.Unsafe<Static<typeof Compared>[] | null>({
    anyOf: [Type.Array(Compared), { type: 'null' }],
  }),
  /** What the device beside the face showed; absent without `device_binding`. It cannot be verified again. */
  device_result: Type.Optional(DeviceResult),
  video: Type.Object({ sha256: Sha256, size_bytes: Type.Integer({ minimum: 0 }) }),
  inputs: Inputs,
  values: Values,
  engine: Engine,
});
export type Receipt = Static<typeof Receipt>;

/** What a judgement stores for its challenge's receipt. The cues are stored with the result. */
export interface ReceiptFacts extends Pick<Receipt, 'video' | 'inputs' | 'engine'> {
  readonly values: Omit<ReceiptValues, 'cues'>;
}
