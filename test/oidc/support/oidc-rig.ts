// A service that is an OpenID Provider, listening on a real port, and a browser without a page, which keeps cookies and
// follows redirects. Judgements are settled in place of the worker; everything else is as in production.

import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import * as client from 'openid-client';
import { Registry } from 'prom-client';
import { settleJudgement } from '../../../src/challenge/closing/settle-judgement.ts';
import { composeHttpServices, httpSettings } from '../../../src/composition/http.ts';
import { composeOidcAdministration } from '../../../src/composition/oidc/administration.ts';
import { composeLogin } from '../../../src/composition/oidc/login.ts';
import { composeServices } from '../../../src/composition/services.ts';
import type { Limits } from '../../../src/config/limits.ts';
import type { AccessibleWay } from '../../../src/contract/accessible-way.ts';
import type { StartAnswer } from '../../../src/contract/capture-page.ts';
import { createHttpServer } from '../../../src/http/server.ts';
import type { ClientRequest } from '../../../src/oidc/clients.ts';
import { SOME_FACTS } from '../../cli/receipts.ts';
import { createTestFoundation, PACK } from '../../support/foundation.ts';
import { freePort } from '../../support/free-port.ts';
import { PageClient, performedScript } from '../../support/page-client.ts';
import { inOneSlice, type Phone } from '../../support/phone.ts';
import { BUILD_DIR, ensureBuild } from '../../web/support/browser.ts';

export const REDIRECT_URI = 'https://rp.example/callback';
export const PERSON = 'ada@example.com';

export type OidcRig = Awaited<ReturnType<typeof createOidcRig>>;

/** What the camera saw. */
export type Face = 'same' | 'other' | 'not-live';

/** How a person records themselves: what they left out, and the phone that signs. */
export interface Recorded {
  readonly phone?: Phone | null;
  readonly way?: AccessibleWay;
}

/**
 * `host` and `path` are those of BASE_URL: a browser's passkeys need a name (`localhost`); a proxy strips a path such as
 * `/faces` from requests to the service.
 */
export async function createOidcRig(
  environment: Readonly<Record<string, string>> = {},
  { host = '127.0.0.1', path = '' }: { readonly host?: string; readonly path?: string } = {},
  limits: Partial<Limits> = {},
) {
  await ensureBuild();
  const port = await freePort();
  const proxy = path === '' ? null : await startProxy(path, port);
  const baseUrl = `http://${host}:${proxy?.port ?? port}${path}`;
  let skewMs = 0;
  const foundation = await createTestFoundation({
    environment: {
      OIDC: 'on',
      BASE_URL: baseUrl,
      LIVENESS_PROMPTS: 'smile',
      LIVENESS_LEVEL: 'quick',
      ...environment,
    },
    limits,
    clock: { now: () => new Date(Date.now() + skewMs) },
  });
  const { db } = foundation.database;
  const administration = await composeOidcAdministration(foundation);
  const start = async () => {
    const services = composeServices(foundation);
    const settings = {
      ...httpSettings(foundation.config),
      capturePageDir: BUILD_DIR,
      logger: foundation.log,
      metrics: new Registry(),
      isStopping: () => false,
      limits: { maxEventLoopDelayMs: 0 },
    };
    const login = await composeLogin(foundation, services, settings);
    const app = await createHttpServer(composeHttpServices(foundation, services, null, login), settings);
    await app.listen({ host: '127.0.0.1', port });
    return { services, app };
  };
  let running = await start();
  const made = await foundation.accounts.create(
    { name: 'first', displayName: 'First', purpose: 'a test.' },
    'test',
  );
  if (made.status !== 'created') throw new Error('no account');
  const account = (await foundation.accounts.find(made.accountId))!;

  return {
    ...administration,
    baseUrl,
    issuer: `${baseUrl}/oidc`,
    db,
    foundation,
    account,
    apiKey: made.apiKey.key,
    get services() {
      return running.services;
    },
    skewClock(ms: number) {
      skewMs = ms;
    },
    /** Ends the HTTP server and starts another on the same database and port, as after a crash. */
    async restart() {
      await running.app.close();
      await running.services.close();
      // The browser's idle connections learn only in later turns of the event loop that they were closed.
      await pause(20);
      running = await start();
    },
    async addClient(request: Partial<ClientRequest> = {}, of = account) {
      const name = request.name ?? `client ${Math.random()}`;
      const added = await administration.clients.add(
        of,
        { enrolment: 'authenticated', redirectUris: [REDIRECT_URI], ...request, name },
        'test',
      );
      if (added.status !== 'added') throw new Error(JSON.stringify(added));
      return { id: added.client.id, secret: added.secret, client: added.client };
    },
    /** The relying party's side, by openid-client. */
    relyingParty(
      id: string,
      secret: string | null,
      authenticate = secret === null ? client.None() : client.ClientSecretBasic(secret),
    ): Promise<client.Configuration> {
      return client.discovery(new URL(`${baseUrl}/oidc`), id, undefined, authenticate, {
        execute: [client.allowInsecureRequests],
      });
    },
    browser: () => new CookieBrowser(baseUrl),
    /** Plays the person on the capture page, and has what they recorded judged. */
    async capture(browser: CookieBrowser, challengeUrl: string, face: Face = 'same', how: Recorded = {}) {
      await this.record(browser, challengeUrl, how);
      await this.judge(face);
    },
    /**
     * Plays the person on the capture page: consents, uploads a capture, and lets the phone answer if it is asked. A
     * person without a phone declines.
     */
    async record(browser: CookieBrowser, challengeUrl: string, { phone, way }: Recorded = {}): Promise<void> {
      const started = await browser.fetch(`${challengeUrl}/start`, { method: 'POST', json: {} });
      if (started.status !== 200) throw new Error(`start: ${started.status} ${await started.text()}`);
      const { device_token, state } = (await started.json()) as StartAnswer;
      const own = new PageClient(challengeUrl, device_token, browser.pageFetch);
      await own.consent(state.consent.text_version);
      const video = Buffer.concat([Buffer.from('1a45dfa3', 'hex'), Buffer.alloc(64)]);
      const { status, body: issued } = await own.issue(video, way);
      if (status !== 201) throw new Error(`issue: ${status} ${JSON.stringify(issued)}`);
      const script = performedScript(issued.script, 0);
      const sending = { bytes: video, mimeType: 'video/webm', issuedAtMs: performance.now(), recordedMs: 0 };
      const sent = await own.send(issued, { ...sending, script });
      if (sent.status !== 200) throw new Error(`upload: ${sent.status} ${JSON.stringify(sent.body)}`);
      if (!issued.passkey) return;
      const given = phone?.answer(issued.passkey, inOneSlice(new URL(baseUrl).origin, video)) ?? {
        kind: 'declined',
      };
      const answered = await own.call('POST', `/captures/${sent.captureId}/passkey`, given);
      if (answered.status !== 200) throw new Error(`passkey: ${JSON.stringify(answered.body)}`);
    },
    /** Settles the waiting capture's judgement, in place of the worker. */
    async judge(face: Face): Promise<void> {
      const { challengeParts, featids } = running.services;
      const begun = await challengeParts.store.takeCapture('1');
      if (!begun) throw new Error('nothing waits');
      const isLive = face !== 'not-live';
      const { openRequest } = await import('../../../src/challenge/seals.ts');
      const { compare_to_featids: named } = await openRequest(challengeParts.custody, begun.challenge);
      const references = await featids.check(begun.challenge.accountId, named);
      const outcome = {
        liveness: { face: isLive, smile: isLive, spoof_result: isLive, overall: isLive },
        reasons: [],
        retry: null,
      };
      const script = begun.capture.performedScript;
      await settleJudgement({ ...challengeParts, featids }, begun, {
        ...outcome,
        receipt: { ...SOME_FACTS, inputs: { ...SOME_FACTS.inputs, script }, values: outcome },
        cues: {},
        bestFrame: null,
        tried: null,
        template: { packId: PACK, embedding: Float32Array.of(0.6, 0.8), regions: {}, frames: 5 },
        compared: references.flatMap((each, index) =>
          each.ok
            ? [
                {
                  featid: named[index]!,
                  featidId: each.id,
                  source: each.source,
                  likeness_features: {},
                  score: face === 'same' ? 0.9 : 0.1,
                  result: face === 'same' ? ('pass' as const) : ('fail' as const),
                },
              ]
            : [],
        ),
      });
    },
    async close(): Promise<void> {
      await running.app.close();
      await running.services.close();
      await foundation.close();
      proxy?.close();
    },
  };
}

/** A reverse proxy that strips a path, as an operator's does whose BASE_URL has one. */
async function startProxy(path: string, to: number) {
  const server = createServer((request, answer) => {
    const { url = '', method, headers } = request;
    if (!url.startsWith(`${path}/`)) return answer.writeHead(404).end();
    const onwards = forward(
      { host: '127.0.0.1', port: to, path: url.slice(path.length), method, headers },
      (from) => {
        answer.writeHead(from.statusCode!, from.headers);
        from.pipe(answer);
      },
    );
    onwards.on('error', () => answer.destroy());
    return request.pipe(onwards);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface Sent {
  readonly method?: string;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>> | URLSearchParams;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Cookie {
  readonly value: string;
  readonly path: string;
}

/** A browser's cookies for one host, by name and path. */
export class CookieBrowser {
  readonly cookies = new Map<string, Cookie>();
  readonly #host: string;

  constructor(baseUrl: string) {
    this.#host = new URL(baseUrl).host;
  }

  #cookiesFor(url: string): string {
    const { pathname } = new URL(url);
    return [...this.cookies]
      .filter(
        ([, { path }]) => pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`),
      )
      .map(([key, { value }]) => `${key.split(' ')[0]}=${value}`)
      .join('; ');
  }

  async fetch(url: string, { method = 'GET', json, form, headers = {} }: Sent = {}): Promise<Response> {
    const cookie = this.#cookiesFor(url);
    const answer = await fetch(url, {
      method,
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        ...(cookie && { cookie }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(form && { body: new URLSearchParams(form as Record<string, string>).toString() }),
    });
    for (const line of answer.headers.getSetCookie()) this.#take(line);
    return answer;
  }

  /** `fetch` as a page in this browser uses it. */
  readonly pageFetch: typeof fetch = (input, init) =>
    fetch(input, {
      ...init,
      headers: { ...(init?.headers as object), cookie: this.#cookiesFor(String(input)) },
    });

  #take(line: string): void {
    const [pair, ...attributes] = line.split(';').map((part) => part.trim());
    const [name, ...value] = pair!.split('=');
    const path = /path=([^;]*)/i.exec(attributes.join(';'))?.[1] ?? '/';
    const key = `${name} ${path}`;
    if (/expires=Thu, 01 Jan 1970/i.test(line)) this.cookies.delete(key);
    else this.cookies.set(key, { value: value.join('='), path });
  }

  /** Follows redirects until an answer is not one, or leaves the service; returns the last URL and answer. */
  async follow(url: string, sent: Sent = {}): Promise<{ url: string; answer: Response }> {
    let at = url;
    let next = sent;
    for (let hops = 0; hops < 12; hops++) {
      const answer = await this.fetch(at, next);
      const location = answer.headers.get('location');
      if (!location) return { url: at, answer };
      at = new URL(location, at).href;
      next = {};
      if (new URL(at).host !== this.#host) return { url: at, answer };
    }
    throw new Error('too many redirects');
  }
}
