// The result object, the same in the webhook payload and in GET /v1/challenges/{id} (docs/interface.md, The result).
import { type Static, Type } from 'typebox';
import { ACCESSIBLE_WAYS } from './accessible-way.ts';
import { DeviceResult } from './device.ts';
import { NullableString, NullableTimestamp, Timestamp } from './field-types.ts';
import { LIVENESS_LEVELS } from './liveness-level.ts';
import { CAMERA_REFUSALS } from './page-event.ts';
import { FEATID_SOURCES } from './picture.ts';
import { REGION_NAMES, type RegionName } from './regions.ts';
import { CHALLENGE_EVENT_NAMES, CHALLENGE_STATUSES, CLOSED_REASONS } from './states.ts';

const PassFail = Type.Enum(['pass', 'fail']);
const ClosedReason = Type.Unsafe<(typeof CLOSED_REASONS)[number] | null>({
  type: ['string', 'null'],
  enum: [...CLOSED_REASONS, null],
});
const OverallResult = Type.Unsafe<'pass' | 'fail' | null>({
  type: ['string', 'null'],
  enum: ['pass', 'fail', null],
});
const Sandbox = Type.Optional(
  Type.Literal(true, {
    description: 'Present, and true, only for challenges of a sandbox key: nobody was checked.',
  }),
);

/** What the liveness checks found; true means success. */
export const Liveness = Type.Object({
  face: Type.Boolean({ description: 'Exactly one face, usable, the same person throughout.' }),
  overall: Type.Boolean({ description: 'All liveness checks together.' }),
  smile: Type.Boolean({ description: 'Neutral first, then a smile when prompted.' }),
  spoof_result: Type.Boolean({
    description: 'Presentation attack detection: true when no attack was found.',
  }),
});
export type Liveness = Readonly<Static<typeof Liveness>>;

/** The liveness of a video that could not be judged: nothing was found, so nothing passed. */
export const NOTHING_PASSED: Liveness = { face: false, overall: false, smile: false, spoof_result: false };

export const LivenessResult = Type.Object({ ...Liveness.properties, liveness_featid: NullableString });
export type LivenessResult = Static<typeof LivenessResult>;

/** Likeness per face region. A region that was not visible is left out. */
export const LikenessFeatures = Type.Unsafe<Partial<Record<RegionName, 'Pass' | 'Fail'>>>({
  type: 'object',
  properties: Object.fromEntries(
    REGION_NAMES.map((name) => [name, { type: 'string', enum: ['Pass', 'Fail'] }]),
  ),
  additionalProperties: false,
  description:
    'Per region of the face, to be read together with `result`; regions that could not be seen are left out. With `pass`, ' +
    '`Fail` marks a region less alike than in 95 of 100 comparisons of the same person; with `fail`, `Pass` marks one ' +
    'more alike than in 95 of 100 comparisons of different people. A hint for human readers: decide by `result`.',
});
export type LikenessFeatures = Partial<Record<RegionName, 'Pass' | 'Fail'>>;

/** One comparison of the face with another. */
const Comparison = Type.Object({
  score: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'Rounded to two decimals; 0.5 at the operating point.',
  }),
  result: PassFail,
  likeness_features: LikenessFeatures,
});
/** The score may be unrounded; results show it rounded. */
export type Comparison = Readonly<Static<typeof Comparison>>;

export const ComparedFeatid = Type.Object({
  featid: Type.String(),
  feat_id: Type.String({ description: 'The same value under the other spelling of the specification.' }),
  ...Comparison.properties,
});
export type ComparedFeatid = Static<typeof ComparedFeatid>;

export const MatchResult = Type.Unsafe<
  { liveness_featid: string | null } | { compared_to_featids: ComparedFeatid[] } | null
>({
  anyOf: [
    Type.Object({ liveness_featid: NullableString }),
    Type.Object({ compared_to_featids: Type.Array(ComparedFeatid) }),
    { type: 'null' },
  ],
});
export type MatchResult = Static<typeof MatchResult>;

export const AssetLink = Type.Object({
  asset_type: Type.Enum(['liveness_video', 'best_frame']),
  mime_type: Type.String({ examples: ['video/webm', 'image/bmp'] }),
  size_kb: Type.Integer({ minimum: 0 }),
  presigned_url: Type.String({ format: 'uri' }),
  presigned_url_valid_until: Type.String({
    format: 'date-time',
    examples: ['2026-01-31T10:30:00.123+00:00'],
  }),
});
export type AssetLink = Static<typeof AssetLink>;

export const ChallengeEvent = Type.Object({
  name: Type.Enum([...CHALLENGE_EVENT_NAMES]),
  timestamp: Timestamp,
  cause: Type.Optional(
    Type.Enum([...CAMERA_REFUSALS], {
      description:
        'What denied the camera, as the browser tells: its settings, its question closed without an answer, the settings of the device, the page that embeds the check, or the headers with which the check arrived. Only with `camera_denied`, and absent if the page did not say.',
    }),
  ),
});
export type ChallengeEvent = Static<typeof ChallengeEvent>;

const ComparedSource = Type.Object({
  featid: Type.String(),
  source: Type.Enum([...FEATID_SOURCES], {
    description: '`image`: there is no proof that a living person was present.',
  }),
});

export const Diagnostics = Type.Object({
  reasons: Type.Array(Type.String(), {
    description: 'Stable codes for what was not met or could not be evaluated.',
  }),
  accessible_way: Type.Optional(
    Type.Enum([...ACCESSIBLE_WAYS], {
      description:
        'What the person said they cannot do, and was not asked for in the judged recording. Absent if nothing was left out.',
    }),
  ),
  compared_sources: Type.Optional(
    Type.Array(ComparedSource, {
      description: 'What each compared FeatureID was made from, in the order of `compared_to_featids`.',
    }),
  ),
});
export type Diagnostics = Static<typeof Diagnostics>;

export const ChallengeResult = Type.Object(
  {
    challenge_id: Type.String(),
    customer_reference: NullableString,
    created_at: Timestamp,
    initiated_at: NullableTimestamp,
    expires_at: Timestamp,
    status: Type.Enum([...CHALLENGE_STATUSES]),
    closed_reason: ClosedReason,
    liveness_level: Type.Enum([...LIVENESS_LEVELS]),
    consent_required: Type.Boolean(),
    consent_given_at: NullableTimestamp,
    events: Type.Array(ChallengeEvent),
    overall_result: OverallResult,
    liveness_result: Type.Unsafe<LivenessResult | null>({ anyOf: [LivenessResult, { type: 'null' }] }),
    match_result: MatchResult,
    device_result: Type.Unsafe<DeviceResult | null>({
      anyOf: [DeviceResult, { type: 'null' }],
      description: 'Null until judged, and without `device_binding`.',
    }),
    assets_links: Type.Array(AssetLink),
    diagnostics: Diagnostics,
    sandbox: Sandbox,
  },
  { $id: 'ChallengeResult' },
);
export type ChallengeResult = Static<typeof ChallengeResult>;

/** One row of GET /v1/challenges. */
export const ChallengeSummary = Type.Object(
  {
    challenge_id: Type.String(),
    customer_reference: NullableString,
    created_at: Timestamp,
    expires_at: Timestamp,
    status: Type.Enum([...CHALLENGE_STATUSES]),
    closed_reason: ClosedReason,
    liveness_only: Type.Boolean(),
    overall_result: OverallResult,
    sandbox: Sandbox,
  },
  { $id: 'ChallengeSummary' },
);
export type ChallengeSummary = Static<typeof ChallengeSummary>;
