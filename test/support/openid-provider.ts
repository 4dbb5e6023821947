// A real OpenID Provider (oauth2-mock-server) on 127.0.0.1 that signs people in without asking. It checks PKCE, and takes
// each code once.
import {
  type MutableRedirectUri,
  type MutableResponse,
  type MutableToken,
  OAuth2Server,
} from 'oauth2-mock-server';

export interface OpenidProvider {
  readonly issuer: string;
  /** What the ID token says of whoever signs in; `undefined` leaves a claim out. */
  person: Record<string, unknown>;
  /** Changes each later token before it is signed. */
  alterToken: (token: MutableToken) => void;
  /** Changes each later answer of the token endpoint. */
  alterAnswer: (answer: MutableResponse) => void;
  /** Changes the address to which it sends the browser back. */
  alterRedirect: (redirect: MutableRedirectUri) => void;
  /** Signs in at an address of ours; returns where the browser is sent back to. */
  visit(address: string): Promise<URL>;
  /** Stops changing anything. */
  reset(): void;
  close(): Promise<void>;
}

export async function startOpenidProvider(): Promise<OpenidProvider> {
  const server = new OAuth2Server();
  await server.issuer.keys.generate('RS256');
  await server.start(0, '127.0.0.1');
  const nothing = () => {};
  const provider: OpenidProvider = {
    issuer: `http://127.0.0.1:${server.address().port}`,
    person: {},
    alterToken: nothing,
    alterAnswer: nothing,
    alterRedirect: nothing,
    visit: async (address) => {
      const answer = await fetch(address, { redirect: 'manual' });
      return new URL(answer.headers.get('location')!);
    },
    reset: () =>
      Object.assign(provider, { alterToken: nothing, alterAnswer: nothing, alterRedirect: nothing }),
    close: () => server.stop(),
  };
  server.issuer.url = provider.issuer;
  server.service.on('beforeTokenSigning', (token: MutableToken) => {
    Object.assign(token.payload, provider.person);
    provider.alterToken(token);
  });
  server.service.on('beforeResponse', (answer: MutableResponse) => provider.alterAnswer(answer));
  server.service.on('beforeAuthorizeRedirect', (redirect: MutableRedirectUri) =>
    provider.alterRedirect(redirect),
  );
  return provider;
}
