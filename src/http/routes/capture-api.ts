// The capture page's API below /c/{token}: state, start, consent, events, captures, chunks, outcome, logo. The
// challenge room decides; this maps its outcomes to HTTP. The link's token is the credential; the device's binds
// the browser.
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { UploadOutcome } from '../../challenge/services.ts';
import {
  CommitRequest,
  ConsentRequest,
  DeviceRequest,
  IssueRequest,
  ofDevice,
  SlicesRequest,
  TRIAL_LINK,
} from '../../contract/capture-page.ts';
import { PasskeyAnswer } from '../../contract/device.ts';
import { Id } from '../../contract/field-types.ts';
import { PageEventRequest } from '../../contract/page-event.ts';
import { SandboxRequest } from '../../contract/sandbox.ts';
import type { App } from '../app-type.ts';
import type { HttpLimits } from '../guards/limits.ts';
import { forbidCaching } from '../guards/no-store.ts';
import { acceptUnreadBytes, limitUploads, readUploadBody } from '../guards/upload-bodies.ts';
import type { HttpServices } from '../services.ts';
import { linkOf, sentBy } from './capture-link.ts';
import { CONFLICTS, refuseStep } from './capture-refusals.ts';

const LinkPath = Type.Object({ token: Type.String({ pattern: '^[A-Za-z0-9_-]{1,128}$' }) });
const CapturePath = Type.Object({
  ...LinkPath.properties,
  capture_id: Id('cap'),
});
const hide = true;

export function captureApiRoutes(app: App, services: HttpServices, limits: HttpLimits): void {
  forbidCaching(app);
  flowRoutes(app, services);
  sandboxRoute(app, services);
  captureRoutes(app, services);
  uploadRoute(app, services, limits);
  outcomeRoutes(app, services, limits);
}

/**
 * A challenge that is tied to a browser continues only there. The cookie shows that: the token of a device that has
 * started can be passed on, the cookie cannot.
 */
function requireSameBrowser({ browserTie: tie }: Pick<HttpServices, 'browserTie'>) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const { token } = request.params as { token: string };
    if (tie === null || (await tie.mayTake(token, request.cookies[tie.cookie]))) return undefined;
    // `tied`: a later start is refused too, so the page offers none.
    return reply.problem('state-conflict', {
      detail: CONFLICTS.other_device,
      extensions: { conflict: 'other_device', tied: true },
    });
  };
}

function flowRoutes(app: App, services: HttpServices): void {
  const { challenges } = services;
  const preHandler = requireSameBrowser(services);
  app.post(
    '/c/:token/state',
    { schema: { hide, params: LinkPath, body: DeviceRequest } },
    async (request, reply) => {
      const outcome = await challenges.state(sentBy(request).link);
      return outcome.status === 'ok' ? reply.send(outcome.state) : refuseStep(reply, outcome);
    },
  );
  app.post(
    '/c/:token/start',
    { preHandler, schema: { hide, params: LinkPath, body: DeviceRequest } },
    async (request, reply) => {
      const { link } = sentBy(request);
      const outcome = await challenges.start(link);
      if (outcome.status !== 'ok') return refuseStep(reply, outcome);
      // A figure less is no reason to keep the person waiting, or to turn them away.
      services.noteBrowser(link.token, request.headers['user-agent']).catch((err: unknown) => {
        request.log.warn({ err }, 'the browser of a challenge was not noted');
      });
      return reply.send(outcome.answer);
    },
  );
  app.post(
    '/c/:token/consent',
    { preHandler, schema: { hide, params: LinkPath, body: ofDevice(ConsentRequest) } },
    async (request, reply) => {
      const { link, body } = sentBy(request);
      const outcome = await challenges.consent(link, body);
      return outcome.status === 'ok' ? reply.send(outcome.state) : refuseStep(reply, outcome);
    },
  );
  app.post(
    '/c/:token/events',
    { preHandler, schema: { hide, params: LinkPath, body: ofDevice(PageEventRequest) } },
    async (request, reply) => {
      const { link, body } = sentBy(request);
      const outcome = await challenges.recordEvent(link, body);
      return outcome.status === 'ok' ? reply.code(204).send() : refuseStep(reply, outcome);
    },
  );
}

/** The sandbox's buttons, which settle a challenge without a recording. */
function sandboxRoute(app: App, services: HttpServices): void {
  app.post(
    '/c/:token/sandbox',
    { schema: { hide, params: LinkPath, body: ofDevice(SandboxRequest) } },
    async (request, reply) => {
      const { link, body } = sentBy(request);
      const outcome = await services.challenges.settleInSandbox(link, body.outcome);
      return outcome.status === 'ok' ? reply.code(204).send() : refuseStep(reply, outcome);
    },
  );
}

function captureRoutes(app: App, services: HttpServices): void {
  const { challenges } = services;
  app.post(
    '/c/:token/captures',
    {
      preHandler: requireSameBrowser(services),
      schema: { hide, params: LinkPath, body: ofDevice(IssueRequest) },
    },
    async (request, reply) => {
      const { link, body } = sentBy(request);
      const outcome = await challenges.issueCapture(link, body);
      if (outcome.status === 'paused') {
        return reply.problem('featid-paused', { retryAfterSeconds: outcome.retryAfterSeconds });
      }
      return outcome.status === 'ok' ? reply.code(201).send(outcome.capture) : refuseStep(reply, outcome);
    },
  );
  app.get(
    '/c/:token/captures/:capture_id',
    { schema: { hide, params: CapturePath } },
    async (request, reply) => {
      const outcome = await challenges.progress(linkOf(request), request.params.capture_id);
      return outcome.status === 'ok' ? reply.send(outcome.progress) : refuseStep(reply, outcome);
    },
  );
  app.post(
    '/c/:token/captures/:capture_id/commit',
    { schema: { hide, params: CapturePath, body: ofDevice(CommitRequest) } },
    async (request, reply) => {
      const { link, body } = sentBy(request);
      const outcome = await challenges.commit(link, request.params.capture_id, body);
      return answerReceived(reply, outcome);
    },
  );
  app.post(
    '/c/:token/captures/:capture_id/passkey',
    { schema: { hide, params: CapturePath, body: ofDevice(PasskeyAnswer) } },
    async (request, reply) => {
      const { link, body } = sentBy(request);
      const outcome = await challenges.answerPasskey(link, request.params.capture_id, body);
      return answerReceived(reply, outcome);
    },
  );
  app.post(
    '/c/:token/captures/:capture_id/slices',
    { schema: { hide, params: CapturePath, body: ofDevice(SlicesRequest) } },
    async (request, reply) => {
      const { link, body } = sentBy(request);
      const outcome = await challenges.announce(link, request.params.capture_id, body);
      return answerReceived(reply, outcome);
    },
  );
}

const CONTINUE_FROM = { wrong_offset: 'received_bytes', wrong_slice: 'announced_slices' } as const;

/** Answers an upload step with what the server has received, even if it was the wrong step. */
function answerReceived(reply: FastifyReply, outcome: UploadOutcome): FastifyReply {
  switch (outcome.status) {
    case 'ok':
      return reply.send(outcome.received);
    case 'wrong_offset':
    case 'wrong_slice':
      return reply.problem('state-conflict', {
        detail: `Continue from ${CONTINUE_FROM[outcome.status]}.`,
        extensions: { ...outcome.received, conflict: outcome.status },
      });
    default:
      return refuseStep(reply, outcome);
  }
}

/**
 * Chunks of a recording, and bytes that try their way: in a scope of their own, so that no other route accepts bytes.
 */
function uploadRoute(app: App, services: HttpServices, limits: HttpLimits): void {
  app.register(async (scope: App) => {
    limitUploads(scope, limits);
    // Bodies are read only when needed: most of what an attacker sends is refused without them.
    acceptUnreadBytes(scope, limits.chunkBytes);
    const readerOf = (request: Pick<FastifyRequest, 'body' | 'raw'>) => async () =>
      request.body instanceof Readable ? readUploadBody(request.raw, limits.chunkBytes) : Buffer.alloc(0);
    const Offset = Type.Object(
      { offset: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }) },
      { additionalProperties: false },
    );
    scope.post(
      '/c/:token/captures/:capture_id/bytes',
      { schema: { hide, params: CapturePath, querystring: Offset } },
      async (request, reply) => {
        const { capture_id } = request.params;
        const { offset } = request.query;
        const read = readerOf(request);
        const outcome = await services.challenges.acceptBytes(linkOf(request), capture_id, offset, read);
        return answerReceived(reply, outcome);
      },
    );
    // To whatever is on the way it looks like a chunk.
    scope.post(
      '/c/:token/captures/trial/bytes',
      { schema: { hide, params: LinkPath } },
      async (request, reply) => {
        const outcome = await services.challenges.tryWay(linkOf(request), readerOf(request));
        return outcome.status === 'ok' ? reply.code(204).send() : refuseStep(reply, outcome);
      },
    );
  });
}

function outcomeRoutes(app: App, services: HttpServices, limits: HttpLimits): void {
  const Wait = Type.Object(
    {
      wait_seconds: Type.Optional(
        Type.Integer({ minimum: 0, maximum: limits.maxOutcomeWaitSeconds, default: 0 }),
      ),
    },
    { additionalProperties: false },
  );
  // A closing server does not wait for long polls.
  const closing = new AbortController();
  app.addHook('preClose', (done) => {
    closing.abort();
    done();
  });
  app.get(
    '/c/:token/outcome',
    { schema: { hide, params: LinkPath, querystring: Wait } },
    async (request, reply) => {
      const disconnected = new AbortController();
      reply.raw.once('close', () => disconnected.abort());
      const signal = AbortSignal.any([disconnected.signal, closing.signal]);
      const waitMs = (request.query.wait_seconds ?? 0) * 1000;
      const link = linkOf(request);
      // A proxy that cuts off the long wait is found by waiting.
      if (link.token === TRIAL_LINK) await delay(waitMs, undefined, { signal }).catch(() => {});
      const outcome = await services.challenges.outcome(link, waitMs, signal);
      return outcome.status === 'ok' ? reply.send(outcome.outcome) : refuseStep(reply, outcome);
    },
  );
  app.get('/c/:token/logo', { schema: { hide, params: LinkPath } }, async (request, reply) => {
    const outcome = await services.challenges.logo(linkOf(request));
    if (outcome.status === 'not_found') return reply.problem('not-found');
    return reply.type('image/png').header('cache-control', 'private, max-age=600').send(outcome.png);
  });
}
