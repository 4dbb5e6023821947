// Signing in by OpenID Connect: authorization code flow with PKCE, state and nonce (RFC 6749, 7636; OpenID Connect Core
// 3.1). What the ID token says of a person becomes their name and role.
import { LRUCache } from 'lru-cache';
import * as client from 'openid-client';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { ConsoleRole, ConsoleSignIn, OpenidRefusal } from '../../contract/console.ts';
import type { Custody } from '../../keys/account-keys.ts';
import { type OpenidInForce, roleOf } from '../openid-settings.ts';
import type { OpenidPerson } from '../people.ts';
import type { OpenidConfiguration } from './configuration.ts';
import { discoverProvider, redirectUriOf } from './provider.ts';
import { createTickets } from './ticket.ts';

/** A provider's metadata changes rarely, and its keys are fetched again by themselves. */
const DISCOVERED_FOR_MS = 3_600_000;
const MAX_NAME_CHARS = 120;
/** Control characters, and those that turn the direction of what follows. */
const UNSHOWABLE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

export type OpenidOutcome =
  | { readonly status: 'signed_in'; readonly person: OpenidPerson; readonly role: ConsoleRole }
  | { readonly status: 'no_role'; readonly person: OpenidPerson }
  | { readonly status: Exclude<OpenidRefusal, 'no_role'> };

export interface OpenidSignIn {
  /** For the sign-in page. */
  shown(): Promise<ConsoleSignIn['openid']>;
  /** Where the console is, for the browser that comes back; null if sign-in by OpenID Connect is not set up. */
  consoleUrl(): Promise<string | null>;
  /** The provider's address, and the ticket that the browser brings back; null if the provider does not answer. */
  begin(): Promise<{ readonly address: string; readonly ticket: string } | null>;
  /** @param query of the address to which the provider sent the browser, with the question mark */
  finish(ticket: string, query: string): Promise<OpenidOutcome>;
}

export function createOpenidSignIn(parts: {
  readonly configuration: OpenidConfiguration;
  readonly custody: Custody;
  readonly clock: Clock;
  readonly log: Logger;
}): OpenidSignIn {
  const { configuration, log } = parts;
  const tickets = createTickets(parts.custody, parts.clock);
  const discovered = new LRUCache<string, client.Configuration>({ max: 1, ttl: DISCOVERED_FOR_MS });
  const providerOf = async (settings: OpenidInForce): Promise<client.Configuration> => {
    const known = discovered.get(settings.id);
    if (known) return known;
    const secret = await configuration.clientSecret(settings.id);
    const provider = await discoverProvider(settings, secret ?? '');
    discovered.set(settings.id, provider);
    return provider;
  };
  return {
    shown: async () => {
      const settings = await configuration.read();
      return settings && { name: settings.name, roles_claim: settings.roles_claim };
    },
    consoleUrl: async () => (await configuration.read())?.console_url ?? null,
    begin: async () => {
      const settings = await configuration.read();
      if (!settings) return null;
      try {
        const provider = await providerOf(settings);
        const made = {
          state: client.randomState(),
          nonce: client.randomNonce(),
          verifier: client.randomPKCECodeVerifier(),
        };
        const address = await addressOf(provider, settings, made);
        return { address, ticket: await tickets.issue({ openidId: settings.id, ...made }) };
      } catch (error) {
        log.warn({ code: codeOf(error) }, 'the console’s OpenID Provider does not answer');
        return null;
      }
    },
    finish: async (text, query) => {
      const [settings, ticket] = await Promise.all([configuration.read(), tickets.open(text)]);
      if (!settings || ticket?.openidId !== settings.id) return { status: 'expired' };
      try {
        const tokens = await client.authorizationCodeGrant(
          await providerOf(settings),
          new URL(redirectUriOf(settings) + query),
          { pkceCodeVerifier: ticket.verifier, expectedState: ticket.state, expectedNonce: ticket.nonce },
        );
        const claims = tokens.claims()!;
        const person = { openidId: settings.id, subject: claims.sub, name: nameOf(claims) };
        const role = roleOf(claims, settings);
        return role ? { status: 'signed_in', person, role } : { status: 'no_role', person };
      } catch (error) {
        log.warn({ code: codeOf(error) }, 'a sign-in to the console by OpenID Connect failed');
        return { status: refusalOf(error) };
      }
    },
  };
}

async function addressOf(
  provider: client.Configuration,
  settings: OpenidInForce,
  { state, nonce, verifier }: { state: string; nonce: string; verifier: string },
): Promise<string> {
  return client.buildAuthorizationUrl(provider, {
    redirect_uri: redirectUriOf(settings),
    scope: settings.scope,
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).href;
}

/** What people call themselves, without what a log or a page could not show. */
function nameOf(claims: Readonly<Record<string, unknown>>): string {
  const given = [claims.name, claims.preferred_username, claims.email, claims.sub];
  const names = given.map((each) =>
    String(each ?? '')
      .replace(UNSHOWABLE, '')
      .trim(),
  );
  return [...(names.find((each) => each !== '') ?? '')].slice(0, MAX_NAME_CHARS).join('');
}

/** The library's errors have codes; a name says enough of the others. */
const codeOf = (error: unknown): string =>
  String((error as { code?: string }).code ?? (error as { error?: string }).error ?? (error as Error).name);

function refusalOf(error: unknown): Exclude<OpenidRefusal, 'no_role' | 'expired'> {
  if (error instanceof client.AuthorizationResponseError) return 'refused';
  const { code, cause } = error as { code?: string; cause?: unknown };
  // `fetch` rejects with a TypeError if there is no answer at all.
  const isAway = error instanceof TypeError || code === 'OAUTH_TIMEOUT';
  return isAway || (cause instanceof Response && cause.status >= 500) ? 'unavailable' : 'invalid';
}
