// A real OAuth server (oauth2-mock-server) on 127.0.0.1, asking for client credentials.
import { type MutableResponse, OAuth2Server, type TokenRequestIncomingMessage } from 'oauth2-mock-server';

export interface TokenCall {
  readonly authorization: string | undefined;
  readonly body: Record<string, unknown>;
}

export interface OAuthServer {
  /** The token endpoint. */
  readonly tokenUrl: string;
  readonly calls: TokenCall[];
  /** Tokens issued, in order. */
  readonly tokens: string[];
  /** Changes every later answer of the token endpoint, before it is sent. */
  alter(change: (response: MutableResponse, call: TokenCall) => void): void;
  /** Forgets calls, tokens and alterations. */
  reset(): void;
  close(): Promise<void>;
}

export async function startOAuthServer(): Promise<OAuthServer> {
  const server = new OAuth2Server();
  await server.issuer.keys.generate('RS256');
  await server.start(0, '127.0.0.1');
  const calls: TokenCall[] = [];
  const tokens: string[] = [];
  let issued = 0;
  let change: (response: MutableResponse, call: TokenCall) => void = () => {};
  server.service.on('beforeResponse', (response: MutableResponse, request: TokenRequestIncomingMessage) => {
    const call = { authorization: request.headers.authorization, body: { ...request.body } };
    calls.push(call);
    // The mock signs identical tokens within one second, but tests must tell them apart.
    issued += 1;
    if (typeof response.body === 'object') response.body.access_token += `.${issued}`;
    change(response, call);
    if (response.statusCode === 200 && typeof response.body === 'object') {
      tokens.push(String(response.body.access_token));
    }
  });
  const { port } = server.address();
  return {
    tokenUrl: `http://127.0.0.1:${port}/token`,
    calls,
    tokens,
    alter: (next) => {
      change = next;
    },
    reset() {
      calls.length = 0;
      tokens.length = 0;
      change = () => {};
    },
    close: () => server.stop(),
  };
}
