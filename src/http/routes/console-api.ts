// /console/api: what the operator's page reads and does. Cookie session, no API key; not in the OpenAPI document.
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { webUrlFaults } from '../../challenge/creating/url-rules.ts';
import type { Console } from '../../console/console.ts';
import {
  AccountChange,
  CustomerReference,
  NewKeyRequest,
  RotateSecretRequest,
  type ShownOnce,
} from '../../contract/console.ts';
import { RedeliverRequest } from '../../contract/console-deliveries.ts';
import { CONSOLE_SCOPES } from '../../contract/console-overview.ts';
import { Id } from '../../contract/field-types.ts';
import { CHALLENGE_STATUSES } from '../../contract/states.ts';
import type { App } from '../app-type.ts';
import { addConsoleCookies } from '../guards/console-cookies.ts';
import { openTo, operatorOf, requireOperator } from '../guards/console-guard.ts';
import { forbidCaching } from '../guards/no-store.ts';
import type { ConsoleServices } from '../services.ts';
import type { HttpSettings } from '../settings.ts';
import { assuranceRoute } from './console-assurance.ts';
import { openidRoutes } from './console-openid.ts';
import { sessionRoutes, signInRoutes } from './console-sign-in.ts';

const AccountPath = Type.Object({ account_id: Id('acct') });

export async function consoleApiRoutes(
  app: App,
  services: ConsoleServices,
  settings: HttpSettings,
  isSecure: (request: FastifyRequest) => boolean,
): Promise<void> {
  forbidCaching(app);
  const cookies = await addConsoleCookies(app, isSecure);
  signInRoutes(app, services, settings, cookies);
  openidRoutes(app, services, cookies);
  await app.register(async (scope: App) => {
    requireOperator(scope, services.sessions, cookies);
    const consoleOf: ConsoleOf = (request) => services.consoleOf(operatorOf(request));
    sessionRoutes(scope, services, settings, cookies);
    challengeRoutes(scope, consoleOf);
    deliveryRoutes(scope, consoleOf);
    accountRoutes(scope, consoleOf);
    featidRoutes(scope, consoleOf);
    reportRoutes(scope, consoleOf);
    assuranceRoute(scope, services, consoleOf);
    for (const page of services.furtherPages) page.routes(scope, consoleOf);
  });
}

/** The console as the session of a request sees it. */
type ConsoleOf = (request: FastifyRequest) => Console;

function challengeRoutes(app: App, consoleOf: ConsoleOf): void {
  const Search = Type.Object(
    {
      text: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
      status: Type.Optional(Type.Enum([...CHALLENGE_STATUSES])),
      result: Type.Optional(Type.Enum(['pass', 'fail'])),
      cursor: Type.Optional(Id('ch')),
    },
    { additionalProperties: false },
  );
  app.get('/challenges', openTo('viewer', { querystring: Search }), async (request) => {
    const { cursor, ...search } = request.query;
    return consoleOf(request).challenges({ ...search, ...(cursor ? { beforeId: cursor } : {}) });
  });
  const ChallengePath = Type.Object({ challenge_id: Id('ch') });
  app.get(
    '/challenges/:challenge_id',
    openTo('viewer', { params: ChallengePath }),
    async (request, reply) =>
      (await consoleOf(request).challenge(request.params.challenge_id)) ?? reply.problem('not-found'),
  );
  const CapturePath = Type.Object({ challenge_id: Id('ch'), capture_id: Id('cap') });
  app.get(
    '/challenges/:challenge_id/captures/:capture_id/curves.svg',
    openTo('viewer', { params: CapturePath }),
    async (request, reply) => {
      const { challenge_id, capture_id } = request.params;
      const svg = await consoleOf(request).curves(challenge_id, capture_id);
      return svg === null ? reply.problem('not-found') : reply.type('image/svg+xml').send(svg);
    },
  );
  const AssetPath = Type.Object({ challenge_id: Id('ch'), asset_id: Id('ast') });
  app.post(
    '/challenges/:challenge_id/assets/:asset_id/link',
    openTo('operator', { params: AssetPath }),
    async (request, reply) => {
      const { challenge_id, asset_id } = request.params;
      const url = await consoleOf(request).assetLink(challenge_id, asset_id);
      return url ? { url } : reply.problem('not-found');
    },
  );
}

function deliveryRoutes(app: App, consoleOf: ConsoleOf): void {
  const Search = Type.Object(
    {
      status: Type.Optional(Type.Enum(['pending', 'delivered', 'failed', 'cancelled'])),
      receiver: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
      text: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
      cursor: Type.Optional(Id('msg')),
    },
    { additionalProperties: false },
  );
  app.get('/deliveries', openTo('viewer', { querystring: Search }), async (request) => {
    const { cursor, ...search } = request.query;
    return consoleOf(request).deliveries({ ...search, ...(cursor ? { beforeId: cursor } : {}) });
  });
  app.get('/endpoints', openTo('viewer'), async (request) => consoleOf(request).endpoints());
  app.post('/deliveries/redeliver', openTo('operator', { body: RedeliverRequest }), async (request) =>
    consoleOf(request).redeliverMany(request.body.delivery_ids),
  );
}

function accountRoutes(app: App, consoleOf: ConsoleOf): void {
  app.get('/accounts', openTo('viewer'), async (request) => ({
    data: await consoleOf(request).accounts(),
  }));
  app.post(
    '/accounts/:account_id',
    openTo('administrator', { params: AccountPath, body: AccountChange }),
    async (request, reply) => {
      const { privacy_url } = request.body;
      const faults = privacy_url === null ? [] : webUrlFaults(privacy_url, '/privacy_url');
      if (faults.length > 0) return reply.problem('validation-failed', { errors: faults });
      const changed = await consoleOf(request).changeAccount(request.params.account_id, request.body);
      return changed ? reply.code(204).send(null) : reply.problem('not-found');
    },
  );
  app.post(
    '/accounts/:account_id/keys',
    openTo('administrator', { params: AccountPath, body: NewKeyRequest }),
    async (request, reply) => {
      const made = await consoleOf(request).createKey(request.params.account_id, request.body.sandbox);
      return made ? reply.code(201).send(made) : reply.problem('not-found');
    },
  );
  const KeyPath = Type.Object({ account_id: Id('acct'), key_id: Id('key') });
  app.delete(
    '/accounts/:account_id/keys/:key_id',
    openTo('administrator', { params: KeyPath }),
    async (request, reply) => {
      const revoked = await consoleOf(request).revokeKey(request.params.account_id, request.params.key_id);
      return revoked ? reply.code(204).send(null) : reply.problem('not-found');
    },
  );
  app.post(
    '/accounts/:account_id/webhook-secret',
    openTo('administrator', { params: AccountPath, body: RotateSecretRequest }),
    async (request, reply) => {
      const { overlap_hours } = request.body;
      const secret = await consoleOf(request).rotateWebhookSecret(request.params.account_id, overlap_hours);
      const made: ShownOnce | null = secret ? { secret, webhook_secret: null } : null;
      return made ? reply.code(201).send(made) : reply.problem('not-found');
    },
  );
}

function featidRoutes(app: App, consoleOf: ConsoleOf): void {
  app.get('/featids', openTo('operator', { querystring: CustomerReference }), async (request) =>
    consoleOf(request).featids(request.query.customer_reference),
  );
  app.post(
    '/accounts/:account_id/erasures',
    openTo('administrator', { params: AccountPath, body: CustomerReference }),
    async (request, reply) => {
      const { account_id } = request.params;
      const erased = await consoleOf(request).eraseReference(account_id, request.body.customer_reference);
      return erased ?? reply.problem('not-found');
    },
  );
  const FeatidPath = Type.Object({
    account_id: Id('acct'),
    featid_id: Type.String({ pattern: '^[0-9A-Za-z]{22}$' }),
  });
  app.delete(
    '/featids/:account_id/:featid_id',
    openTo('administrator', { params: FeatidPath }),
    async (request, reply) => {
      const { account_id, featid_id } = request.params;
      const erased = await consoleOf(request).eraseFeatid(account_id, featid_id);
      return erased ? reply.code(204).send(null) : reply.problem('not-found');
    },
  );
}

function reportRoutes(app: App, consoleOf: ConsoleOf): void {
  const Scope = Type.Object(
    { scope: Type.Optional(Type.Enum([...CONSOLE_SCOPES])) },
    { additionalProperties: false },
  );
  app.get('/overview', openTo('viewer', { querystring: Scope }), async (request) =>
    consoleOf(request).overview(request.query.scope ?? 'live'),
  );
  app.get('/scores', openTo('viewer'), async (request) => ({ data: consoleOf(request).scores() }));
  app.get('/retention', openTo('viewer'), async (request) => consoleOf(request).retention());
  const Cursor = Type.Object(
    { cursor: Type.Optional(Type.String({ pattern: '^\\d{1,15}$' })) },
    { additionalProperties: false },
  );
  app.get('/audit', openTo('viewer', { querystring: Cursor }), async (request) =>
    consoleOf(request).audit(request.query.cursor ?? null),
  );
}
