// The sandbox: a challenge made with an `lk_test_…` key ends without a camera and without a judgement.
import { type Static, Type } from 'typebox';
import { closed } from './field-types.ts';

/** The possible outcomes of a sandbox challenge. `no_match` is for comparisons only. */
export const SANDBOX_OUTCOMES = ['pass', 'no_match', 'spoof', 'no_face'] as const;
export type SandboxOutcome = (typeof SANDBOX_OUTCOMES)[number];

/**
 * A sandbox challenge whose `customer_reference` is this prefix and an outcome ends with it as soon as it is created.
 */
export const SANDBOX_REFERENCE_PREFIX = 'sandbox:';

/** The outcomes that a challenge of this mode can have. */
export function sandboxOutcomes(livenessOnly: boolean): SandboxOutcome[] {
  return SANDBOX_OUTCOMES.filter((outcome) => !livenessOnly || outcome !== 'no_match');
}

/** Body of POST /c/:token/sandbox: the button that was pressed. */
export const SandboxRequest = Type.Object({ outcome: Type.Enum([...SANDBOX_OUTCOMES]) }, closed);
export type SandboxRequest = Static<typeof SandboxRequest>;
