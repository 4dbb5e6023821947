// Clients of the OpenID Provider, as the operator's console registers and shows them.
import { type Static, Type } from 'typebox';
import { closed, NullableText } from './field-types.ts';

/** What a client proves itself with; keys of its own are registered by the command line. */
export const CONSOLE_AUTH_METHODS = ['client_secret_basic', 'client_secret_post', 'none'] as const;

/** Body of POST /console/api/logins. What is wrong beside its shape is said by the answer, all at once. */
export const NewLoginClient = Type.Object(
  {
    account_id: Type.String({ pattern: '^acct_[0-9a-z]{26}$' }),
    name: Type.String({ minLength: 1, maxLength: 300 }),
    redirect_uris: Type.Array(Type.String({ maxLength: 2048 }), { maxItems: 50 }),
    auth_method: Type.Enum([...CONSOLE_AUTH_METHODS]),
    enrol: Type.Boolean(),
    require_par: Type.Boolean(),
    session_seconds: Type.Integer({ minimum: 0 }),
    display_name: NullableText(300),
    purpose: NullableText(300),
    consent_text: NullableText(1_000),
    privacy_url: NullableText(2048),
  },
  closed,
);
export type NewLoginClient = Static<typeof NewLoginClient>;

export interface ConsoleLoginClient {
  readonly client_id: string;
  readonly name: string;
  readonly account_name: string;
  readonly redirect_uris: readonly string[];
  readonly auth_method: string;
  /** `entra`: an external authentication method. */
  readonly profile: 'standard' | 'entra';
  /** Whether whoever is named for the first time is enrolled. */
  readonly enrols: boolean;
  readonly require_par: boolean;
  readonly session_seconds: number;
  /** What the privacy screen says in place of the account's words. */
  readonly display_name: string | null;
  readonly purpose: string | null;
  readonly consent_text: string | null;
  readonly privacy_url: string | null;
  /** People whom it knows. */
  readonly people: number;
  readonly created_at: string;
}

/** Answer of POST /console/api/logins and of a new secret, which is shown once; null where the client has none. */
export interface MadeLoginClient {
  readonly client_id: string;
  readonly client_secret: string | null;
}
