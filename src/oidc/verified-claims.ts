// `verified_claims` (OpenID Identity Assurance Schema Definition 1.0): what a check of a face verifies. Pure.
import { ENROLMENT, FACE } from './requirements.ts';

/** The framework of these checks by its own name, and as Okta names one that an identity verification vendor answers for. */
export const TRUST_FRAMEWORKS: readonly string[] = [FACE, 'IDV-DELEGATED'];
const ASSURANCE_LEVEL = 'VERIFIED';

export interface VerifiedClaims {
  readonly verification: {
    readonly trust_framework: string;
    readonly assurance_level: string;
    readonly time: string;
  };
  readonly claims: { readonly sub: string };
}

/**
 * Answers a request for verified claims. What is verified is that the person of `sub` stood before the camera, and nothing
 * else: no name, no address, whatever was asked for. Null where that was not verified, or is asked for by a framework or
 * level that it does not meet: the claim is then left out, as the standard has it.
 */
export function verifiedClaims(
  request: unknown,
  check: { readonly acr: string | undefined; readonly sub: string; readonly checkedAt: Date },
): VerifiedClaims | null {
  if (check.acr === undefined || check.acr === ENROLMENT) return null;
  const verification = member(request, 'verification');
  const framework = wanted(member(verification, 'trust_framework'), TRUST_FRAMEWORKS);
  const level = wanted(member(verification, 'assurance_level'), [ASSURANCE_LEVEL]);
  if (framework === null || level === null) return null;
  return {
    verification: {
      trust_framework: framework,
      assurance_level: level,
      time: check.checkedAt.toISOString(),
    },
    claims: { sub: check.sub },
  };
}

/** The first of ours that the request allows; null where it allows none. */
function wanted(constraint: unknown, ours: readonly string[]): string | null {
  const value = member(constraint, 'value');
  const values = member(constraint, 'values');
  const allowed = Array.isArray(values) ? values : value === undefined ? null : [value];
  return (allowed ? ours.find((each) => allowed.includes(each)) : ours[0]) ?? null;
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
