// Answers every error of the HTTP surface as RFC 9457 problem+json.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseUnavailable } from '../../base/database-unavailable.ts';
import { Fault } from '../../base/errors.ts';
import { PICTURE_TYPES } from '../../contract/picture.ts';
import {
  type FieldFault,
  PROBLEMS,
  type Problem,
  type ProblemExtensions,
  type ProblemKind,
} from '../../contract/problem.ts';
import { InvalidFields } from './field-faults.ts';

/**
 * What a problem says in addition to its kind. `detail` (default: the cause of the kind) is shown to the client: no
 * secrets, no internals.
 */
export interface ProblemOptions {
  readonly detail?: string;
  readonly errors?: readonly FieldFault[];
  readonly retryAfterSeconds?: number;
  readonly extensions?: ProblemExtensions;
}

/** A problem thrown by a hook or a parser; handlers answer with `reply.problem` instead. */
export class HttpProblem extends Error {
  readonly kind: ProblemKind;
  readonly options: ProblemOptions;

  constructor(kind: ProblemKind, options: ProblemOptions = {}) {
    super(options.detail ?? PROBLEMS[kind].title);
    this.name = 'HttpProblem';
    this.kind = kind;
    this.options = options;
  }
}

declare module 'fastify' {
  interface FastifyReply {
    /** Answers with problem+json of this kind. */
    problem(kind: ProblemKind, options?: ProblemOptions): FastifyReply;
  }
}

/** The body of a problem. `requestId` is the value of X-Request-Id. */
export function problemBody(
  baseUrl: string,
  kind: ProblemKind,
  requestId: string,
  options: ProblemOptions = {},
): Problem & ProblemExtensions {
  const { status, title } = PROBLEMS[kind];
  return {
    type: `${baseUrl}/docs/errors/${kind}`,
    title,
    status,
    detail: options.detail ?? PROBLEMS[kind].cause.replaceAll('`', ''),
    instance: requestId,
    ...(options.errors === undefined ? {} : { errors: [...options.errors] }),
    ...options.extensions,
  };
}

/** Errors of fastify and its plugins that have a problem kind of their own. */
const KIND_OF_ERROR: Readonly<Record<string, ProblemKind>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-media-type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'too-large',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed-json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed-json',
  FST_ERR_MAX_PARAM_LENGTH: 'not-found',
  FST_ERR_NOT_FOUND: 'not-found',
};

/** Types of bodies that routes read. */
const BODY_TYPES = [
  'application/json',
  ...PICTURE_TYPES,
  'application/octet-stream',
  'application/x-www-form-urlencoded',
];
const OR = new Intl.ListFormat('en-GB', { type: 'disjunction' });

export const RETRY_WHEN_SATURATED_SECONDS = 5;

function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof HttpProblem) return reply.problem(error.kind, error.options);
  if (error instanceof InvalidFields) {
    if (error.part === 'params') return reply.problem('not-found');
    if (error.part === 'headers') return reply.problem('bad-request', { detail: headerDetail(error) });
    const inQuery = error.part === 'querystring' && { detail: 'Parameters of the query are not valid.' };
    return reply.problem('validation-failed', { errors: error.faults, ...inQuery });
  }
  const kind = KIND_OF_ERROR[error.code] ?? (isClientError(error) ? 'bad-request' : undefined);
  if (kind) {
    const detail = detailOf(kind, request);
    return reply.problem(kind, detail ? { detail } : {});
  }
  if (error instanceof Fault && error.code === 'ASSET_STORE_FAILED') {
    request.log.error({ err: error }, 'the asset store failed');
    return reply.problem('storage-unavailable', { retryAfterSeconds: RETRY_WHEN_SATURATED_SECONDS });
  }
  if (isDatabaseUnavailable(error)) {
    request.log.warn({ code: error.code }, 'saturated');
    return reply.problem('saturated', { retryAfterSeconds: RETRY_WHEN_SATURATED_SECONDS });
  }
  // Only name, code and stack: drivers attach rows and parameters to their errors.
  request.log.error({ fault: error.name, code: error.code, stack: error.stack }, 'request failed');
  return reply.problem('internal');
}

function detailOf(kind: ProblemKind, { server }: FastifyRequest): string | undefined {
  if (kind === 'malformed-json')
    return 'The body must be one JSON value in UTF-8, without keys that name an object prototype.';
  if (kind !== 'unsupported-media-type') return undefined;
  // `server` is the scope of the route.
  const accepted = BODY_TYPES.filter((type) => server.hasContentTypeParser(type));
  return `Send the body as ${OR.format(accepted.map((type) => `\`${type}\``))}.`;
}

function headerDetail(error: InvalidFields): string {
  return error.faults.map((fault) => `Header ${fault.pointer.slice(1)} ${fault.detail}.`).join(' ');
}

function isClientError(error: FastifyError): boolean {
  return error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500;
}

/** Sends a problem on any reply, including one that fastify made before adding its decorators. */
export function sendProblem(
  reply: FastifyReply,
  baseUrl: string,
  kind: ProblemKind,
  options: ProblemOptions = {},
): FastifyReply {
  if (options.retryAfterSeconds !== undefined) {
    reply.header('retry-after', String(Math.max(1, Math.ceil(options.retryAfterSeconds))));
  }
  return reply
    .code(PROBLEMS[kind].status)
    .type('application/problem+json')
    .header('cache-control', 'no-store')
    .send(JSON.stringify(problemBody(baseUrl, kind, reply.request.id, options)));
}

/** Adds `reply.problem` and the error handler that maps every error to a problem. */
export function addProblemReplies(app: FastifyInstance, baseUrl: string): void {
  app.decorateReply('problem', function problem(this: FastifyReply, kind, options) {
    return sendProblem(this, baseUrl, kind, options);
  });
  app.setErrorHandler(answerError);
}
