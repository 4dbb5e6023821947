// The OpenID Provider of the console's people: its metadata, and the client that we are there.

import * as client from 'openid-client';
import { Fault } from '../../base/errors.ts';
import { parseUrl } from '../../base/parse-url.ts';
import { OPENID_SIGN_IN } from '../../contract/console.ts';
import type { OpenidSettings } from '../openid-settings.ts';

/** For each request to the provider. A person waits for it. */
const TIMEOUT_SECONDS = 10;
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** Where the provider sends the browser back to. Its operator registers this address. */
export const redirectUriOf = ({ console_url }: Pick<OpenidSettings, 'console_url'>): string =>
  `${console_url}${OPENID_SIGN_IN}/callback`;

/** Https, or http on the machine itself, where nobody is in between. */
export function isSafeAddress(address: string): boolean {
  const url = parseUrl(address);
  if (url === null) return false;
  const { protocol, hostname } = url;
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}

/**
 * Reads the provider's metadata. The operator chose the address, so it may be on a private network.
 * @throws what the library throws if the provider does not answer
 * @throws Fault CONFIG_INVALID if its issuer is another one: a template for many tenants would let in any of them
 */
export async function discoverProvider(
  { issuer, client_id }: Pick<OpenidSettings, 'issuer' | 'client_id'>,
  clientSecret: string,
): Promise<client.Configuration> {
  const server = new URL(issuer);
  const found = await client.discovery(server, client_id, undefined, authenticateBy(clientSecret), {
    timeout: TIMEOUT_SECONDS,
    execute: [
      // A token that came straight from the provider need not be verified, but then only the connection vouches for it.
      client.enableNonRepudiationChecks,
      ...(server.protocol === 'http:' ? [client.allowInsecureRequests] : []),
    ],
  });
  const named = found.serverMetadata().issuer;
  if (new URL(named).href !== server.href) {
    throw new Fault('CONFIG_INVALID', `the provider calls itself ${named}, not ${issuer}`);
  }
  return found;
}

/** As the provider accepts it; a provider that does not say accepts Basic (OpenID Connect Discovery 1.0, section 3). */
function authenticateBy(secret: string): client.ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...request);
  };
}
