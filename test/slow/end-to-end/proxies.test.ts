// The service behind nginx and Caddy as docs/operations/proxies.md configures them: what a person's browser, a client's
// server and an operator send arrives whole. And behind the same two configured otherwise: what breaks is seen.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterEach, describe, expect, it } from 'vitest';
import { LIMITS } from '../../../src/config/limits.ts';
import { TestApi } from '../../support/api.ts';
import { takeChallenge } from '../../support/capture-subject.ts';
import { HAS_FACES } from '../../support/faces.ts';
import { freePort } from '../../support/free-port.ts';
import { TAKE_TIMEOUT_MS, useJourney } from '../../support/journey.ts';
import {
  CADDY,
  type Changes,
  NGINX,
  type ProxyProgram,
  type RunningProxy,
  startProxy,
} from '../../support/proxies.ts';
import { workerOf } from '../../support/running-service.ts';
import { facePicture } from '../../web/support/browser.ts';

const why = HAS_FACES ? '' : ' (skipped: FACES_DIR is not there)';

/** nginx without the lines of the document, and with short timeouts. */
const BARE_NGINX: Changes = [
  ['client_max_body_size 12m;', ''],
  ['proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;', ''],
  ['proxy_request_buffering off;', 'proxy_read_timeout 10s;\nclient_body_timeout 5s;'],
];
/** Caddy forwards everything by itself, so it must be told to break something. */
const STRICT_CADDY: Changes = [
  [
    'reverse_proxy 127.0.0.1:8080',
    `request_body {
      max_size 1MB
    }
    header Permissions-Policy camera=()
    reverse_proxy 127.0.0.1:8080 {
      header_up -X-Forwarded-For
    }`,
  ],
];

describe.skipIf(!HAS_FACES)(`behind a proxy${why}`, async () => {
  const [port, servicePort] = [await freePort(), await freePort()];
  const journey = useJourney({
    PORT: String(servicePort),
    BASE_URL: `https://127.0.0.1:${port}`,
    TRUST_PROXY: '1',
    WORKER_PROCESSES: '1',
    LIVENESS_LEVEL: 'quick',
  });
  let proxy: RunningProxy;
  afterEach(() => proxy?.stop());
  const start = async (program: ProxyProgram, changes?: Changes) => {
    proxy = await startProxy(program, { port, servicePort }, changes);
  };

  async function ask(path: string, options: RequestOptions, body?: Buffer) {
    const asked = request({ host: '127.0.0.1', port, path, ca: proxy.cert, agent: false, ...options });
    asked.end(body);
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    // Whoever refuses a body may stop reading it after the answer.
    asked.on('error', () => {});
    return {
      status: answer.statusCode,
      type: answer.headers['content-type']?.split(';')[0],
      text: await text(answer),
    };
  }

  /** Enrols a portrait of at least this many bytes. */
  async function enrol(bytes: number) {
    const width = Math.ceil(Math.sqrt(bytes / 3 / 0.75));
    const large = sharp(await facePicture()).resize(width, Math.ceil(width * 0.75));
    const picture = await large.png({ compressionLevel: 0 }).toBuffer();
    const headers = {
      authorization: `Basic ${journey.service.credentials.api_key}`,
      'content-type': 'image/png',
      'content-length': picture.length,
    };
    return ask('/v1/featids', { method: 'POST', headers }, picture);
  }

  /** What `likeness doctor --url` finds wrong. */
  async function diagnose(): Promise<string[]> {
    const args = ['bin/likeness', 'doctor', '--json', '--url', `https://127.0.0.1:${port}`];
    const env = { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: proxy.certFile };
    const { stdout } = await promisify(execFile)(process.execPath, args, { env }).catch((error) => error);
    const { checks } = JSON.parse(stdout) as { checks: { name: string; status: string }[] };
    expect(checks.map(({ name }) => name)).toContain('recordings');
    return checks.flatMap(({ name, status }) => (status === 'ok' ? [] : [`${name}: ${status}`]));
  }

  /** Answers to wrong keys: the last of too many from one client, each with a forged address, and another client's. */
  async function tryKeys(client: string, another: string) {
    const attempt = async (localAddress: string, forged: string) => {
      const headers = { authorization: 'Basic wrong', 'x-forwarded-for': forged };
      return (await ask('/v1/challenges', { localAddress, headers })).status;
    };
    let last: number | undefined;
    for (let time = 0; time <= LIMITS.wrongKeyRatePerMinute; time++)
      last = await attempt(client, `203.0.113.${time}`);
    return { last, another: await attempt(another, '203.0.113.0') };
  }

  /** Takes the challenge before a worker that sleeps until the page has waited in vain for as long as it waits. */
  async function takeSlowly(page: Page, url: string): Promise<object> {
    const worker = workerOf(journey.service);
    let waited: unknown;
    const onScreen = async (screen: string) => {
      if (waited) return;
      if (screen === 'recording') process.kill(worker, 'SIGSTOP');
      if (screen !== 'processing') return;
      const answer = await page.waitForResponse(/\/outcome\?wait_seconds=20$/, { timeout: 60_000 });
      waited = { code: answer.status(), status: (await answer.json()).status };
      process.kill(worker, 'SIGCONT');
    };
    try {
      const { end } = await takeChallenge(page, url, { timeoutMs: TAKE_TIMEOUT_MS, onScreen });
      const protocol = await page.evaluate("performance.getEntriesByType('navigation')[0].nextHopProtocol");
      return { end, waited, protocol };
    } finally {
      process.kill(worker, 'SIGCONT');
    }
  }

  const proxies = [
    {
      program: NGINX,
      clients: ['127.0.0.2', '127.0.0.3'],
      bad: BARE_NGINX,
      // What a client says of its address is passed on.
      breaks: {
        portrait: 413,
        doctor: ['buffering: warning', 'slow requests: failed', 'held answers: failed'],
        keys: { last: 401, another: 401 },
        log: 'buffered to a temporary file',
      },
    },
    {
      program: CADDY,
      clients: ['127.0.0.4', '127.0.0.5'],
      bad: STRICT_CADDY,
      // All clients are one.
      breaks: { portrait: 502, doctor: ['camera: failed'], keys: { last: 429, another: 429 }, log: '' },
    },
  ] as const;
  for (const { program, clients, bad, breaks } of proxies) {
    const absent = program.has ? '' : ` (skipped: ${program.name} is not installed)`;
    describe.skipIf(!program.has)(`${program.name}${absent}`, () => {
      it(
        'carries a capture from its link to its verdict, and a wait of 20 s without a byte',
        async () => {
          await start(program);
          // Not through the proxy, whose certificate this process does not trust.
          const { credentials } = journey.service;
          const api = new TestApi({ url: `http://127.0.0.1:${servicePort}`, credentials });
          const challenge = await api.create({ liveness_only: true, require_consent: false });
          const context = await journey.phone({ who: 'turning' });
          const page = await context.newPage();
          const answers: string[] = [];
          page.on('response', (answer) => answers.push(`${answer.status()} ${answer.url()}`));
          const take = await takeSlowly(page, challenge.challenge_url);
          await context.close();
          expect(take).toEqual({
            end: 'done',
            waited: { code: 200, status: 'processing' },
            protocol: 'h2',
          });
          expect(answers.filter((answer) => !/^20[014] /.test(answer))).toEqual([]);
          for (const step of [/\/slices$/, /\/bytes\?offset=\d{6}/, /\/commit$/])
            expect(answers.join('\n').match(RegExp(step, 'm')), `${step}`).not.toBeNull();
          const result = await api.waitFor(challenge.challenge_id, ['completed']);
          expect(result.overall_result, JSON.stringify(result.diagnostics)).toBe('pass');
        },
        TAKE_TIMEOUT_MS,
      );

      it('carries a portrait of 9 MB, and the refusal of a larger one than the service takes', async () => {
        await start(program);
        expect(await enrol(9_000_000)).toMatchObject({ status: 201 });
        expect(await enrol(10_500_000)).toMatchObject({ status: 413, type: 'application/problem+json' });
        expect(proxy.log()).not.toContain('temporary file');
      });

      it('is found whole by doctor', async () => {
        await start(program);
        expect(await diagnose()).toEqual([]);
      });

      it('says whose request it is, whatever the client says', async () => {
        await start(program);
        expect(await tryKeys(clients[0], clients[1])).toEqual({ last: 429, another: 401 });
      });

      it('is seen to break things when it is configured otherwise', async () => {
        await start(program, bad);
        const portrait = await enrol(9_000_000);
        expect(portrait.status).toBe(breaks.portrait);
        expect(portrait.type).not.toBe('application/problem+json');
        expect(await diagnose()).toEqual(breaks.doctor);
        expect(await tryKeys(clients[0], clients[1])).toEqual(breaks.keys);
        expect(proxy.log()).toContain(breaks.log);
      });
    });
  }
});
