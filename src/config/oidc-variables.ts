// The configuration variables of the OpenID Provider.
import { Type } from 'typebox';

/** Part of the schema in config.ts. */
export const OIDC_VARIABLES = {
  OIDC: Type.Enum(['off', 'on'], {
    default: 'off',
    description:
      'on: an OpenID Provider at BASE_URL/oidc, whose logins are face checks; register clients with `likeness oidc clients add`. off: it has no routes, and its library is not loaded.',
  }),
  // Chosen, not measured.
  OIDC_KEY_DAYS: Type.Integer({
    minimum: 2,
    maximum: 365,
    default: 30,
    description:
      "Days for which a key signs the OpenID Provider's tokens. The next is published a day before it signs; one that no longer signs stays published for 8 days.",
  }),
};
