// Section 4: what holds of which rule.
import { INJECTION, PRESENTATION } from './biometrics.ts';
import { ARTIFICIAL_INTELLIGENCE, DATA_PROTECTION } from './laws.ts';
import { AUTHENTICATION, PROOFING } from './nist.ts';
import type { Rule } from './rule.ts';

export const RULES: readonly Rule[] = [
  ...PROOFING,
  ...AUTHENTICATION,
  ...PRESENTATION,
  ...INJECTION,
  ...DATA_PROTECTION,
  ...ARTIFICIAL_INTELLIGENCE,
];
