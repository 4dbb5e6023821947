// `verified_claims` (OpenID Identity Assurance Schema Definition 1.0): what a check of a face verifies. Pure.
import { FACE, isWholeFaceCheck } from './requirements.ts';

/**
 * The trust framework under its own name, and under Okta's name for one that an identity verification vendor vouches
 * for.
 */
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
 * Answers a request for verified claims. The only verified fact is that the person of `sub` was in front of the camera:
 * no name, no address, whatever was asked for. Null if that was not verified, or the request names a framework or level
 * that the check does not meet, or something was left out. The claim is then omitted, as the standard says.
 */
export function verifiedClaims(
  request: unknown,
  check: { readonly acr: string | undefined; readonly sub: string; readonly checkedAt: Date },
): VerifiedClaims | null {
  if (check.acr === undefined || !isWholeFaceCheck(check.acr)) return null;
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

/** The first of our values that the request allows; null if it allows none. */
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
