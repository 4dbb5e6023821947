// The capture page behind proxies as companies, carriers and optimisers run them.
import { createServer, type IncomingHttpHeaders, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { readTexts } from '../../../web/capture/build/messages.ts';
import { serverTexts } from '../../../web/capture/build/server-texts.ts';
import { press, untilScreen } from '../../web/support/browser.ts';
import { type Scenario, visits } from '../../web/support/visit.ts';

const en = readTexts('en');

/** What a proxy does to a call, or to its answer. */
interface Middlebox {
  /** Answers in the service's place; false to pass the call on. */
  readonly refuses?: (
    call: { method: string; type: string; bytes: number },
    response: ServerResponse,
  ) => boolean;
  readonly forwards?: (headers: IncomingHttpHeaders) => IncomingHttpHeaders;
  readonly answers?: (headers: IncomingHttpHeaders) => IncomingHttpHeaders;
  /** Rewrites a page of HTML. */
  readonly rewrites?: (html: string) => string;
}

function startMiddlebox(
  upstream: string,
  { refuses, forwards, answers, rewrites }: Middlebox,
): Promise<Server> {
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = Buffer.concat(chunks);
      const { method = 'GET', url, headers } = incoming;
      const type = headers['content-type'] ?? '';
      if (refuses?.({ method, type, bytes: body.length }, response)) return;
      const passed = request(`${upstream}${url}`, { method, headers: forwards?.(headers) ?? headers });
      passed.on('error', () => response.destroy());
      passed.on('response', (answer) => {
        const given = answers?.(answer.headers) ?? answer.headers;
        if (!rewrites || !given['content-type']?.startsWith('text/html')) {
          response.writeHead(answer.statusCode!, given);
          return answer.pipe(response);
        }
        const { 'content-length': _, ...others } = given;
        response.writeHead(answer.statusCode!, others);
        return text(answer).then((html) => response.end(rewrites(html)));
      });
      passed.end(body);
    });
  });
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)));
}

/** A firewall's page, which is none of ours. */
const refuse = (response: ServerResponse, status: number) => {
  response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Blocked by policy</h1>');
  return true;
};

/** Type of the bodies that a recording is sent in. */
const BYTES = 'application/octet-stream';

/** Headers that every proxy knows. */
const KNOWN: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'content-length',
  'content-type',
  'cookie',
  'host',
  'origin',
  'referer',
  'user-agent',
]);

describe('the capture page behind a middlebox', () => {
  const visit = visits();
  let proxy: Server | null = null;
  afterEach(() => proxy?.close());

  /** Opens a new challenge's link through the middlebox. */
  async function open(middlebox: Middlebox, camera: 'face' | 'denied' = 'face', scenario?: Scenario) {
    const { url } = await visit.prepare(scenario);
    proxy = await startMiddlebox(visit.origin, middlebox);
    const { page } = await visit.tab(camera);
    await page.goto(url.replace(visit.origin, `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`));
    return page;
  }

  /** Opens a new challenge's link through the middlebox, and begins the check. */
  async function through(...how: Parameters<typeof open>) {
    const page = await open(...how);
    await untilScreen(page, 'start');
    await press(page, 'start');
    return page;
  }

  it.each<[string, Middlebox]>([
    [
      'that knows only GET and POST',
      { refuses: ({ method }, response) => !['GET', 'POST'].includes(method) && refuse(response, 405) },
    ],
    [
      'that drops headers it does not know',
      {
        forwards: (headers) =>
          Object.fromEntries(Object.entries(headers).filter(([name]) => KNOWN.has(name))),
      },
    ],
  ])('one %s lets the check end', async (_, middlebox) => {
    const page = await through(middlebox);
    await untilScreen(page, 'done', 60_000);
    expect(await visit.check.events()).toContain('capture_submitted');
  });

  it('one that drops Authorization too is named before a try is used', async () => {
    const page = await through({
      forwards: (headers) =>
        Object.fromEntries(
          Object.entries(headers).filter(([name]) => KNOWN.has(name) && name !== 'authorization'),
        ),
    });
    await untilScreen(page, 'retry', 60_000);
    expect(await page.textContent('main')).toContain(en.failed.blocked.title);
    expect(await visit.check.captures()).toHaveLength(0);
    // The check is still this page's.
    await page.reload();
    await untilScreen(page, 'start', 10_000);
  });

  it('one that refuses large bodies gets small ones', async () => {
    let refused = 0;
    const middlebox: Middlebox = {
      refuses: ({ bytes }, response) => bytes > 40_000 && ++refused > 0 && refuse(response, 413),
    };
    // While the first bytes are on their way, those of several slices gather for the next request.
    const page = await through(middlebox, 'face', {
      takeMs: 2_000,
      onAppend: async (offset) => {
        if (offset === 0) await new Promise((resolve) => setTimeout(resolve, 1_500));
        return 'take' as const;
      },
    });
    await untilScreen(page, 'done', 60_000);
    expect(refused).toBeGreaterThan(0);
  });

  it('one that lets no bytes through is named before a try is used; one may be used all the same', async () => {
    const page = await through({
      refuses: ({ type }, response) => type === BYTES && refuse(response, 403),
    });
    for (const captures of [0, 1]) {
      await untilScreen(page, 'retry', 60_000);
      expect(await page.textContent('main')).toContain(en.failed.blocked.title);
      expect(await visit.check.captures()).toHaveLength(captures);
      await press(page, 'try-again');
    }
  });

  it.each<[string, Middlebox['refuses']]>([
    ['answers nothing', () => true],
    ['refuses once', (_, response) => refuse(response, 403)],
  ])('one that %s to bytes in trial costs nothing', async (_, once) => {
    let calls = 0;
    const page = await through({
      refuses: (call, response) => call.type === BYTES && ++calls === 1 && once!(call, response),
    });
    await untilScreen(page, 'done', 60_000);
    expect(await visit.check.captures()).toHaveLength(1);
  });

  it('one that forbids the camera is told apart from the person', async () => {
    const page = await through(
      { answers: (headers) => ({ ...headers, 'permissions-policy': 'camera=()' }) },
      'denied',
    );
    await untilScreen(page, 'camera_denied');
    expect(await page.textContent('main')).toContain(en.cameraDenied.site);
    await expect.poll(visit.check.causes).toEqual([null, 'by_site']);
  });

  it.each<[string, (html: string) => string]>([
    // As Cloudflare's Rocket Loader does.
    ['renames the type of', (html) => html.replace(/type="module"/g, 'type="4f1e9c-module"')],
    ['removes', (html) => html.replace(/<script (?![^>]*json)[^>]*><\/script>/g, '')],
  ])('one that %s the script is named, though no script runs', async (_, rewrites) => {
    const page = await open({ rewrites });
    const told = page.getByText(serverTexts().en!.late);
    expect(await told.isVisible()).toBe(false);
    const appears = await page.evaluate(() =>
      document.getAnimations().flatMap((each) => {
        if (!(each instanceof CSSAnimation) || each.animationName !== 'appear') return [];
        const afterMs = Number(each.effect!.getComputedTiming().endTime);
        const how = { state: each.playState, isSoon: afterMs < 15_000 };
        // As if the time had passed.
        each.finish();
        return [how];
      }),
    );
    expect(appears).toEqual([{ state: 'running', isSoon: true }]);
    await told.waitFor();
  });

  it('an optimiser is told to leave the page as it is', async () => {
    const { url } = await visit.prepare();
    const answer = await fetch(url);
    expect(answer.headers.get('cache-control')).toContain('no-transform');
    const scripts = (await answer.text()).match(/<script (?![^>]*application\/json)[^>]*>/g);
    expect(scripts).not.toHaveLength(0);
    for (const script of scripts!) expect(script).toMatch(/^<script data-cfasync="false" /);
  });
});
