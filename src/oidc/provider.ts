// The OpenID Provider as the http room sees it: requests for the library, and the interaction that leads to the capture
// page and back.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import type { errors as LibraryErrors } from 'oidc-provider';
import type { Logger } from '../base/log.ts';
import type { Clients } from './clients.ts';
import { type FlowParts, takeTurn } from './flow.ts';
import { createLibraryProvider, ISSUER_HINT, type LibraryParts } from './library.ts';
import type { SigningKeys } from './signing-keys.ts';

/** How often a process checks whether another has changed the signing keys. */
const LOOK_FOR_KEYS_MS = 30_000;

/** Where an interaction sends the browser. */
export type InteractionAnswer =
  /** To the capture page, with the cookie that lets only this browser start the challenge. */
  | { readonly to: 'challenge'; readonly url: string; readonly path: string; readonly browser: string }
  /** Back to the library, which redirects to the client. */
  | { readonly to: 'library'; readonly url: string }
  /** No such login, or not in this browser. */
  | { readonly to: 'nowhere' };

export interface Oidc {
  /**
   * Answers a request below /oidc, except those for interactions. `req.url` must be without that prefix,
   * `req.originalUrl` with it, and the forwarded headers must be this service's own.
   */
  handle(req: IncomingMessage, res: ServerResponse): Promise<void>;
  /**
   * Rewrites an authorization request's query to keep a token of the client's own issuer apart from this provider's.
   */
  authorizationQuery(query: string): Promise<string>;
  interact(req: IncomingMessage, res: ServerResponse, uid: string): Promise<InteractionAnswer>;
  /** Whether a browser with this cookie may take the challenge of a link (src/oidc/logins.ts). */
  mayTake(linkToken: string, cookie: string | undefined): Promise<boolean>;
}

export type OidcParts = LibraryParts & {
  readonly flow: FlowParts;
  readonly clients: Clients;
  readonly keys: SigningKeys;
  readonly log: Logger;
};

export function createOidc(parts: OidcParts): Oidc {
  const library = createLibrary(parts);
  return {
    handle: async (req, res) => (await library()).callback()(req, res),
    authorizationQuery: (query) => renameIssuerHint(parts, query),
    interact: async (req, res, uid) => interact(parts, await library(), req, res, uid),
    mayTake: (linkToken, cookie) => parts.logins.mayTake(linkToken, cookie),
  };
}

/** The library's provider for the current keys. It keeps no state between requests: all of that is in the database. */
function createLibrary(parts: OidcParts): () => Promise<Provider> {
  let current: { readonly provider: Provider; readonly ids: string; readonly at: number } | null = null;
  let looking: Promise<Provider> | null = null;
  const look = async (): Promise<Provider> => {
    await parts.keys.keep();
    const keys = await parts.keys.list();
    const ids = keys.map(({ kid }) => kid).join();
    const known = current?.ids === ids ? current.provider : null;
    const provider = known ?? createLibraryProvider(parts, keys);
    if (!known)
      provider.on('server_error', (_ctx, err) => parts.log.error({ err }, 'an OpenID request failed'));
    current = { provider, ids, at: performance.now() };
    return provider;
  };
  return async () => {
    if (current && performance.now() - current.at < LOOK_FOR_KEYS_MS) return current.provider;
    looking ??= look().finally(() => {
      looking = null;
    });
    return looking;
  };
}

async function interact(
  parts: OidcParts,
  provider: Provider,
  req: IncomingMessage,
  res: ServerResponse,
  uid: string,
): Promise<InteractionAnswer> {
  const details = await findInteraction(provider, req, res);
  if (details?.uid !== uid) return { to: 'nowhere' };
  const login = await parts.logins.find(uid);
  const client = login && (await parts.clients.find(login.clientId));
  if (!client || details.params.client_id !== client.id) return { to: 'nowhere' };
  const returnUrl = `${parts.issuer}/interaction/${uid}`;
  const turn = await takeTurn(parts.flow, { uid, client, login, returnUrl });
  const finish = async (
    result: Parameters<Provider['interactionResult']>[2],
  ): Promise<InteractionAnswer> => ({
    to: 'library',
    url: await provider.interactionResult(req, res, result, { mergeWithLastSubmission: false }),
  });
  switch (turn.to) {
    case 'challenge':
      return { ...turn, path: new URL(turn.url).pathname };
    case 'refusal':
      return finish({ error: turn.error, error_description: turn.description });
    case 'client': {
      const { subject, assurance, checkedAt } = turn;
      if (details.session && details.session.accountId !== subject.sub) await endSession(provider, details);
      const ts = Math.floor(checkedAt.getTime() / 1000);
      const { acr, amr } = assurance;
      return finish({ login: { accountId: subject.sub, acr, amr: [...amr], ts, remember: false } });
    }
  }
}

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** The request's interaction; null if there is none, or it began in another browser. */
async function findInteraction(
  provider: Provider,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<Interaction | null> {
  try {
    return await provider.interactionDetails(req, res);
  } catch (error) {
    // The library's name for no cookie, a cookie that was not signed here, or an interaction that is over.
    if ((error as LibraryErrors.OIDCProviderError).name === 'SessionNotFound') return null;
    throw error;
  }
}

/** Ends the session of somebody else who was checked in this browser before, without asking. */
async function endSession(provider: Provider, details: Interaction): Promise<void> {
  const { session } = details;
  const before = session && (await provider.Session.find(session.cookie));
  await before?.destroy();
  details.session = undefined;
  await details.persist();
}

async function renameIssuerHint({ clients }: Pick<OidcParts, 'clients'>, query: string): Promise<string> {
  const params = new URLSearchParams(query);
  const [clientId, ...more] = params.getAll('client_id');
  if (clientId === undefined || more.length > 0 || !params.has('id_token_hint')) return query;
  const client = await clients.find(clientId);
  if (client?.settings.profile !== 'entra') return query;
  for (const hint of params.getAll('id_token_hint')) params.append(ISSUER_HINT, hint);
  params.delete('id_token_hint');
  return params.toString();
}
