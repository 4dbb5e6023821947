// The receipt of a result: what was judged, by what, and what came out, so that anyone who has the video can judge it again.
// No template, no picture, no name: docs/guides/receipts.md.
import { type Static, Type } from 'typebox';
import { NullableNumber, NullableString, Sha256 } from './field-types.ts';
import { JudgedCue } from './judged-try.ts';
import { FEATID_SOURCES } from './picture.ts';
import { Liveness } from './result.ts';
import { DrawnLight } from './screen-light.ts';
import { Script } from './script.ts';

/** Of the fields below; raised when one changes its meaning. */
export const RECEIPT_FORMAT = 1;
/** `typ` of a receipt's header: no other token of the same keys can pass for one. */
export const RECEIPT_TYPE = 'likeness-receipt+jwt';
export const RECEIPT_ALGORITHM = 'EdDSA';

const Hashed = Type.Object({ id: Type.String(), sha256: Sha256 });

/** What a judgement was made with. Equal engines give equal values on equal processors. */
export const Engine = Type.Object({
  /** Of Likeness. */
  version: Type.String(),
  /** Every network's file. */
  models: Type.Array(Hashed),
  /** Recognisers, the one for new templates first; `calibration_sha256` is of the canonical JSON of the calibration in force. */
  recognisers: Type.Array(Type.Object({ id: Type.String(), calibration_sha256: NullableString })),
  /** Manifest of the PAD pack, as canonical JSON; null where it is switched off. */
  pad: Type.Unsafe<Static<typeof Hashed> | null>({ anyOf: [Hashed, { type: 'null' }] }),
  /** At which comparisons were decided. */
  target_fmr: Type.Number(),
  /** Not compared: others may give other last digits. */
  runtime: Type.Record(Type.String(), Type.String()),
});
export type Engine = Static<typeof Engine>;

/** What was known about the video, apart from its bytes. */
const Inputs = Type.Object({
  script: Type.Unsafe<Script | null>({ anyOf: [Script, { type: 'null' }] }),
  /** From the script's making to the commit of the recording, by the server's clock. */
  elapsed_ms: Type.Number(),
  /** The recording's slices: where each ends in the file, and when it was announced, counted from the script's making. */
  announcements: Type.Array(Type.Object({ end_byte: Type.Integer(), announced_ms: Type.Number() })),
  /** When each step of the script was handed out, counted from its making. */
  handed_out_ms: Type.Array(Type.Number()),
  /** Whether a recording whose prompts were known ahead was to be sent back. */
  just_in_time: Type.Boolean(),
  /** Share of the frames that an earlier capture of the account has; null where too few are distinct. */
  seen_before: NullableNumber,
  /** The light code that was drawn, and whether the page says that it was shown; null where none was drawn. */
  light: Type.Unsafe<(DrawnLight & { shown: 'shown' | 'switched_off' | null }) | null>({
    anyOf: [
      Type.Object({
        ...DrawnLight.properties,
        shown: Type.Unsafe({ enum: ['shown', 'switched_off', null] }),
      }),
      { type: 'null' },
    ],
  }),
});
export type ReceiptInputs = Static<typeof Inputs>;

/** Light of the page on the skin, as measured. */
const Match = Type.Record(Type.String(), Type.Number());

/** The outcome of judging the video. Judging it again has to give the same, to the last digit. */
const Values = Type.Object({
  liveness: Liveness,
  reasons: Type.Array(Type.String()),
  /** Why it might have been tried again; null where it may not, or need not. */
  retry: NullableString,
  /** Every check, whatever it decides. Empty for a video that cannot be judged. */
  cues: Type.Array(JudgedCue),
  screen_light: Type.Unsafe<Record<string, number> | null>({ anyOf: [Match, { type: 'null' }] }),
});
export type ReceiptValues = Static<typeof Values>;

const Compared = Type.Object({
  /** SHA-256 of the challenge's id, a line feed, and the FeatureID: who has the FeatureID can tell that it is this one. */
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
  /** Null where none was made. */
  liveness_featid_sha256: NullableString,
  /** Null in a liveness-only challenge. Not part of what can be judged again: the templates are not in here. */
  compared: Type.Unsafe<Static<typeof Compared>[] | null>({
    anyOf: [Type.Array(Compared), { type: 'null' }],
  }),
  video: Type.Object({ sha256: Sha256, size_bytes: Type.Integer({ minimum: 0 }) }),
  inputs: Inputs,
  values: Values,
  engine: Engine,
});
export type Receipt = Static<typeof Receipt>;

/** What a judgement keeps for the receipt of its challenge; the cues are stored with the result. */
export interface ReceiptFacts extends Pick<Receipt, 'video' | 'inputs' | 'engine'> {
  readonly values: Omit<ReceiptValues, 'cues'>;
}
