// A webhook receiver on 127.0.0.1 that keeps what it is sent and answers as the test tells it to.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly receivedAt: Date;
}

/** Answers one request; the default is an empty 204. */
export type Answer = (request: ReceivedRequest, response: ServerResponse) => void | Promise<void>;

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly requests: ReceivedRequest[];
  /** Sets the answers to the next requests, in order; afterwards `otherwise` answers. */
  script(answers: readonly Answer[], otherwise?: Answer): void;
  /** Resolves when that many requests have arrived in total. */
  received(count: number, timeoutMs?: number): Promise<void>;
  close(): Promise<void>;
}

/** A plain answer. */
export function answer(status: number, headers: Record<string, string> = {}, body = ''): Answer {
  return (_request, response) => {
    response.writeHead(status, headers);
    response.end(body);
  };
}

/** Starts a receiver on a free port. With `tls` it speaks https. */
export async function startReceiver(tls?: { key: string; cert: string }): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const waiting = new Set<() => void>();
  let answers: Answer[] = [];
  let fallback = answer(204);
  const handle = async (request: import('node:http').IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const received = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
      receivedAt: new Date(),
    };
    requests.push(received);
    for (const check of waiting) check();
    await (answers.shift() ?? fallback)(received, response);
  };
  // Some tests let the caller's time limit cut a request.
  const listener = (request: import('node:http').IncomingMessage, response: ServerResponse) =>
    void handle(request, response).catch(() => response.destroy());
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    requests,
    script(next, otherwise = answer(204)) {
      answers = [...next];
      fallback = otherwise;
    },
    received(count, timeoutMs = 10_000) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(check);
          reject(new Error(`${requests.length} of ${count} requests after ${timeoutMs} ms`));
        }, timeoutMs);
        const check = () => {
          if (requests.length < count) return;
          waiting.delete(check);
          clearTimeout(timer);
          resolve();
        };
        waiting.add(check);
        check();
      });
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
