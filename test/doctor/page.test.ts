// `likeness doctor --url`: what proxies break is named; a service that nothing stands before is found whole.
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { checkPage } from '../../src/doctor/page.ts';
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

let server: Server | undefined;
afterEach(() => server?.close());

async function behind({ refuses, asks, answers }: Proxy): Promise<Record<string, string>> {
  server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = Buffer.concat(chunks);
      const headers = { ...incoming.headers };
      if (refuses?.(body.length, headers['content-type'] ?? ''))
        return response.writeHead(403, { 'content-type': 'text/html' }).end('<h1>Blocked</h1>');
      asks?.(headers);
      const passed = request(`${origin}${incoming.url}`, { method: incoming.method!, headers }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part) => parts.push(part));
        answer.on('end', () => {
          const sent: Record<string, string | string[] | undefined> = { ...answer.headers };
          let bytes = Buffer.concat(parts);
          if (answers && `${sent['content-type']}`.startsWith('text/html')) {
            bytes = Buffer.from(answers(sent, bytes.toString()));
            sent['content-length'] = String(bytes.length);
          }
          response.writeHead(answer.statusCode!, sent).end(bytes);
        });
      });
      passed.end(body);
    });
  });
  await new Promise<void>((done) => server!.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const checks = await checkPage(new URL(`http://127.0.0.1:${port}/`));
  return Object.fromEntries(checks.map(({ name, status }) => [name, status]));
}

const WHOLE = {
  page: 'ok',
  'request headers': 'ok',
  'content policy': 'ok',
  camera: 'ok',
  'page as sent': 'ok',
  scripts: 'ok',
  recordings: 'ok',
};

it('finds nothing to mend where nothing stands before the service, or a proxy that leaves it alone', async () => {
  const direct = await checkPage(new URL(origin));
  expect(Object.fromEntries(direct.map(({ name, status }) => [name, status]))).toEqual(WHOLE);
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
  [
    'a firewall that knows only forms',
    { refuses: (_, type) => type.includes('octet-stream') },
    'recordings',
    'failed',
  ],
])('names %s, and nothing else', async (_, proxy, name, status) => {
  expect(await behind(proxy)).toEqual({ ...WHOLE, [name]: status });
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
