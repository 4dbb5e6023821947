// A double of the server for tests of the capture page alone: the page's HTTP surface, in memory, as strict as the
// contract (device, consent, hash, offsets). Test code only; test/end-to-end drives the real server.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type {
  CaptureOutcome,
  CaptureProgressState,
  CaptureState,
  CommitRequest,
  ConsentRequest,
} from '../../../src/contract/capture-page.ts';
import { acceptedLanguages, chooseLanguage } from '../../../src/contract/languages.ts';
import type { ScriptStep } from '../../../src/contract/script.ts';
import { readCapturePages } from '../../../src/http/capture-html.ts';
import { sampleState } from '../../../web/capture/gallery/sample.ts';

export const BUILD_DIR = resolve(import.meta.dirname, '../../../build/web/capture');
export const LINK_TOKEN = 'q7Yw2mZ0t5n3VbR8xKcA1eJ4uL6oPgDsHfTiNzWvQyE';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.bin': 'application/octet-stream',
  '.html': 'text/html; charset=utf-8',
};

export const SHORT_SCRIPT: ScriptStep[] = [
  { prompt: 'neutral', from_ms: 0, to_ms: 900 },
  { prompt: 'smile', from_ms: 900, to_ms: 2000 },
  { prompt: 'turn_left', from_ms: 2000, to_ms: 2900 },
];

export interface CaptureRecord {
  readonly id: string;
  state: CaptureProgressState;
  commit: CommitRequest | null;
  bytes: Buffer;
}

/** Everything that a test may set before or while the page runs, and look at afterwards. */
export interface Behaviour {
  state: CaptureState;
  steps: ScriptStep[];
  chunkBytes: number;
  /** Called before each PATCH is taken: 'drop' cuts the connection before, 'lose' after the bytes were taken. */
  onAppend: (offset: number, count: number) => 'take' | 'drop' | 'lose' | Promise<'take' | 'drop' | 'lose'>;
  /** What the nth submitted capture leads to. */
  judge: (submission: number) => CaptureOutcome | Promise<CaptureOutcome>;
  logo: Buffer | null;
  /** Paths of assets that answer 503. */
  brokenAssets: RegExp | null;
  /** Challenge that GET /frame frames. */
  framedUrl: string;
}

export interface PageServer {
  readonly url: string;
  readonly behaviour: Behaviour;
  readonly captures: CaptureRecord[];
  readonly consents: ConsentRequest[];
  readonly events: string[];
  /** Paths of every request, in order, without the challenge's part. */
  readonly requests: string[];
  readonly devices: Set<string>;
  close(): Promise<void>;
}

/** A Worker lives under the policy of its own file. */
const WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

export const DONE: CaptureOutcome = { status: 'done', retry: null, redirect_url: null, estimate_ms: 0 };

export async function startPageServer(change: Partial<Behaviour> = {}): Promise<PageServer> {
  const behaviour: Behaviour = {
    state: sampleState(),
    steps: SHORT_SCRIPT,
    chunkBytes: 262_144,
    onAppend: () => 'take',
    judge: () => DONE,
    logo: null,
    brokenAssets: null,
    framedUrl: '',
    ...change,
  };
  const app = fastify({ bodyLimit: 30_000_000, forceCloseConnections: true });
  const server = {
    behaviour,
    captures: [] as CaptureRecord[],
    consents: [] as ConsentRequest[],
    events: [] as string[],
    requests: [] as string[],
    devices: new Set<string>(),
  };
  app.addHook('onRequest', async (request) => {
    server.requests.push(`${request.method} ${request.url.replace(`/c/${LINK_TOKEN}`, '')}`);
  });
  app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  routePage(app, behaviour);
  routeChallenge(app, server);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  behaviour.framedUrl = `${url}/c/${LINK_TOKEN}`;
  return { ...server, url: behaviour.framedUrl, close: () => app.close() };
}

function routePage(app: FastifyInstance, behaviour: Behaviour): void {
  const pages = readCapturePages(BUILD_DIR, '*');
  app.get('/c/:token', async (request, reply) => {
    const { lang } = request.query as { lang?: string };
    const wishes = acceptedLanguages(request.headers['accept-language'] ?? '');
    const page = pages.live(behaviour.state, chooseLanguage([...(lang ? [lang] : []), ...wishes]));
    return reply
      .header('content-security-policy', page.policy)
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'no-referrer')
      .header('permissions-policy', 'camera=(self)')
      .type('text/html; charset=utf-8')
      .send(page.html);
  });
  app.get('/c/:token/logo', async (_request, reply) =>
    behaviour.logo ? reply.type('image/png').send(behaviour.logo) : reply.code(404).send({}),
  );
  app.get('/assets/capture/*', async (request, reply) =>
    behaviour.brokenAssets?.test(request.url)
      ? reply.code(503).send({})
      : sendAsset(
          BUILD_DIR,
          '/assets/capture/',
          request,
          reply.header('content-security-policy', WORKER_POLICY),
        ),
  );
  app.get('/documented', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(documentedFrame(behaviour.framedUrl)),
  );
  // A client's page that frames the challenge; opened as localhost it is of another origin.
  app.get('/frame', async (request, reply) => {
    const { camera } = request.query as { camera?: string };
    const allow = camera === 'withheld' ? '' : 'allow="camera"';
    return reply.type('text/html; charset=utf-8').send(
      `<script>window.told = []; addEventListener('message', (event) => told.push(event.data))</script>
       <iframe src="${behaviour.framedUrl}" ${allow} width="390" height="700"></iframe>`,
    );
  });
}

/** The example of docs/guides/embedding.md, as it stands there. */
function documentedFrame(challengeUrl: string): string {
  const guide = readFileSync(resolve(import.meta.dirname, '../../../docs/guides/embedding.md'), 'utf8');
  const example = /^```html\n(.*?)^```$/ms.exec(guide)![1];
  return `<meta name="challenge-url" content="${challengeUrl}">${example}`;
}

export function sendAsset(folder: string, prefix: string, request: FastifyRequest, reply: FastifyReply) {
  const file = join(folder, new URL(request.url, 'http://localhost').pathname.slice(prefix.length));
  if (!file.startsWith(folder) || !existsSync(file)) return reply.code(404).send({});
  const brotli = existsSync(`${file}.br`) && /\bbr\b/.test(request.headers['accept-encoding'] ?? '');
  if (brotli) reply.header('content-encoding', 'br');
  return reply
    .type(TYPES[extname(file)] ?? 'application/octet-stream')
    .send(readFileSync(brotli ? `${file}.br` : file));
}

function routeChallenge(app: FastifyInstance, server: Omit<PageServer, 'url' | 'close'>): void {
  const { behaviour, captures, consents, events, devices } = server;
  const problem = (reply: FastifyReply, status: number, more: object = {}) =>
    reply
      .code(status)
      .type('application/problem+json')
      .send({ status, ...more });
  const device = (request: FastifyRequest) => String(request.headers['likeness-device'] ?? '');
  const guarded = (request: FastifyRequest, reply: FastifyReply): FastifyReply | null => {
    const { status } = behaviour.state;
    if (status === 'expired' || status === 'cancelled') return problem(reply, 410);
    if (devices.size > 0 && !devices.has(device(request))) {
      return problem(reply, 409, { conflict: 'other_device' });
    }
    return null;
  };
  const captureOf = (request: FastifyRequest) =>
    captures.find(({ id }) => id === (request.params as { id: string }).id);
  const progress = (capture: CaptureRecord) => ({
    id: capture.id,
    state: capture.state,
    received_bytes: capture.bytes.length,
    size_bytes: capture.commit?.size_bytes ?? null,
  });
  const mirrorCapture = (capture: CaptureRecord) => {
    behaviour.state = { ...behaviour.state, capture: progress(capture) };
  };

  app.get('/c/:token/state', async (request, reply) => guarded(request, reply) ?? behaviour.state);
  app.post('/c/:token/start', async (request, reply) => {
    const refusal = guarded(request, reply);
    if (refusal) return refusal;
    devices.add(device(request));
    behaviour.state = { ...behaviour.state, status: 'initiated', device_bound: true };
    return { device_token: device(request), state: behaviour.state };
  });
  app.post('/c/:token/consent', async (request, reply) => {
    const refusal = guarded(request, reply);
    if (refusal) return refusal;
    const body = request.body as ConsentRequest;
    consents.push(body);
    const { consent } = behaviour.state;
    behaviour.state = { ...behaviour.state, consent: { ...consent, given: body.decision === 'given' } };
    return behaviour.state;
  });
  app.post('/c/:token/events', async (request, reply) => {
    events.push((request.body as { name: string }).name);
    return reply.code(204).send();
  });
  app.post('/c/:token/captures', async (request, reply) => {
    const refusal = guarded(request, reply);
    if (refusal) return refusal;
    const { consent } = behaviour.state;
    if (devices.size === 0 || (consent.required && !consent.given)) return problem(reply, 409);
    for (const capture of captures) {
      if (capture.state === 'issued' || capture.state === 'committed') capture.state = 'abandoned';
    }
    const capture: CaptureRecord = {
      id: `cap_${captures.length + 1}`,
      state: 'issued',
      commit: null,
      bytes: Buffer.alloc(0),
    };
    captures.push(capture);
    mirrorCapture(capture);
    return reply.code(201).send({
      capture_id: capture.id,
      script: { steps: behaviour.steps },
      max_bytes: 20_000_000,
      chunk_bytes: behaviour.chunkBytes,
      commit_within_ms: 10_000,
    });
  });
  app.post('/c/:token/captures/:id/commit', async (request, reply) => {
    const capture = captureOf(request);
    if (capture?.state !== 'issued') return problem(reply, 409);
    capture.commit = request.body as CommitRequest;
    capture.state = 'committed';
    mirrorCapture(capture);
    return { received_bytes: 0, state: capture.state };
  });
  app.get('/c/:token/captures/:id', async (request, reply) => {
    const capture = captureOf(request);
    return guarded(request, reply) ?? (capture ? progress(capture) : problem(reply, 404));
  });
  app.patch('/c/:token/captures/:id', async (request, reply) => {
    const capture = captureOf(request);
    if (capture?.state !== 'committed' || !capture.commit) return problem(reply, 409);
    const offset = Number((request.query as { offset: string }).offset);
    const body = request.body as Buffer;
    const fate = await behaviour.onAppend(offset, body.length);
    if (fate === 'drop') return request.raw.socket.destroy();
    if (offset !== capture.bytes.length || body.length > behaviour.chunkBytes) {
      return problem(reply, 409, { received_bytes: capture.bytes.length });
    }
    capture.bytes = Buffer.concat([capture.bytes, body]);
    if (capture.bytes.length === capture.commit.size_bytes) {
      const hash = createHash('sha256').update(capture.bytes).digest('hex');
      if (hash !== capture.commit.sha256) return problem(reply, 422);
      capture.state = 'submitted';
      behaviour.state = { ...behaviour.state, status: 'processing' };
    }
    mirrorCapture(capture);
    if (fate === 'lose') return request.raw.socket.destroy();
    return { received_bytes: capture.bytes.length, state: capture.state };
  });
  app.get('/c/:token/outcome', async (request, reply) => {
    const refusal = guarded(request, reply);
    if (refusal) return refusal;
    const submissions = captures.filter(({ state }) => state === 'submitted' || state === 'rejected');
    const outcome = await behaviour.judge(submissions.length);
    const last = captures.at(-1);
    if (outcome.status === 'done') behaviour.state = { ...behaviour.state, status: 'completed' };
    if (outcome.status === 'retry' && outcome.retry && last) {
      last.state = 'rejected';
      const { reason, tries_left: triesLeft } = outcome.retry;
      behaviour.state = {
        ...behaviour.state,
        status: 'initiated',
        retry_reason: reason,
        tries_left: triesLeft,
        capture: null,
      };
    }
    return outcome;
  });
}
