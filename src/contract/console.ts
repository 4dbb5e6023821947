// The operator's console: requests and responses of /console/api. Not part of the public API.
import { type Static, Type } from 'typebox';
import type { AccessibleWay } from './accessible-way.ts';
import type { Delivery } from './delivery.ts';
import type { DeviceBinding, DeviceResult } from './device.ts';
import { closed, NullableText } from './field-types.ts';
import type { ConsoleTry, JudgedCue } from './judged-try.ts';
import type { LivenessLevel } from './liveness-level.ts';
import type { CameraRefusal } from './page-event.ts';
import type { RegionStrengths } from './regions.ts';
import type { Comparison, Liveness } from './result.ts';
import type { ChallengeStatus } from './states.ts';

/** Header with the session's token; every call that changes something must carry it. */
export const CSRF_HEADER = 'likeness-csrf';

/** Header of a request that the page makes on its own, perhaps with nobody present. It does not extend the session. */
export const REFRESH_HEADER = 'likeness-refresh';

export const LoginRequest = Type.Object(
  {
    password: Type.String({ minLength: 1, maxLength: 1024 }),
    /** Code of the second factor; spaces are ignored. */
    code: Type.Optional(Type.String({ maxLength: 16 })),
  },
  closed,
);
export type LoginRequest = Static<typeof LoginRequest>;

/** What a person may do, each with all that the one before may: see, look into and send again, change and erase. */
export const CONSOLE_ROLES = ['viewer', 'operator', 'administrator'] as const;
export type ConsoleRole = (typeof CONSOLE_ROLES)[number];

/** Where the page sends the browser to sign in by OpenID Connect. It returns to `/console`. */
export const OPENID_SIGN_IN = '/console/api/sign-in/openid';

/** Why a sign-in by OpenID Connect failed; the browser returns to `/console?sign_in=CODE`. */
export const OPENID_REFUSALS = ['refused', 'no_role', 'unavailable', 'expired', 'invalid'] as const;
export type OpenidRefusal = (typeof OPENID_REFUSALS)[number];

/** What the page must know before anyone has signed in. */
export interface ConsoleSignIn {
  /** Whether there is a password. */
  readonly password: boolean;
  /** Whether a code must come with the password. */
  readonly needs_code: boolean;
  /** Sign-in by OpenID Connect, under the name that its button shows; null if it is not set up. */
  readonly openid: {
    readonly name: string;
    /** The claim that holds the roles, for whoever has none. */
    readonly roles_claim: string;
  } | null;
}

/** Who has signed in. */
export interface ConsolePerson {
  /** As the OpenID Provider gives it; null with the shared password. */
  readonly name: string | null;
  readonly role: ConsoleRole;
}

export interface ConsoleSession {
  /** The page sends it back in CSRF_HEADER. */
  readonly csrf_token: string;
  readonly region: string;
  readonly version: string;
  /** Addresses of pages beyond those that every console has, such as `/logins`. */
  readonly further_pages: readonly string[];
  readonly person: ConsolePerson;
}

export interface ConsoleChallenge {
  readonly challenge_id: string;
  readonly account_id: string;
  readonly account_name: string;
  readonly customer_reference: string | null;
  readonly liveness_only: boolean;
  readonly sandbox: boolean;
  readonly status: ChallengeStatus;
  readonly overall_result: 'pass' | 'fail' | null;
  readonly created_at: string;
  readonly closed_at: string | null;
}

export interface Page<Row> {
  readonly data: Row[];
  readonly next_cursor: string | null;
}

export interface ConsoleCapture {
  readonly capture_id: string;
  readonly attempt: number;
  readonly state: string;
  /** Times are null until the capture has been committed. */
  readonly prompts: readonly {
    readonly prompt: string;
    readonly from_ms: number | null;
    readonly to_ms: number | null;
  }[];
  readonly issued_at: string;
  readonly submitted_at: string | null;
  readonly size_bytes: number | null;
  readonly mime_type: string | null;
  readonly rejected_reason: string | null;
  /** What was left out for a person who cannot do it. */
  readonly way: AccessibleWay | null;
  /** Null if the capture was not judged. Its curves are at `…/captures/{id}/curves.svg`. */
  readonly judgement: ConsoleTry | null;
}

export interface ConsoleAsset {
  readonly asset_id: string;
  readonly kind: 'liveness_video' | 'best_frame';
  readonly mime_type: string;
  readonly size_bytes: number;
  readonly deleted_after: string | null;
}

export interface ConsoleComparison extends Comparison {
  /** Beginning of the FeatureID. The whole string is a key and stays sealed. */
  readonly featid_hint: string;
  /** See regionStrengths (src/evaluation/regions/compare.ts); null in the sandbox. */
  readonly region_strengths: RegionStrengths | null;
}

export interface ConsoleChallengeDetail extends ConsoleChallenge {
  readonly initiated_at: string | null;
  readonly expires_at: string;
  readonly consent: {
    readonly given_at: string;
    readonly text_version: string;
    readonly language: string;
    /** What a client of the account added to the consent text. */
    readonly client_text: string | null;
  } | null;
  readonly require_consent: boolean;
  readonly liveness_level: LivenessLevel;
  /** What is asked instead where a device signs; null if no less. */
  readonly liveness_level_when_bound: LivenessLevel | null;
  readonly device_binding: DeviceBinding;
  readonly allow_new_device: boolean;
  /** Null until judged, and without `device_binding`. */
  readonly device_result: DeviceResult | null;
  readonly events: readonly {
    readonly name: string;
    readonly at: string;
    readonly cause: CameraRefusal | null;
  }[];
  readonly captures: readonly ConsoleCapture[];
  readonly liveness: Liveness | null;
  readonly reasons: readonly string[];
  readonly cues: readonly JudgedCue[];
  readonly timings_ms: Readonly<Record<string, number>>;
  readonly comparisons: readonly ConsoleComparison[];
  readonly deliveries: readonly Delivery[];
  readonly assets: readonly ConsoleAsset[];
}

/** A FeatureID made from a challenge of the customer reference that was searched for. */
export interface ConsoleFeatid {
  /** Id of its row, which opens nothing. */
  readonly featid_id: string;
  readonly account_id: string;
  readonly account_name: string;
  readonly challenge_id: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
  /** Its template is destroyed. */
  readonly revoked_at: string | null;
}

/** What is kept of a person, by the customer reference that accounts gave to the person's challenges. */
export interface ConsoleReference {
  readonly data: readonly ConsoleFeatid[];
  /** How many challenges have the reference, open and closed, in each account that has any. */
  readonly accounts: readonly {
    readonly account_id: string;
    readonly account_name: string;
    readonly challenges: number;
  }[];
}

/** As accounts write it, as a whole. */
export const CustomerReference = Type.Object(
  { customer_reference: Type.String({ minLength: 1, maxLength: 256 }) },
  closed,
);

/** Response of POST /console/api/accounts/:account_id/erasures, which is called again until none is left. */
export interface ErasedOfReference {
  /** Challenges that this call has erased. */
  readonly erased: number;
  readonly left: number;
}

export interface ConsoleKey {
  readonly key_id: string;
  readonly hint: string;
  readonly sandbox: boolean;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}

export interface ConsoleAccount {
  readonly account_id: string;
  readonly name: string;
  readonly display_name: string;
  readonly purpose: string | null;
  readonly privacy_url: string | null;
  readonly sandbox: boolean;
  readonly created_at: string;
  readonly keys: readonly ConsoleKey[];
}

export const AccountChange = Type.Object(
  {
    display_name: Type.String({ minLength: 1, maxLength: 120 }),
    purpose: NullableText(500),
    privacy_url: NullableText(2048),
  },
  closed,
);
export type AccountChange = Static<typeof AccountChange>;

export const NewKeyRequest = Type.Object({ sandbox: Type.Boolean() }, closed);
export type NewKeyRequest = Static<typeof NewKeyRequest>;

export const RotateSecretRequest = Type.Object(
  { overlap_hours: Type.Integer({ minimum: 0, maximum: 168 }) },
  closed,
);
export type RotateSecretRequest = Static<typeof RotateSecretRequest>;

/** A newly made secret, which is shown only once. */
export interface ShownOnce {
  readonly secret: string;
  /** Given with the first key of a sandbox: the secret that signs its webhooks. */
  readonly webhook_secret: string | null;
}

export interface ConsoleAuditLine {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  /** Name of the person behind a console's session, as when they signed in; null for other actors. */
  readonly actor_name: string | null;
  readonly action: string;
  readonly account_id: string | null;
  readonly subject: string | null;
  readonly detail: object | null;
}

export interface ConsoleRetention {
  readonly asset_retention_days: number;
  readonly result_retention_days: number;
  readonly audit_retention_days: number;
  readonly held: readonly {
    readonly what: 'videos' | 'best_frames' | 'results' | 'templates' | 'tombstones' | 'audit_lines';
    /** Counted at most a minute ago; null if that takes too long. */
    readonly count: number | null;
    readonly bytes: number | null;
    readonly oldest: string | null;
  }[];
}

/**
 * Distribution of the comparison scores of the calibration's pairs: the share of each bin, of equal width from 0 to 1.
 */
export interface ConsoleScores {
  readonly population: string;
  readonly genuine: readonly number[];
  readonly impostor: readonly number[];
}
