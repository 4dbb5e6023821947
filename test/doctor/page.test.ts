// `likeness doctor --url`: what proxies break is named; a service that nothing stands before is found whole.
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Check } from '../../src/doctor/check.ts';
import { checkPage } from '../../src/doctor/page.ts';
import type { Waits } from '../../src/doctor/page-waits.ts';
import { createHttpRig, type HttpRig } from '../http/http-rig.ts';

const PAGE = join(import.meta.dirname, '../../build/web/capture');

let rig: HttpRig;
let origin: string;
beforeAll(async () => {
  rig = await createHttpRig({ settings: { capturePageDir: PAGE } });
  origin = await rig.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => rig.close());

interface Proxy {
  /** Passes a request on only once it is whole. */
  readonly buffers?: true;
  /** Cuts a connection on which a request pauses, or an answer is waited for, for longer. */
  readonly patienceMs?: { readonly request?: number; readonly answer?: number };
  readonly refuses?: (bytes: number, type: string) => boolean;
  readonly asks?: (headers: IncomingHttpHeaders) => void;
  /** Changes headers and body of the page. */
  readonly answers?: (headers: Record<string, string | string[] | undefined>, body: string) => string;
}

/** A proxy that sets a header of the page, given what the service sent. */
const header = (name: string, to: (sent: string) => string | string[]): Proxy => ({
  answers: (headers, body) => {
    headers[name] = to(`${headers[name]}`);
    return body;
  },
});

/** A proxy that takes a header from the page. */
const withoutHeader = (name: string): Proxy => ({
  answers: (headers, body) => {
    delete headers[name];
    return body;
  },
});

let server: Server | undefined;
afterEach(() => server?.close());

/** Starts the proxy; resolves with its address. */
async function start({ buffers, patienceMs, refuses, asks, answers }: Proxy): Promise<URL> {
  server = createServer(async (incoming, response) => {
    const headers = { ...incoming.headers };
    if (refuses?.(Number(headers['content-length'] ?? 0), headers['content-type'] ?? ''))
      return response.writeHead(403, { 'content-type': 'text/html' }).end('<h1>Blocked</h1>');
    asks?.(headers);
    const { request: pauseMs, answer: silenceMs } = patienceMs ?? {};
    if (pauseMs !== undefined) closeAfter(pauseMs, incoming, response);
    const whole = buffers && (await buffer(incoming).catch(() => null));
    if (whole === null) return;
    const passed = request(`${origin}${incoming.url}`, { method: incoming.method!, headers });
    passed.on('error', () => response.destroy());
    // Also where somebody leaves amidst a body.
    response.on('close', () => passed.destroy());
    if (silenceMs !== undefined) {
      const timer = setTimeout(() => passed.destroy(), silenceMs);
      passed.on('response', () => clearTimeout(timer));
    }
    passed.on('response', async (answer) => {
      const sent: Record<string, string | string[] | undefined> = { ...answer.headers };
      let bytes = await buffer(answer);
      if (answers && `${sent['content-type']}`.startsWith('text/html')) {
        bytes = Buffer.from(answers(sent, bytes.toString()));
        sent['content-length'] = String(bytes.length);
      }
      response.writeHead(answer.statusCode!, sent).end(bytes);
    });
    if (whole) passed.end(whole);
    else incoming.pipe(passed);
  });
  await new Promise<void>((done) => server!.listen(0, '127.0.0.1', done));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

/** Answers 408 where a request pauses for too long. */
function closeAfter(pauseMs: number, incoming: IncomingMessage, response: ServerResponse): void {
  const close = () => {
    if (!response.headersSent) response.writeHead(408, { connection: 'close' }).end('<h1>Too slow</h1>');
  };
  let timer = setTimeout(close, pauseMs);
  incoming.on('data', () => {
    clearTimeout(timer);
    timer = setTimeout(close, pauseMs);
  });
  incoming.on('close', () => clearTimeout(timer)).on('end', () => clearTimeout(timer));
}

/** As short as they can be told apart. */
const WAITS: Waits = { bufferMs: 1_500, pauseMs: 600, holdSeconds: 1 };

async function behind(proxy: Proxy): Promise<Record<string, string>> {
  return statuses(await checkPage(await start(proxy), WAITS));
}

const statuses = (checks: readonly Check[]) =>
  Object.fromEntries(checks.map(({ name, status }) => [name, status]));

const WHOLE = {
  page: 'ok',
  'request headers': 'ok',
  'content policy': 'ok',
  camera: 'ok',
  'page as sent': 'ok',
  scripts: 'ok',
  recordings: 'ok',
  buffering: 'ok',
  'slow requests': 'ok',
  'held answers': 'ok',
};

it('finds nothing to mend where nothing stands before the service, or a proxy that leaves it alone', async () => {
  expect(statuses(await checkPage(new URL(origin), WAITS))).toEqual(WHOLE);
  const { path } = await rig.create({ liveness_only: true });
  expect(statuses(await checkPage(new URL(path, origin), WAITS))).toEqual(WHOLE);
  expect(await behind({})).toEqual(WHOLE);
});

it.each<[string, Proxy, string, string]>([
  [
    'a second content policy',
    header('content-security-policy', (own) => [own, "default-src 'self'"]),
    'content policy',
    'failed',
  ],
  [
    'a camera that the whole site forbids',
    header('permissions-policy', (own) => [own, 'camera=(), microphone=()']),
    'camera',
    'failed',
  ],
  ['files whose type browsers may guess', withoutHeader('x-content-type-options'), 'page as sent', 'failed'],
  ['`nosniff` sent twice', header('x-content-type-options', (own) => [own, own]), 'page as sent', 'failed'],
  ['a cache', header('cache-control', () => 'public, max-age=600'), 'page as sent', 'failed'],
  [
    'an optimiser that adds a script',
    { answers: (_, body) => body.replace('</body>', '<script src="/loader.js" defer></script></body>') },
    'page as sent',
    'failed',
  ],
  [
    'headers that are dropped',
    { asks: (headers) => delete headers['x-request-id'] },
    'request headers',
    'warning',
  ],
  [
    'compression that is switched off',
    { asks: (headers) => delete headers['accept-encoding'] },
    'scripts',
    'warning',
  ],
  ['a limit of 64 kB', { refuses: (bytes) => bytes > 65_536 }, 'recordings', 'failed'],
  ['requests that are held back until they are whole', { buffers: true }, 'buffering', 'warning'],
  ['a short patience with requests', { patienceMs: { request: 200 } }, 'slow requests', 'failed'],
  ['a short patience with answers', { patienceMs: { answer: 800 } }, 'held answers', 'failed'],
])('names %s, and nothing else', async (_, proxy, name, status) => {
  expect(await behind(proxy)).toEqual({ ...WHOLE, [name]: status });
});

it('names a firewall that knows only forms, and does not guess what else it does', async () => {
  const found = await behind({ refuses: (_, type) => type.includes('octet-stream') });
  expect(found).toEqual({ ...WHOLE, recordings: 'failed', buffering: 'notEvaluated' });
});

it('says after how many seconds a proxy loses its patience', async () => {
  const address = await start({ patienceMs: { request: 200, answer: 800 } });
  const checks = await checkPage(address, WAITS);
  expect(checks.find(({ name }) => name === 'slow requests')?.detail).toMatch(/after 0\.\d s \(408\)$/);
  expect(checks.find(({ name }) => name === 'held answers')?.detail).toMatch(/after [01]\.\d s \(/);
});

it('says so when the answer is not the service’s, or nobody answers', async () => {
  server = createServer((_request, response) => response.end('<h1>Welcome to nginx!</h1>'));
  await new Promise<void>((done) => server!.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  expect(await checkPage(new URL(`http://127.0.0.1:${port}`))).toMatchObject([
    { name: 'page', status: 'failed' },
  ]);
  server.close();
  expect(await checkPage(new URL('http://127.0.0.1:9'))).toMatchObject([{ name: 'page', status: 'failed' }]);
});
