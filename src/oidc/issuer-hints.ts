// `id_token_hint`s of another issuer: Entra names the person by a token of its tenant. Nothing in a token is trusted
// before its signature, issuer, audience and validity period have been checked.
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import type { HintIssuer, OidcClient } from './tables/clients.ts';

/** The algorithm Entra signs with. Accepting others would only widen the attack surface. */
const ALGORITHMS = ['RS256'];
const CLOCK_TOLERANCE_SECONDS = 60;
const FETCH_TIMEOUT_MS = 5_000;
/** Most issuers whose keys are cached. */
const MAX_ISSUERS = 1_000;

export interface IssuerHints {
  /**
   * The person's `sub` at the issuer; null for a token that is invalid, not for this client, or not from its issuer.
   */
  read(client: OidcClient, token: string): Promise<string | null>;
}

/** `fetch` must be the guarded one, because whoever registers a client chooses the issuer's address. */
export function createIssuerHints(fetch: typeof globalThis.fetch): IssuerHints {
  const keySets = new LRUCache<string, JWTVerifyGetKey>({ max: MAX_ISSUERS });
  const keysOf = ({ jwks_uri: uri }: HintIssuer): JWTVerifyGetKey => {
    const known = keySets.get(uri);
    if (known) return known;
    const made = createRemoteJWKSet(new URL(uri), {
      [customFetch]: fetch,
      timeoutDuration: FETCH_TIMEOUT_MS,
    });
    keySets.set(uri, made);
    return made;
  };
  return {
    read: async (client, token) => {
      const { hint_issuer: issuer } = client.settings;
      if (!issuer) return null;
      try {
        const { payload } = await jwtVerify(token, keysOf(issuer), {
          issuer: issuer.issuer,
          audience: client.id,
          algorithms: ALGORITHMS,
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
          requiredClaims: ['sub', 'exp'],
        });
        return payload.sub || null;
      } catch {
        return null;
      }
    },
  };
}
