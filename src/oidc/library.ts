// The library's provider for one set of signing keys: its configuration, and the functions that it calls in this room.
// Only this file and the adapter load the library, and they are loaded only with OIDC=on.
import Provider, {
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import { type AdapterParts, createAdapter } from './adapter.ts';
import { type Claim, LIBRARY_CLAIMS, NAMED_CLAIMS, SCOPES } from './claims.ts';
import { AUTH_METHODS, type Clients, isSecretOf } from './clients.ts';
import type { IssuerHints } from './issuer-hints.ts';
import type { Logins } from './logins.ts';
import { ACR_VALUES, isOwnFaceCheck, meetsAmr, type Requirements, readRequirements } from './requirements.ts';
import { SIGNING_ALGORITHM, type SigningKey } from './signing-keys.ts';
import type { Subjects } from './subjects.ts';
import type { OidcClient } from './tables/clients.ts';
import { TRUST_FRAMEWORKS, verifiedClaims } from './verified-claims.ts';

/** Lifetimes in seconds. A login takes one or two challenges. */
const TTL = { Interaction: 2_400, AuthorizationCode: 60, AccessToken: 600, IdToken: 3_600, Grant: 3_600 };
/** A session counts only as long as its client allows, but the library keeps one for each login at least this long. */
const MIN_SESSION_SECONDS = 600;
/** Internal parameter for a token of a client's own issuer, to keep it apart from tokens of this provider. */
export const ISSUER_HINT = 'issuer_hint';
const MAX_HINT_CHARS = 512;
/** Longest lifetime of a signed request that may enrol somebody, as in FAPI 2.0 Message Signing (5.3.1). */
const MAX_SIGNED_SECONDS = 3_600;
/** Longest time until a client's assertion expires: those used are remembered until then. */
const MAX_ASSERTION_SECONDS = 600;
const ASYMMETRIC = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;

export interface LibraryParts {
  readonly adapter: AdapterParts;
  readonly clients: Clients;
  readonly subjects: Subjects;
  readonly logins: Logins;
  readonly issuerHints: IssuerHints;
  /** Signs cookies. */
  readonly cookieKey: string;
  /** `…/oidc` */
  readonly issuer: string;
  /** The page for a person who cannot be sent back to the client. */
  readonly errorPage: (acceptLanguage: string) => { readonly html: string; readonly policy: string };
}

export function createLibraryProvider(parts: LibraryParts, keys: readonly SigningKey[]): Provider {
  const provider = new Provider(parts.issuer, configurationOf(parts, keys));
  // Safe: this service replaces Host and X-Forwarded-* with its own values before the library reads them.
  provider.proxy = true;
  // Compares the stored hash with the hash of the given secret. The prototype is this provider's own, not global.
  Object.assign(provider.Client.prototype, {
    async compareClientSecret(this: { clientId: string }, given: string): Promise<boolean> {
      const client = await parts.clients.find(this.clientId);
      return client !== null && isSecretOf(client, given);
    },
  });
  return provider;
}

function configurationOf(parts: LibraryParts, keys: readonly SigningKey[]): Configuration {
  const { issuer } = parts;
  const path = new URL(issuer).pathname;
  return {
    adapter: createAdapter(parts.adapter),
    jwks: { keys: keys.map((key) => ({ ...key })) as never },
    cookies: {
      keys: [parts.cookieKey],
      names: { session: 'likeness_oidc', interaction: 'likeness_login', resume: 'likeness_resume' },
      long: { httpOnly: true, sameSite: 'lax', path },
      short: { httpOnly: true, sameSite: 'lax' },
    },
    acrValues: [...ACR_VALUES],
    claims: LIBRARY_CLAIMS,
    scopes: [...SCOPES],
    responseTypes: ['code', 'id_token'],
    clientAuthMethods: [...AUTH_METHODS],
    enabledJWA: {
      idTokenSigningAlgValues: [SIGNING_ALGORITHM],
      requestObjectSigningAlgValues: [...ASYMMETRIC],
      clientAuthSigningAlgValues: [...ASYMMETRIC],
    },
    assertJwtClientAuthClaimsAndHeader: requireShortAssertion,
    pkce: { required: () => true },
    extraParams: {
      [ISSUER_HINT]: async (ctx: KoaContextWithOIDC, value?: string) => {
        if (value !== undefined) await readIssuerHint(parts, ctx, value);
      },
    },
    features: {
      devInteractions: { enabled: false },
      claimsParameter: { enabled: true },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: true },
      requestObjects: { enabled: true, assertJwtClaimsAndHeader: markLongLivedRequest },
      resourceIndicators: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: true },
    },
    discovery: { verified_claims_supported: true, trust_frameworks_supported: [...TRUST_FRAMEWORKS] },
    ttl: {
      ...TTL,
      Session: (ctx) => Math.max(MIN_SESSION_SECONDS, sessionSeconds.get(ctx as KoaContextWithOIDC) ?? 0),
    },
    expiresWithSession: () => false,
    allowOmittingSingleRegisteredRedirectUri: false,
    findAccount: (ctx, id, token) => findAccount(parts, ctx, id, token),
    loadExistingGrant,
    interactions: {
      policy: policyOf(parts),
      url: async (ctx, interaction) => {
        await beginLogin(parts, ctx, interaction);
        return `${path}/interaction/${interaction.uid}`;
      },
    },
    renderError: async (ctx) => {
      const { html, policy } = parts.errorPage(ctx.get('accept-language'));
      ctx.type = 'html';
      ctx.set('content-security-policy', policy);
      ctx.body = html;
    },
  };
}

/** The library has checked the assertion's signature, its audience and that it has not expired. */
async function requireShortAssertion(
  _ctx: KoaContextWithOIDC,
  { exp }: Record<string, unknown>,
): Promise<void> {
  if (typeof exp === 'number' && exp - Date.now() / 1000 <= MAX_ASSERTION_SECONDS) return;
  throw new errors.InvalidClientAuth('the client assertion must expire within ten minutes');
}

/** Requests in a signed request object whose lifetime is too long or unlimited. */
const longLivedRequests = new WeakSet<KoaContextWithOIDC>();

/**
 * A signed request object travels through the person's browser. Anyone who finds its URL later has the object too, and
 * can push it if the client need not authenticate. A lasting object therefore enrols nobody, unless an authenticated
 * client pushed it.
 */
async function markLongLivedRequest(
  ctx: KoaContextWithOIDC,
  { exp }: Record<string, unknown>,
): Promise<void> {
  const { entities, client } = ctx.oidc;
  const isFromAuthenticatedClient =
    entities.PushedAuthorizationRequest && client?.clientAuthMethod !== 'none';
  const isShort = typeof exp === 'number' && exp - Date.now() / 1000 <= MAX_SIGNED_SECONDS;
  if (!isShort && !isFromAuthenticatedClient) longLivedRequests.add(ctx);
}

/** How long a session counts at this request's client, in seconds. The library asks for it with only the context. */
const sessionSeconds = new WeakMap<KoaContextWithOIDC, number>();

/** One prompt: the check of a face. The capture page asks for consent, and its privacy screen names the client. */
function policyOf(parts: LibraryParts): interactionPolicy.DefaultPolicy {
  const { Check, base } = interactionPolicy;
  const policy = base();
  policy.remove('consent');
  policy.get('login')!.checks.add(
    new Check('check_is_due', 'a face check is required', 'login_required', async (ctx) => {
      if (ctx.oidc.result?.login) return Check.NO_NEED_TO_PROMPT;
      return (await counts(parts, ctx)) ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT;
    }),
  );
  return policy;
}

/** Whether the session's check is of the person named now, was made at this client, and is recent enough for it. */
async function counts(parts: LibraryParts, ctx: KoaContextWithOIDC): Promise<boolean> {
  const { session, params } = ctx.oidc;
  const client = await parts.clients.find(ctx.oidc.client!.clientId);
  if (!client || !session?.accountId || !isOwnFaceCheck(session.acr)) return false;
  // The library itself checks an essential acr, but no amr.
  if (!meetsAmr(requirementsOf(ctx, client), session.amr ?? [])) return false;
  const { session_seconds: seconds, device_binding: binding } = client.settings;
  // A session may be older than this setting.
  if (binding === 'require' && !session.amr?.includes('user')) return false;
  sessionSeconds.set(ctx, seconds);
  if (seconds === 0 || session.past(seconds)) return false;
  if (params?.[ISSUER_HINT] !== undefined) return false;
  if ((await parts.subjects.find(client.id, session.accountId)) === null) return false;
  const hint = params?.login_hint;
  if (typeof hint !== 'string') return true;
  const named = await parts.subjects.findByName(client, { source: 'login_hint', name: hint });
  return named?.id === session.accountId;
}

/** Stores who is named, and by whom, while the library still has the request at hand. */
async function beginLogin(
  parts: LibraryParts,
  ctx: KoaContextWithOIDC,
  interaction: { readonly uid: string; readonly trusted?: string[] | undefined },
): Promise<void> {
  const params = ctx.oidc.params ?? {};
  const client = await parts.clients.find(ctx.oidc.client!.clientId);
  if (!client) throw new errors.InvalidClient('the client was removed');
  const issuerHint = params[ISSUER_HINT];
  const loginHint = params.login_hint;
  const own = ctx.oidc.entities.IdTokenHint as { readonly payload?: { readonly sub?: string } } | undefined;
  const subjectId = own?.payload?.sub ?? null;
  const trusted: readonly string[] = ctx.oidc.trusted ?? [];
  const person =
    typeof issuerHint === 'string'
      ? ({ source: 'issuer', name: await readIssuerHint(parts, ctx, issuerHint) } as const)
      : typeof loginHint === 'string' && loginHint !== '' && client.settings.profile !== 'entra'
        ? ({ source: 'login_hint', name: loginHint } as const)
        : null;
  if (subjectId === null && person === null) {
    throw new errors.InvalidRequest('login_hint or id_token_hint must name the person');
  }
  if (person && person.name.length > MAX_HINT_CHARS) throw new errors.InvalidRequest('the hint is too long');
  if (subjectId !== null && person !== null) await requireSamePerson(parts, client.id, subjectId, person);
  const login = {
    clientId: client.id,
    person,
    subjectId,
    isAuthentic:
      person?.source === 'issuer' || (trusted.includes('login_hint') && !longLivedRequests.has(ctx)),
    requirements: requirementsOf(ctx, client),
  };
  await parts.logins.begin(interaction.uid, login, TTL.Interaction);
}

function requirementsOf(ctx: KoaContextWithOIDC, { settings }: OidcClient): Requirements {
  const { acr_values, claims } = ctx.oidc.params ?? {};
  return readRequirements({
    acr_values: asText(acr_values),
    claims: asText(claims),
    profile: settings.profile,
  });
}

/** Refuses a request whose token from this provider and whose name do not mean the same person. */
async function requireSamePerson(
  parts: LibraryParts,
  clientId: string,
  subjectId: string,
  person: { readonly source: 'login_hint' | 'issuer'; readonly name: string },
): Promise<void> {
  const client = (await parts.clients.find(clientId))!;
  const named = await parts.subjects.findByName(client, person);
  if (named?.id !== subjectId) throw new errors.InvalidRequest('the hints name two different people');
}

async function readIssuerHint(parts: LibraryParts, ctx: KoaContextWithOIDC, value: string): Promise<string> {
  const client = await parts.clients.find(ctx.oidc.client!.clientId);
  const sub = client && (await parts.issuerHints.read(client, value));
  if (!sub) throw new errors.InvalidRequest('could not validate id_token_hint');
  return sub;
}

const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** A check is its own grant: each login gets a new one, only for its person and client. */
async function loadExistingGrant(ctx: KoaContextWithOIDC) {
  const { provider, session, client } = ctx.oidc;
  if (!session?.accountId || !client) return undefined;
  const known = session.grantIdFor(client.clientId);
  const grant = known && (await provider.Grant.find(known));
  if (grant && grant.accountId === session.accountId) return grant;
  const made = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  made.addOIDCScope(SCOPES.join(' '));
  made.addOIDCClaims([...NAMED_CLAIMS]);
  await made.save();
  return made;
}

async function findAccount(parts: LibraryParts, ctx: KoaContextWithOIDC, id: string, token?: unknown) {
  const client = ctx.oidc.client && (await parts.clients.find(ctx.oidc.client.clientId));
  const subject = client ? await parts.subjects.findBySub(client, id) : null;
  if (!subject) return undefined;
  const source = (token ?? ctx.oidc.session ?? {}) as {
    readonly acr?: string;
    readonly authTime?: number;
    readonly loginTs?: number;
  };
  const { sub } = subject;
  return {
    accountId: sub,
    claims: async (use: string, _scope: string, claims: Readonly<Record<string, unknown>>) => {
      const checkedAt = new Date((source.authTime ?? source.loginTs ?? 0) * 1000);
      const isAsked = use === 'id_token' && claims && Object.hasOwn(claims, 'verified_claims');
      const check = { acr: source.acr, sub, checkedAt };
      const verified = isAsked ? verifiedClaims(claims.verified_claims, check) : null;
      return { sub, ...(verified && { verified_claims: verified }) } satisfies Partial<
        Record<Claim, unknown>
      >;
    },
  };
}
