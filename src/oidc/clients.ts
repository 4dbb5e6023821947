// Clients of the OpenID Provider: their settings, validation, secrets and changes.

import { newIdOf } from '../base/ids.ts';
import { parseUrl } from '../base/parse-url.ts';
import { areEqualSecrets, hashSecret, randomSecret } from '../base/secrets.ts';
import type { DeviceBinding } from '../contract/device.ts';
import type { Account } from '../keys/tables/account-store.ts';
import {
  MAX_CONSENT_CHARS,
  MAX_REDIRECT_URIS,
  MAX_SESSION_SECONDS,
  MAX_TEXT_CHARS,
} from './client-limits.ts';
import type {
  ClientAuthMethod,
  ClientSettings,
  ClientStore,
  HintIssuer,
  OidcClient,
} from './tables/clients.ts';

/** How a client may authenticate. */
export const AUTH_METHODS: readonly ClientAuthMethod[] = [
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
  'none',
];
export const CLIENT_ID_PREFIX = 'oc';
const SECRET_BYTES = 32;
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** What a client is registered with; omitted settings get their defaults. */
export interface ClientRequest {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly authMethod?: ClientAuthMethod;
  readonly jwks?: ClientSettings['jwks'];
  readonly enrolment?: ClientSettings['enrolment'];
  readonly deviceBinding?: DeviceBinding;
  readonly requirePar?: boolean;
  readonly sessionSeconds?: number;
  readonly hintIssuer?: HintIssuer | null;
  readonly displayName?: string | null;
  readonly purpose?: string | null;
  readonly privacyUrl?: string | null;
  readonly consentText?: string | null;
}

/** What people read about a client. Null: the account's text, or nothing if it has none. */
export type ClientTexts = Pick<ClientRequest, 'displayName' | 'purpose' | 'consentText' | 'privacyUrl'>;

export type RewordOutcome =
  | { readonly status: 'changed'; readonly client: OidcClient }
  | { readonly status: 'invalid'; readonly faults: readonly string[] }
  | { readonly status: 'not_found' };

export type AddOutcome =
  | { readonly status: 'added'; readonly client: OidcClient; readonly secret: string | null }
  | { readonly status: 'invalid'; readonly faults: readonly string[] }
  | { readonly status: 'name_taken' };

export interface Clients {
  /** Registers a client. Only this answer contains its secret. */
  add(account: Account, request: ClientRequest, actor: string): Promise<AddOutcome>;
  find(id: string): Promise<OidcClient | null>;
  list(accountId?: string): Promise<OidcClient[]>;
  /** Changes what people read, from the next challenge on. Omitted texts stay. */
  reword(id: string, texts: ClientTexts, actor: string): Promise<RewordOutcome>;
  /** Makes a new secret and invalidates the old one at once. Null if there is no such client, or it uses no secret. */
  replaceSecret(id: string, actor: string): Promise<string | null>;
  /** Removes a client and everyone it knows. Erases the FeatureIDs that its logins enrolled. */
  remove(id: string, actor: string): Promise<boolean>;
}

export function createClients(parts: {
  readonly store: ClientStore;
  /** In production redirects must be https; in development they may also go to the client's own machine. */
  readonly production: boolean;
}): Clients {
  const { store, production } = parts;
  return {
    add: async (account, request, actor) => {
      const settings = settingsOf(account, request);
      const faults = [...sandboxFaults(settings), ...faultsOf(request.name, settings, production)];
      if (faults.length > 0) return { status: 'invalid', faults };
      const secret = hasSecret(settings) ? newSecret() : null;
      const client = {
        id: newIdOf(CLIENT_ID_PREFIX),
        accountId: account.id,
        name: request.name,
        settings,
        secretHash: secret === null ? null : hashSecret(secret),
      };
      if ((await store.insert(client, actor)) === 'taken') return { status: 'name_taken' };
      return { status: 'added', client: (await store.find(client.id))!, secret };
    },
    find: (id) => store.find(id),
    list: (accountId) => store.list(accountId),
    reword: async (id, texts, actor) => {
      const client = await store.find(id);
      if (!client) return { status: 'not_found' };
      const settings = reworded(client.settings, texts);
      const faults = faultsOf(client.name, settings, production);
      if (faults.length > 0) return { status: 'invalid', faults };
      if (!(await store.change(id, { settings }, actor))) return { status: 'not_found' };
      return { status: 'changed', client: { ...client, settings } };
    },
    replaceSecret: async (id, actor) => {
      const client = await store.find(id);
      if (!client || !hasSecret(client.settings)) return null;
      const secret = newSecret();
      const changed = await store.change(id, { secretHash: hashSecret(secret) }, actor);
      return changed ? secret : null;
    },
    remove: (id, actor) => store.remove(id, actor),
  };
}

const newSecret = (): string => `los_${randomSecret(SECRET_BYTES)}`;

export function isSecretOf(client: Pick<OidcClient, 'secretHash'>, given: string): boolean {
  return client.secretHash !== null && areEqualSecrets(hashSecret(given), client.secretHash);
}

export const hasSecret = (settings: Pick<ClientSettings, 'auth_method'>): boolean =>
  settings.auth_method === 'client_secret_basic' || settings.auth_method === 'client_secret_post';

function settingsOf({ sandboxOf }: Account, request: ClientRequest): ClientSettings {
  return {
    redirect_uris: request.redirectUris,
    auth_method: request.authMethod ?? 'client_secret_basic',
    jwks: request.jwks ?? null,
    enrolment: request.enrolment ?? 'never',
    device_binding: request.deviceBinding ?? 'off',
    require_par: request.requirePar ?? false,
    session_seconds: request.sessionSeconds ?? 0,
    profile: sandboxOf !== null ? 'sandbox' : request.hintIssuer ? 'entra' : 'standard',
    hint_issuer: request.hintIssuer ?? null,
    display_name: request.displayName ?? null,
    purpose: request.purpose ?? null,
    privacy_url: request.privacyUrl ?? null,
    consent_text: request.consentText ?? null,
  };
}

function reworded(settings: ClientSettings, texts: ClientTexts): ClientSettings {
  const { displayName, purpose, consentText, privacyUrl } = texts;
  return {
    ...settings,
    ...(displayName !== undefined && { display_name: displayName }),
    ...(purpose !== undefined && { purpose }),
    ...(consentText !== undefined && { consent_text: consentText }),
    ...(privacyUrl !== undefined && { privacy_url: privacyUrl }),
  };
}

/** Entra takes whatever its method answers for a factor, and has no name for a test. */
const sandboxFaults = ({ profile, hint_issuer }: ClientSettings): string[] =>
  profile === 'sandbox' && hint_issuer !== null
    ? ['a client of the sandbox cannot be an external authentication method: nobody is checked there']
    : [];

/** Every fault, in words for an operator. */
function faultsOf(name: string, settings: ClientSettings, production: boolean): string[] {
  const { redirect_uris: uris, hint_issuer: hintIssuer } = settings;
  const texts = [name, settings.display_name, settings.purpose].filter((text) => text !== null);
  const mayBeAuthentic = settings.auth_method !== 'none' || settings.jwks !== null || hintIssuer !== null;
  return [
    ...(texts.every((text) => text.trim() !== '' && text.length <= MAX_TEXT_CHARS)
      ? []
      : [`names and purposes must have 1 to ${MAX_TEXT_CHARS} characters`]),
    ...(settings.consent_text === null || isConsentText(settings.consent_text)
      ? []
      : [
          `a consent text must have 1 to ${MAX_CONSENT_CHARS} characters, and no control characters except line feeds`,
        ]),
    ...(uris.length > 0 && uris.length <= MAX_REDIRECT_URIS
      ? []
      : [`1 to ${MAX_REDIRECT_URIS} redirect URIs are required`]),
    ...uris.flatMap((uri) => redirectFaults(uri, settings, production)),
    ...(settings.privacy_url === null || isHttps(settings.privacy_url)
      ? []
      : ['the privacy URL must be https']),
    ...(settings.auth_method === 'private_key_jwt' && !settings.jwks ? ['private_key_jwt needs a JWKS'] : []),
    ...(settings.jwks === null || arePublicKeys(settings.jwks)
      ? []
      : ['the JWKS must contain only public keys']),
    ...(settings.enrolment === 'never' || mayBeAuthentic
      ? []
      : ['a client that cannot authenticate cannot enrol anybody: give it a secret, keys or a hint issuer']),
    ...(hintIssuer === null ||
    [hintIssuer.issuer, hintIssuer.jwks_uri].every((url) => isTrusted(url, production))
      ? []
      : ['the hint issuer and its JWKS must be https URLs']),
    ...(hintIssuer !== null && settings.require_par
      ? ['an external authentication method cannot require pushed authorization requests (PAR)']
      : []),
    ...(settings.session_seconds <= MAX_SESSION_SECONDS
      ? []
      : [`a session may last at most ${MAX_SESSION_SECONDS} seconds`]),
  ];
}

/** People read this text before they consent, so it must hold nothing that hides or reverses parts of it. */
const isConsentText = (text: string): boolean =>
  text.trim() !== '' && text.length <= MAX_CONSENT_CHARS && !HIDDEN.test(text);

/** Control characters except the line feed, and characters that change the direction of writing. */
const HIDDEN = /[^\P{Cc}\n]|[\u202A-\u202E\u2066-\u2069]/u;

/**
 * Redirect URIs are exact and have no fragment: https, or the client's own machine; for public clients also app
 * schemes.
 */
function redirectFaults(uri: string, settings: ClientSettings, production: boolean): string[] {
  const url = parseUrl(uri);
  const fault = (text: string) => [`redirect URI ${uri}: ${text}`];
  if (!url || uri !== uri.trim()) return fault('must be an absolute URL');
  if (uri.includes('#') || uri.includes('*')) return fault('must have no fragment and no wildcard');
  if (url.username || url.password) return fault('must have no user name or password');
  if (url.protocol === 'https:') return [];
  const isPublic = settings.auth_method === 'none';
  if (url.protocol === 'http:') {
    return LOOPBACK.has(url.hostname) && (isPublic || !production) ? [] : fault('must be https');
  }
  // RFC 8252 §7.1: a reversed domain name, so that no two apps use the same scheme.
  return isPublic && /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(url.protocol) ? [] : fault('must be https');
}

/** Whether a URL is https or, in development, on this machine. */
function isTrusted(text: string, production: boolean): boolean {
  if (isHttps(text)) return true;
  return !production && LOOPBACK.has(parseUrl(text)?.hostname ?? '');
}

const isHttps = (text: string): boolean => parseUrl(text)?.protocol === 'https:';

const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

const arePublicKeys = ({ keys }: NonNullable<ClientSettings['jwks']>): boolean =>
  Array.isArray(keys) &&
  keys.length > 0 &&
  keys.every(
    (key) => typeof key === 'object' && key !== null && !PRIVATE_MEMBERS.some((name) => name in key),
  );
