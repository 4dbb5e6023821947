// Clients of the OpenID Provider, as the operator's console registers and lists them.
import { type Static, Type } from 'typebox';
import { DEVICE_BINDINGS, type DeviceBinding } from '../../contract/device.ts';
import { closed, Id, NullableText } from '../../contract/field-types.ts';
import {
  MAX_CONSENT_CHARS,
  MAX_REDIRECT_URIS,
  MAX_SESSION_SECONDS,
  MAX_TEXT_CHARS,
  MAX_URL_CHARS,
} from '../client-limits.ts';

/** How a client authenticates. A client with its own keys can only be registered on the command line. */
export const CONSOLE_AUTH_METHODS = ['client_secret_basic', 'client_secret_post', 'none'] as const;

/**
 * Body of PUT /console/api/logins/:client_id/texts: what people read about a client. Null falls back to the account's
 * text, or to none.
 */
export const LoginTexts = Type.Object(
  {
    display_name: NullableText(MAX_TEXT_CHARS),
    purpose: NullableText(MAX_TEXT_CHARS),
    consent_text: NullableText(MAX_CONSENT_CHARS),
    privacy_url: NullableText(MAX_URL_CHARS),
  },
  closed,
);
export type LoginTexts = Static<typeof LoginTexts>;

/** Body of POST /console/api/logins. The response lists all faults that the schema does not cover at once. */
export const NewLoginClient = Type.Object(
  {
    account_id: Id('acct'),
    name: Type.String({ minLength: 1, maxLength: MAX_TEXT_CHARS }),
    redirect_uris: Type.Array(Type.String({ maxLength: MAX_URL_CHARS }), { maxItems: MAX_REDIRECT_URIS }),
    auth_method: Type.Enum([...CONSOLE_AUTH_METHODS]),
    enrol: Type.Boolean(),
    device_binding: Type.Enum([...DEVICE_BINDINGS]),
    require_par: Type.Boolean(),
    session_seconds: Type.Integer({ minimum: 0, maximum: MAX_SESSION_SECONDS }),
    ...LoginTexts.properties,
  },
  closed,
);
export type NewLoginClient = Static<typeof NewLoginClient>;

export interface ConsoleLoginClient extends LoginTexts {
  readonly client_id: string;
  readonly name: string;
  readonly account_name: string;
  readonly redirect_uris: readonly string[];
  readonly auth_method: string;
  /** `entra`: an external authentication method. `sandbox`: its logins check nobody. */
  readonly profile: 'standard' | 'entra' | 'sandbox';
  /** Whether a person whom the client names for the first time is enrolled. */
  readonly enrols: boolean;
  readonly device_binding: DeviceBinding;
  readonly require_par: boolean;
  readonly session_seconds: number;
  /** Number of people that it knows. */
  readonly people: number;
  readonly created_at: string;
}

/**
 * Response of POST /console/api/logins and of making a new secret. It is shown only once; null if the client has none.
 */
export interface CreatedLoginClient {
  readonly client_id: string;
  readonly client_secret: string | null;
}

/** Longest name that a client may give to a person, in characters. */
const MAX_NAME_CHARS = 1_000;

/**
 * Body of POST /console/api/logins/:client_id/erasures: a person to forget, by the client's own name for them, by `sub`
 * of its hint issuer, or by `sub` of the tokens that it got.
 */
export const ErasureOfPerson = Type.Object(
  {
    named_by: Type.Enum(['login_hint', 'issuer', 'sub']),
    name: Type.String({ minLength: 1, maxLength: MAX_NAME_CHARS }),
  },
  closed,
);
export type ErasureOfPerson = Static<typeof ErasureOfPerson>;

/** Its response. */
export interface ErasedPerson {
  /** Number of checks whose videos and results were erased. */
  readonly checks: number;
}
