// Requests that never reach fastify: broken HTTP, headers too large, too slow. Answered on the bare socket.
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { PROBLEMS, type ProblemKind } from '../../contract/problem.ts';
import { problemBody } from '../problems/problem-reply.ts';
import { newRequestId } from './request-id.ts';

/** A fastify `clientErrorHandler`: writes a problem if the socket still accepts one, then closes it. */
export function refuseBrokenRequests(baseUrl: string) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    // A response that has begun must not be followed by a second one.
    if (socket.writable && !answerBegun(socket)) socket.write(rawAnswer(baseUrl, kindOf(error.code)));
    socket.destroy(error);
  };
}

function kindOf(code: string | undefined): ProblemKind {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request-timeout';
  return code === 'HPE_HEADER_OVERFLOW' ? 'headers-too-large' : 'bad-request';
}

function answerBegun(socket: Socket): boolean {
  const message = (socket as { _httpMessage?: { headersSent?: boolean } })._httpMessage;
  return message?.headersSent === true;
}

function rawAnswer(baseUrl: string, kind: ProblemKind): string {
  const { status } = PROBLEMS[kind];
  const requestId = newRequestId();
  const body = JSON.stringify(problemBody(baseUrl, kind, requestId));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
