// What a request requires of the check (`acr_values`, `claims`), and which of that a finished check satisfies. Pure.

import { ACCESSIBLE_WAYS, type AccessibleWay, type AccessibleWayPolicy } from '../contract/accessible-way.ts';
import type { DeviceBinding } from '../contract/device.ts';
import type { Claim } from './claims.ts';
import type { ClientProfile } from './tables/clients.ts';

/** A living person whose face matched the one enrolled under their name. */
export const FACE = 'urn:likeness:face';
/** The same, and a device of that person signed the recording. */
const FACE_AND_DEVICE = 'urn:likeness:face_and_device';
/** A living person, enrolled just now under their name; nothing was compared. */
const ENROLMENT = 'urn:likeness:enrolment';

/** A login of a sandbox: nobody was checked, whatever the button that the tester pressed. */
const SANDBOX = 'urn:likeness:sandbox';

/** The same check, in which the person left out what they cannot do: easier to attack, so it has a name of its own. */
const withWay = (acr: string, way: AccessibleWay | null): string => (way ? `${acr}:${way}` : acr);

/**
 * Entra's names for the inherence factor, alone or as one of several acceptable kinds
 * (https://learn.microsoft.com/entra/identity/authentication/concept-authentication-external-method-provider).
 */
const INHERENCE = [
  'inherence',
  'possessionorinherence',
  'knowledgeorinherence',
  'knowledgeorpossessionorinherence',
] as const;

/** The `acr` values that discovery lists. */
export const ACR_VALUES: readonly string[] = [
  ...[null, ...ACCESSIBLE_WAYS].flatMap((way) =>
    [FACE, FACE_AND_DEVICE, ENROLMENT].map((acr) => withWay(acr, way)),
  ),
  ...INHERENCE,
  SANDBOX,
];

/** Whether a face was compared and nothing was left out, under one of our own names. */
export const isOwnFaceCheck = (acr: string | undefined): boolean => acr === FACE || acr === FACE_AND_DEVICE;

/** Whether a face was compared and nothing was left out. */
export const isWholeFaceCheck = (acr: string): boolean =>
  isOwnFaceCheck(acr) || (INHERENCE as readonly string[]).includes(acr);

/** RFC 8176: a key that its device keeps, and one that may be synchronised to others. */
const DEVICE_KEYS = ['hwk', 'swk'] as const;
export type DeviceKey = (typeof DEVICE_KEYS)[number];

/** What a check that passed was. */
export interface PassedCheck {
  readonly kind: 'enrol' | 'verify';
  /** What was left out. */
  readonly way: AccessibleWay | null;
  /** The key of the person's device that signed the recording. */
  readonly key: DeviceKey | null;
}

/** Values that a request names, in its order of preference; empty if any will do. */
export interface Requirements {
  readonly acr: readonly string[];
  /** Whether a login must satisfy one of them. */
  readonly isAcrEssential: boolean;
  readonly amr: readonly string[];
  readonly isAmrEssential: boolean;
  /** Of the client that asks: it decides in whose terms the answer is given. */
  readonly profile: ClientProfile;
}

/** What a login's tokens say about the check. */
export interface Assurance {
  readonly acr: string;
  readonly amr: readonly string[];
}

interface ClaimRequest {
  readonly essential?: unknown;
  readonly value?: unknown;
  readonly values?: unknown;
}

/** Reads a request that the library has checked; values of an unexpected shape require nothing. */
export function readRequirements(params: {
  readonly acr_values?: string | undefined;
  readonly claims?: string | undefined;
  readonly profile?: ClientProfile;
}): Requirements {
  const idToken = claimsOf(params.claims);
  const [acr, amr] = [claimOf(idToken, 'acr'), claimOf(idToken, 'amr')];
  const named = valuesOf(acr);
  return {
    acr: named.length > 0 ? named : (params.acr_values ?? '').split(' ').filter(Boolean),
    isAcrEssential: acr?.essential === true && named.length > 0,
    amr: valuesOf(amr),
    isAmrEssential: amr?.essential === true && valuesOf(amr).length > 0,
    profile: params.profile ?? 'standard',
  };
}

/** Whether a check of this kind can meet the requirements at all; asked before anybody is sent to a camera. */
export const canMeet = (requirements: Requirements, kind: PassedCheck['kind']): boolean =>
  canMeetWith(requirements, kind, [null, ...DEVICE_KEYS]);

const canMeetWith = (
  requirements: Requirements,
  kind: PassedCheck['kind'],
  keys: readonly PassedCheck['key'][],
): boolean =>
  [null, ...ACCESSIBLE_WAYS].some((way) =>
    keys.some((key) => assuranceOf(requirements, { kind, way, key }) !== null),
  );

/**
 * What is asked of the person's device: what the client's setting says, unless no face meets the request without one.
 * An enrolment asks it too: the logins after it need the key.
 */
export function bindingOf(requirements: Requirements, setting: DeviceBinding): DeviceBinding {
  const needsDevice =
    !canMeetWith(requirements, 'verify', [null]) && canMeetWith(requirements, 'verify', DEVICE_KEYS);
  return needsDevice ? 'require' : setting;
}

/**
 * What a person may leave out of a check of this kind: nothing that the client has ruled out by requiring other `acr`
 * values. Undefined: the service's default.
 */
export function wayPolicyOf(
  requirements: Requirements,
  kind: PassedCheck['kind'],
  binding: DeviceBinding,
): AccessibleWayPolicy | undefined {
  // An enrolment that cannot end the login is followed by a comparison, which decides.
  const last = canMeet(requirements, kind) ? kind : 'verify';
  const keys = binding === 'require' ? DEVICE_KEYS : [null];
  const checksOf = (way: AccessibleWay) => keys.map((key) => ({ kind: last, way, key }));
  const isOpen = (way: AccessibleWay) =>
    checksOf(way).some((check) => assuranceOf(requirements, check) !== null);
  if (!isOpen('without_turns') || !isOpen('without_smile')) return 'none';
  const named = checksOf('passive').flatMap((check) => satisfiedBy(check, requirements.profile));
  return named.some((acr) => requirements.acr.includes(acr)) ? 'passive' : undefined;
}

/**
 * What a check that passed asserts; null if that does not meet the request. An enrolment is not a comparison: it has no
 * `amr` and does not satisfy a request for a face.
 */
export function assuranceOf(requirements: Requirements, check: PassedCheck): Assurance | null {
  const satisfied = satisfiedBy(check, requirements.profile);
  if (satisfied.length === 0) return null;
  const acr = requirements.acr.find((value) => satisfied.includes(value));
  if (acr === undefined && requirements.isAcrEssential) return null;
  const amr = amrOf(check, requirements.profile);
  return meetsAmr(requirements, amr) ? { acr: acr ?? satisfied[0]!, amr } : null;
}

/** Whether these methods are enough for the request. */
export const meetsAmr = ({ isAmrEssential, amr }: Requirements, methods: readonly string[]): boolean =>
  !isAmrEssential || methods.some((method) => amr.includes(method));

/**
 * RFC 8176. `user`: a device signs only after it has verified its user. Entra expects one method. A sandbox has none to
 * name.
 */
function amrOf({ kind, key }: PassedCheck, profile: ClientProfile): readonly string[] {
  if (kind === 'enrol' || profile === 'sandbox') return [];
  return key === null || profile === 'entra' ? ['face'] : ['face', key, 'user'];
}

/**
 * The `acr` values that a check satisfies, the strongest first. For an Entra client they are never our own: its `sub`
 * comes from its tenant, and a session with it must not count at a client whose `sub` is ours (src/oidc/library.ts).
 * Entra's values cannot say that something was left out, and an enrolment is no factor. A sandbox satisfies nothing that
 * a client outside it could ask for.
 */
function satisfiedBy({ kind, way, key }: PassedCheck, profile: ClientProfile): readonly string[] {
  if (profile === 'sandbox') return [SANDBOX];
  if (profile === 'entra') return kind === 'enrol' || way ? [] : INHERENCE;
  if (kind === 'enrol') return [withWay(ENROLMENT, way)];
  const own = (key === null ? [FACE] : [FACE_AND_DEVICE, FACE]).map((acr) => withWay(acr, way));
  return way ? own : [...own, ...INHERENCE];
}

function claimsOf(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const claims: unknown = JSON.parse(text ?? '{}');
    const idToken = isObject(claims) ? claims.id_token : null;
    return isObject(idToken) ? idToken : {};
  } catch {
    return {};
  }
}

function claimOf(claims: Readonly<Record<string, unknown>>, name: Claim): ClaimRequest | null {
  const claim = Object.hasOwn(claims, name) ? claims[name] : null;
  return isObject(claim) ? claim : null;
}

function valuesOf(claim: ClaimRequest | null): string[] {
  const values = Array.isArray(claim?.values) ? claim.values : [claim?.value];
  return values.filter((value): value is string => typeof value === 'string');
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
