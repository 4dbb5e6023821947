// /console/api: what the operator's page reads and does. Cookie session, no API key; not in the public document.
import type { FastifyInstance } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { webUrlFaults } from '../../challenge/url-rules.ts';
import { verifyPassword } from '../../console/password.ts';
import { csrfTokenOf } from '../../console/sessions.ts';
import {
  AccountChange,
  type ConsoleSession,
  LoginRequest,
  NewKeyRequest,
  RotateSecretRequest,
  type ShownOnce,
} from '../../contract/console.ts';
import { CHALLENGE_STATUSES } from '../../contract/states.ts';
import { addConsoleGuard, type ConsoleGuard, requireOperator } from '../console-guard.ts';
import { addressOf, limitRate } from '../rate-limits.ts';
import type { App } from '../server.ts';
import type { ConsoleServices, HttpSettings } from '../services.ts';

/** Guesses of the password a minute, of one address. */
const LOGINS_PER_MINUTE = 5;

const Id = (prefix: string) => Type.String({ pattern: `^${prefix}_[0-9a-z]{26}$` });
const AccountPath = Type.Object({ account_id: Id('acct') });
const hidden = <const S extends Record<string, TSchema>>(schema: S) => ({ hide: true, ...schema });

export async function consoleApiRoutes(
  app: FastifyInstance,
  services: ConsoleServices,
  settings: HttpSettings,
): Promise<void> {
  const guard = await addConsoleGuard(app, settings.baseUrl);
  await app.register(async (scope) => {
    limitRate(scope, { max: LOGINS_PER_MINUTE, countedBy: addressOf });
    loginRoute(scope as unknown as App, services, settings, guard);
  });
  await app.register(async (scope) => {
    requireOperator(scope, services.sessions, guard);
    const routes = scope as unknown as App;
    sessionRoutes(routes, services, settings, guard);
    challengeRoutes(routes, services);
    deliveryRoutes(routes, services);
    accountRoutes(routes, services);
    reportRoutes(routes, services);
  });
}

function loginRoute(app: App, services: ConsoleServices, settings: HttpSettings, guard: ConsoleGuard): void {
  app.post('/login', { schema: hidden({ body: LoginRequest }) }, async (request, reply) => {
    if (!(await verifyPassword(request.body.password, services.passwordHash))) {
      await services.console.note('console.login_refused');
      return reply.problem('unauthorized', { detail: 'That is not the password.' });
    }
    const token = await services.sessions.open();
    await services.console.note('console.login');
    guard.setCookie(reply, token);
    return reply.header('cache-control', 'no-store').send(sessionOf(token, settings));
  });
}

const sessionOf = (token: string, settings: HttpSettings): ConsoleSession => ({
  csrf_token: csrfTokenOf(token),
  region: settings.region,
  version: settings.version,
});

function sessionRoutes(
  app: App,
  services: ConsoleServices,
  settings: HttpSettings,
  guard: ConsoleGuard,
): void {
  app.get('/session', { schema: { hide: true } }, async (request) =>
    sessionOf(guard.tokenOf(request), settings),
  );
  app.post('/logout', { schema: { hide: true } }, async (request, reply) => {
    await services.sessions.close(guard.tokenOf(request));
    guard.clearCookie(reply);
    return reply.code(204).send(null);
  });
}

function challengeRoutes(app: App, { console }: ConsoleServices): void {
  const Search = Type.Object(
    {
      text: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
      status: Type.Optional(Type.Enum([...CHALLENGE_STATUSES])),
      result: Type.Optional(Type.Enum(['pass', 'fail'])),
      cursor: Type.Optional(Id('ch')),
    },
    { additionalProperties: false },
  );
  app.get('/challenges', { schema: hidden({ querystring: Search }) }, async (request) => {
    const { cursor, ...search } = request.query;
    return console.challenges({ ...search, ...(cursor ? { beforeId: cursor } : {}) });
  });
  const ChallengePath = Type.Object({ challenge_id: Id('ch') });
  app.get(
    '/challenges/:challenge_id',
    { schema: hidden({ params: ChallengePath }) },
    async (request, reply) =>
      (await console.challenge(request.params.challenge_id)) ?? reply.problem('not-found'),
  );
  const AssetPath = Type.Object({ challenge_id: Id('ch'), asset_id: Id('ast') });
  app.post(
    '/challenges/:challenge_id/assets/:asset_id/link',
    { schema: hidden({ params: AssetPath }) },
    async (request, reply) => {
      const { challenge_id, asset_id } = request.params;
      const url = await console.assetLink(challenge_id, asset_id);
      return url ? { url } : reply.problem('not-found');
    },
  );
}

function deliveryRoutes(app: App, { console }: ConsoleServices): void {
  const Search = Type.Object(
    {
      status: Type.Optional(Type.Enum(['pending', 'delivered', 'failed', 'cancelled'])),
      cursor: Type.Optional(Id('msg')),
    },
    { additionalProperties: false },
  );
  app.get('/deliveries', { schema: hidden({ querystring: Search }) }, async (request) => {
    const { cursor, status } = request.query;
    return console.deliveries({ ...(status ? { status } : {}), ...(cursor ? { beforeId: cursor } : {}) });
  });
  app.get('/endpoints', { schema: { hide: true } }, async () => ({ data: await console.endpoints() }));
  const DeliveryPath = Type.Object({ delivery_id: Id('msg') });
  app.post(
    '/deliveries/:delivery_id/redeliver',
    { schema: hidden({ params: DeliveryPath }) },
    async (request, reply) => {
      const outcome = await console.redeliver(request.params.delivery_id);
      if (outcome.kind === 'notFound') return reply.problem('not-found');
      if (outcome.kind === 'notRepeatable') {
        return reply.problem('state-conflict', { detail: 'A cancelled or test delivery is not sent again.' });
      }
      return reply.code(202).send(outcome.delivery);
    },
  );
}

function accountRoutes(app: App, { console }: ConsoleServices): void {
  app.get('/accounts', { schema: { hide: true } }, async () => ({ data: await console.accounts() }));
  app.post(
    '/accounts/:account_id',
    { schema: hidden({ params: AccountPath, body: AccountChange }) },
    async (request, reply) => {
      const { privacy_url } = request.body;
      const faults = privacy_url === null ? [] : webUrlFaults(privacy_url, '/privacy_url');
      if (faults.length > 0) return reply.problem('validation-failed', { errors: faults });
      const changed = await console.changeAccount(request.params.account_id, request.body);
      return changed ? reply.code(204).send(null) : reply.problem('not-found');
    },
  );
  app.post(
    '/accounts/:account_id/keys',
    { schema: hidden({ params: AccountPath, body: NewKeyRequest }) },
    async (request, reply) => {
      const made = await console.createKey(request.params.account_id, request.body.sandbox);
      return made ? reply.code(201).send(made) : reply.problem('not-found');
    },
  );
  const KeyPath = Type.Object({ account_id: Id('acct'), key_id: Id('key') });
  app.delete(
    '/accounts/:account_id/keys/:key_id',
    { schema: hidden({ params: KeyPath }) },
    async (request, reply) => {
      const revoked = await console.revokeKey(request.params.account_id, request.params.key_id);
      return revoked ? reply.code(204).send(null) : reply.problem('not-found');
    },
  );
  app.post(
    '/accounts/:account_id/webhook-secret',
    { schema: hidden({ params: AccountPath, body: RotateSecretRequest }) },
    async (request, reply) => {
      const { overlap_hours } = request.body;
      const secret = await console.rotateWebhookSecret(request.params.account_id, overlap_hours);
      const made: ShownOnce | null = secret ? { secret, webhook_secret: null } : null;
      return made ? reply.code(201).send(made) : reply.problem('not-found');
    },
  );
}

function reportRoutes(app: App, { console }: ConsoleServices): void {
  app.get('/overview', { schema: { hide: true } }, async () => console.overview());
  app.get('/scores', { schema: { hide: true } }, async () => ({ data: console.scores() }));
  app.get('/retention', { schema: { hide: true } }, async () => console.retention());
  const Cursor = Type.Object(
    { cursor: Type.Optional(Type.String({ pattern: '^\\d{1,15}$' })) },
    { additionalProperties: false },
  );
  app.get('/audit', { schema: hidden({ querystring: Cursor }) }, async (request) =>
    console.audit(request.query.cursor ?? null),
  );
}
