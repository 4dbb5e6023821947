// A FeatureID from one picture: the only route that reads pictures from clients. Its body is bytes, not JSON.
import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream';
import type { FastifyReply } from 'fastify';
import {
  PICTURE_FAULTS,
  PICTURE_TYPES,
  type PictureFault,
  type PictureFeatid,
} from '../../contract/picture.ts';
import type { App } from '../app-type.ts';
import {
  COMMON_PROBLEMS,
  IDEMPOTENCY_PROBLEMS,
  IdempotencyHeaders,
  problemResponses,
  refTo,
} from '../documents/openapi.ts';
import { callerOf } from '../guards/authentication.ts';
import { limitConcurrency } from '../guards/concurrency-limits.ts';
import { idempotencyKeyOf, markReplayed, refuseKey } from '../guards/idempotency.ts';
import type { HttpLimits } from '../guards/limits.ts';
import { readUploadBody } from '../guards/upload-bodies.ts';
import type { HttpServices } from '../services.ts';
import type { HttpSettings } from '../settings.ts';

/** A worker reads a picture in a tenth of a second. */
const RETRY_SECONDS = 2;

/** A scope of its own below the API's: it accepts pictures, not JSON. */
export function pictureRoutes(services: HttpServices, settings: HttpSettings, limits: HttpLimits) {
  return async (scope: App) => {
    const bound = { of: 'all', most: limits.picturesAtOnce, kind: 'saturated' } as const;
    limitConcurrency(scope, { what: 'pictures', boundsOf: () => [bound], retryAfterSeconds: RETRY_SECONDS });
    scope.removeAllContentTypeParsers();
    // The bytes decide; `image/jpg` is no type, but what many programs send.
    scope.addContentTypeParser([...PICTURE_TYPES, 'image/jpg'], (_request, body, done) => done(null, body));
    enrolRoute(scope, services, settings.maxPictureBytes);
  };
}

const BINARY = { schema: { type: 'string', format: 'binary' } };

function enrolRoute(app: App, services: HttpServices, maxBytes: number): void {
  app.route({
    method: 'POST',
    url: '/v1/featids',
    bodyLimit: maxBytes,
    // The body is a stream of bytes; a worker checks it.
    validatorCompiler: ({ httpPart, schema }) =>
      httpPart === 'body' ? () => true : app.validatorCompiler!({ httpPart, schema } as never),
    schema: {
      operationId: 'createFeatid',
      tags: ['FeatureIDs'],
      summary: 'Make a FeatureID from a picture',
      description:
        'For faces that you already have: a portrait from a document, an HR system or another vendor. The body is the picture itself (JPEG, PNG, WebP or BMP, at most 10 MB unless configured otherwise), of one person who looks straight ahead. The response contains a FeatureID to compare challenges with. It has `source: image`: **there is no proof that a living person was present**, and every result that compares with it says so in `diagnostics.compared_sources`. The picture is not stored. Error rates: [recognition](/docs/guides/pictures).',
      headers: IdempotencyHeaders,
      body: { content: Object.fromEntries(PICTURE_TYPES.map((type) => [type, BINARY])) },
      response: {
        201: {
          description: 'Created',
          content: { 'application/json': { schema: refTo<PictureFeatid>('PictureFeatid') } },
        },
        ...problemResponses(
          ...COMMON_PROBLEMS,
          ...IDEMPOTENCY_PROBLEMS,
          'request-timeout',
          'too-large',
          'unsupported-media-type',
          'picture-unusable',
        ),
      },
    },
    handler: async (request, reply) => {
      const key = idempotencyKeyOf(request);
      const body = request.body as unknown as IncomingMessage | null | undefined;
      const picture = body ? await readUploadBody(body, maxBytes) : Buffer.alloc(0);
      if (picture.length === 0) return refusePicture(reply, 'picture_empty');
      const gone = new AbortController();
      finished(reply.raw, () => gone.abort());
      const { signal } = gone;
      const outcome = await services.pictures.enrol(callerOf(request), picture, {
        idempotencyKey: key,
        signal,
      });
      if (outcome.status === 'in_flight' || outcome.status === 'key_reused')
        return refuseKey(reply, outcome.status);
      if (outcome.status === 'saturated')
        return reply.problem('saturated', {
          detail: 'No worker was free for the picture.',
          retryAfterSeconds: RETRY_SECONDS,
        });
      if (outcome.replayed) markReplayed(reply);
      if (outcome.status === 'made') return reply.code(201).send(outcome.featid);
      return refusePicture(reply, outcome.fault);
    },
  });
}

function refusePicture(reply: FastifyReply, fault: PictureFault): FastifyReply {
  return reply.problem('picture-unusable', {
    errors: [{ pointer: '', code: fault, detail: PICTURE_FAULTS[fault] }],
  });
}
