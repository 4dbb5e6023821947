// What a request requires of the check (`acr_values`, `claims`), and which of that a finished check satisfies. Pure.

import { ACCESSIBLE_WAYS, type AccessibleWay, type AccessibleWayPolicy } from '../contract/accessible-way.ts';
import type { Claim } from './claims.ts';

/** A living person whose face matched the one enrolled under their name. */
export const FACE = 'urn:likeness:face';
/** A living person, enrolled just now under their name; nothing was compared. */
export const ENROLMENT = 'urn:likeness:enrolment';

const OWN_ACR = { verify: FACE, enrol: ENROLMENT } as const;

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
  ...[null, ...ACCESSIBLE_WAYS].flatMap((way) => Object.values(OWN_ACR).map((acr) => withWay(acr, way))),
  ...INHERENCE,
];

/** Whether a face was compared and nothing was left out. */
export const isWholeFaceCheck = (acr: string): boolean =>
  acr === FACE || (INHERENCE as readonly string[]).includes(acr);

/** RFC 8176. */
export const AMR_FACE = 'face';

/** Values that a request names, in its order of preference; empty if any will do. */
export interface Requirements {
  readonly acr: readonly string[];
  /** Whether a login must satisfy one of them. */
  readonly isAcrEssential: boolean;
  readonly amr: readonly string[];
  readonly isAmrEssential: boolean;
  /** Whether Entra asks: it knows only kinds of factors, and an enrolment is none. */
  readonly ofEntra: boolean;
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
  readonly ofEntra?: boolean;
}): Requirements {
  const idToken = claimsOf(params.claims);
  const [acr, amr] = [claimOf(idToken, 'acr'), claimOf(idToken, 'amr')];
  const named = valuesOf(acr);
  return {
    acr: named.length > 0 ? named : (params.acr_values ?? '').split(' ').filter(Boolean),
    isAcrEssential: acr?.essential === true && named.length > 0,
    amr: valuesOf(amr),
    isAmrEssential: amr?.essential === true && valuesOf(amr).length > 0,
    ofEntra: params.ofEntra ?? false,
  };
}

/** Whether a check of this kind can meet the requirements at all; asked before anybody is sent to a camera. */
export function canMeet(requirements: Requirements, kind: 'enrol' | 'verify'): boolean {
  return [null, ...ACCESSIBLE_WAYS].some((way) => assuranceOf(requirements, kind, way) !== null);
}

/**
 * What a person may leave out of a check of this kind: nothing that the client has ruled out by requiring other `acr`
 * values. Undefined: the service's default.
 */
export function wayPolicyOf(
  requirements: Requirements,
  kind: 'enrol' | 'verify',
): AccessibleWayPolicy | undefined {
  // An enrolment that cannot end the login is followed by a comparison, which decides.
  const last = canMeet(requirements, kind) ? kind : 'verify';
  const isOpen = (way: AccessibleWay) => assuranceOf(requirements, last, way) !== null;
  if (!isOpen('without_turns') || !isOpen('without_smile')) return 'none';
  return requirements.acr.includes(withWay(OWN_ACR[last], 'passive')) ? 'passive' : undefined;
}

/**
 * What a passed check of this kind asserts; null if that does not meet the request. An enrolment is not a comparison:
 * it has no `amr` and does not satisfy a request for a face.
 * @param way what was left out
 */
export function assuranceOf(
  requirements: Requirements,
  kind: 'enrol' | 'verify',
  way: AccessibleWay | null,
): Assurance | null {
  const isFace = kind === 'verify';
  const satisfied = satisfiedBy(kind, way, requirements.ofEntra);
  if (satisfied.length === 0) return null;
  const acr = requirements.acr.find((value) => satisfied.includes(value));
  if (acr === undefined && requirements.isAcrEssential) return null;
  if (requirements.isAmrEssential && !(isFace && requirements.amr.includes(AMR_FACE))) return null;
  return { acr: acr ?? satisfied[0]!, amr: isFace ? [AMR_FACE] : [] };
}

/**
 * The `acr` values that a check satisfies. For an Entra client they are never our own: its `sub` comes from its tenant,
 * and a session with it must not count at a client whose `sub` is ours (src/oidc/library.ts). Entra's values cannot say
 * that something was left out.
 */
function satisfiedBy(
  kind: 'enrol' | 'verify',
  way: AccessibleWay | null,
  ofEntra: boolean,
): readonly string[] {
  if (ofEntra) return kind === 'enrol' || way ? [] : INHERENCE;
  const own = withWay(OWN_ACR[kind], way);
  return kind === 'enrol' || way ? [own] : [own, ...INHERENCE];
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
