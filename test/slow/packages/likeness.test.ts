// What integrators install: packed, installed into an empty project, and used from there, in Node, by the TypeScript
// compiler, and in a page of another origin with a strict policy.
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import decodeQR from 'qr/decode.js';
import sharp from 'sharp';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHttpRig, type HttpRig } from '../../http/http-rig.ts';
import { launchBrowser } from '../../support/browser.ts';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '..', '..', '..');
const PACKAGE = join(ROOT, 'packages', 'likeness');
/** What the package depends on, directly and transitively. */
const DEPENDENCIES = ['standardwebhooks', '@stablelib/base64', 'fast-sha256'];

let project: string;
let rig: HttpRig;
let service: string;
let sandboxKey: string;

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'likeness-package-'));
  await run('npm', ['pack', '--silent', '--pack-destination', project], { cwd: PACKAGE });
  const [tarball] = readdirSync(project).filter((name) => name.endsWith('.tgz'));
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  // Taken from here, so that no registry is contacted; copied, as packages from a registry would be.
  const dependencies = DEPENDENCIES.map((name) => join(ROOT, 'node_modules', name));
  const quiet = [
    '--install-links',
    '--ignore-scripts',
    '--offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  await run('npm', ['install', ...quiet, `./${tarball}`, ...dependencies], { cwd: project });
  const settings = { capturePageDir: join(ROOT, 'build', 'web', 'capture') };
  rig = await createHttpRig({ settings });
  service = await rig.app.listen({ host: '127.0.0.1', port: 0 });
  const account = (await rig.accounts.find(rig.accountId))!;
  sandboxKey = (await rig.accounts.createKey(account, { sandbox: true }, 'test')).key;
}, 300_000);
afterAll(async () => {
  await rig?.close();
  rmSync(project, { recursive: true, force: true });
});

function installed(folder = join(project, 'node_modules')): string[] {
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(folder, name)).map((inner) => `${name}/${inner}`) : [name],
    );
}

describe('the package', () => {
  it('contains nothing of the server, and no sources', () => {
    expect(installed().sort()).toEqual(['likeness', ...DEPENDENCIES].sort());
    const folder = join(project, 'node_modules', 'likeness');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    expect(files.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))).toEqual([]);
    expect(files).toContain('LICENSE');
    const texts = files
      .filter((name) => /\.(js|ts)$/.test(name))
      .map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(texts.filter((text) => /typebox|fastify|contract\/[\w-]+\.ts/.test(text))).toEqual([]);
  });

  it('has the version of the service', () => {
    const version = (folder: string) =>
      JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
    expect(version(PACKAGE)).toBe(version(ROOT));
  });

  it('has an element of at most 12 kB, compressed', () => {
    const text = readFileSync(join(project, 'node_modules/likeness/dist/element.js'));
    expect(gzipSync(text, { level: 9 }).length).toBeLessThanOrEqual(12_000);
    expect(String(text)).not.toMatch(/\bimport\b\s*[{'"*]/);
  });

  it('creates and reads a challenge, in plain JavaScript', async () => {
    writeFileSync(
      join(project, 'use.js'),
      `import { Likeness, LikenessProblem, verifyWebhook, WebhookVerificationError } from 'likeness';
      import 'likeness/element'; // harmless where there is no page
      const likeness = new Likeness({ baseUrl: process.env.BASE_URL, apiKey: process.env.API_KEY });
      const made = await likeness.createChallenge({ liveness_only: true, customer_reference: 'sandbox:pass' });
      const result = await likeness.getChallenge(made.challenge_id);
      const refused = await likeness.getReceipt(made.challenge_id).catch((error) => error);
      let forged;
      try { verifyWebhook('{}', {}, 'whsec_' + btoa('x'.repeat(32))); } catch (error) { forged = error; }
      console.log(JSON.stringify([result.overall_result, refused instanceof LikenessProblem && refused.kind,
        forged instanceof WebhookVerificationError]));`,
    );
    const env = { PATH: process.env.PATH, BASE_URL: service, API_KEY: sandboxKey };
    const { stdout } = await run(process.execPath, ['use.js'], { cwd: project, env });
    expect(JSON.parse(stdout)).toEqual(['pass', 'no-receipt', true]);
  });

  it('exports the same classes to import and to require', async () => {
    writeFileSync(
      join(project, 'use.cjs'),
      `const required = require('likeness');
      import('likeness').then((imported) => {
        const names = Object.keys(required).sort();
        console.log(JSON.stringify([names, names.every((name) => required[name] === imported[name])]));
      });`,
    );
    const { stdout, stderr } = await run(process.execPath, ['use.cjs'], { cwd: project });
    const names = ['Likeness', 'LikenessProblem', 'LikenessUnreachable', 'WebhookVerificationError'];
    expect([JSON.parse(stdout), stderr]).toEqual([[[...names, 'verifyWebhook'], true], '']);
  });

  it('marks its React wrapper as client code for frameworks that render on a server', () => {
    const text = readFileSync(join(project, 'node_modules/likeness/dist/react.js'), 'utf8');
    expect(text).toMatch(/^["']use client["'];/);
  });

  const typed = `import { Likeness, type ChallengeResult } from 'likeness';
    import { type CheckDetail, LikenessCheckElement } from 'likeness/element';
    const likeness = new Likeness({ baseUrl: '', apiKey: '' });
    export async function use(): Promise<'pass' | 'fail' | null> {
      const { challenge_url } = await likeness.createChallenge({ liveness_only: true });
      // @ts-expect-error a field that there is not
      await likeness.createChallenge({ liveness_only: true, require_concent: true });
      const result: ChallengeResult = await likeness.getChallenge('ch_1');
      const status: 'created' | 'initiated' | 'processing' | 'completed' | 'expired' | 'cancelled' = result.status;
      // @ts-expect-error another outcome
      if (result.overall_result === 'maybe') return null;
      const check: LikenessCheckElement = document.createElement('likeness-check');
      check.challengeUrl = challenge_url;
      check.mode = status === 'created' ? 'frame' : 'qr';
      // @ts-expect-error no such mode
      check.mode = 'popup';
      check.addEventListener('failed', ({ detail }) => { const { reason }: CheckDetail = detail; console.log(reason); });
      check.addEventListener('click', (event) => { console.log(event.clientX); });
      return result.overall_result;
    }`;
  const wrapped = `import { createElement, createRef } from 'react';
    import { h } from 'vue';
    import type { LikenessCheckElement } from 'likeness/element';
    import { LikenessCheck } from 'likeness/react';
    import { LikenessCheck as VueCheck } from 'likeness/vue';
    const ref = createRef<LikenessCheckElement>();
    createElement(LikenessCheck, { challengeUrl: '', ref, className: 'x', onFailed: ({ reason }) => console.log(reason) });
    // @ts-expect-error the link is missing
    createElement(LikenessCheck, {});
    h(VueCheck, { challengeUrl: '', onCompleted: (detail) => console.log(detail.reason) });`;
  const server = `import { type ChallengeResult, Likeness, LikenessProblem, verifyWebhook } from 'likeness';
    export function receive(body: Buffer, headers: import('node:http').IncomingHttpHeaders): ChallengeResult {
      const likeness = new Likeness({ baseUrl: '', apiKey: '', fetch });
      likeness.getChallenge('ch_1').catch((error) => error instanceof LikenessProblem && error.faults[0]?.code);
      return verifyWebhook(body, headers, '').result;
    }`;

  it.each([
    ['nodenext', 'use.ts', typed, { module: 'nodenext' }],
    ['node16, in an ES module', 'use.mts', typed, { module: 'node16' }],
    ['node16, in CommonJS', 'use.cts', server, { module: 'node16', lib: ['es2022'] }],
    ['a bundler', 'use.ts', typed, { module: 'esnext', moduleResolution: 'bundler' }],
    ['a bundler, with the wrappers', 'use.ts', wrapped, { module: 'esnext', moduleResolution: 'bundler' }],
    [
      'legacy CommonJS',
      'use.ts',
      server,
      { module: 'commonjs', moduleResolution: 'node10', lib: ['es2022'] },
    ],
    ['legacy CommonJS, in a page', 'use.ts', typed, { module: 'commonjs', moduleResolution: 'node10' }],
  ])('is typed to the last field for %s', async (_who, file, text, options) => {
    writeFileSync(join(project, file), text);
    const compilerOptions = {
      target: 'es2022',
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      types: ['node'],
      lib: ['es2022', 'dom', 'dom.iterable'],
      exactOptionalPropertyTypes: true,
      typeRoots: [join(ROOT, 'node_modules/@types')],
      paths: {
        react: [join(ROOT, 'node_modules/@types/react')],
        vue: [join(ROOT, 'node_modules/vue')],
      },
      ...options,
    };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
    const { stdout } = await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc')], {
      cwd: project,
    }).catch((error: { stdout: string }) => error);
    expect(stdout).toBe('');
  });
});

describe('<likeness-check> in a page of another origin', () => {
  let browser: Browser;
  let server: Server;
  let origin: string;
  let context: BrowserContext;
  let page: Page;
  let troubles: string[];
  /** The page's body, and its policy for trusted types. */
  let shown = { body: '', types: "'none'" };
  /** Files at the page's origin, by path, as a reader of a guide has them on their site. */
  let site: Readonly<Record<string, string>> = {};

  beforeAll(async () => {
    browser = await launchBrowser();
    const files = join(project, 'pages');
    mkdirSync(files);
    cpSync(join(project, 'node_modules/likeness/dist/element.js'), join(files, 'element.js'));
    await bundleWrappers(files);
    server = createServer((request, response) => {
      const content = site[request.url!];
      if (content !== undefined) {
        response.setHeader('content-type', request.url!.endsWith('.js') ? 'text/javascript' : 'text/html');
        return response.end(content);
      }
      const file = join(files, request.url!.slice(1));
      if (/^\/[\w-]+\.js$/.test(request.url!) && statSync(file, { throwIfNoEntry: false })) {
        response.setHeader('content-type', 'text/javascript');
        return response.end(readFileSync(file));
      }
      response.setHeader('content-type', 'text/html');
      const policy = `default-src 'none'; script-src 'self'; frame-src ${service}; base-uri 'none'`;
      const types = `require-trusted-types-for 'script'; trusted-types ${shown.types}`;
      response.setHeader('content-security-policy', `${policy}; ${types}`);
      return response.end(
        `<!doctype html><html lang="en"><title>shop</title><body>${shown.body}</body></html>`,
      );
    }).listen(0, '127.0.0.1');
    await new Promise((ready) => server.once('listening', ready));
    // A different origin from the service's, and as trustworthy to the browser.
    origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });
  beforeEach(async () => {
    troubles = [];
    context = await browser.newContext();
    await context.addInitScript(`
      window.told = [];
      addEventListener('securitypolicyviolation', (event) => window.told.push(['violation', event.violatedDirective]));
      addEventListener('DOMContentLoaded', () => {
        for (const name of ['ready', 'opened', 'completed', 'cancelled', 'failed'])
          document.querySelector('likeness-check')?.addEventListener(name, ({ detail }) => told.push([name, detail.reason]));
      });`);
    page = await context.newPage();
    page.on('pageerror', (error) => troubles.push(String(error)));
  });
  afterEach(async () => {
    expect(troubles).toEqual([]);
    await context.close();
  });

  const script = '<script type="module" src="/element.js"></script>';
  const told = () => page.evaluate<[string, string | null][]>('window.told');

  async function sandboxLink(): Promise<string> {
    const made = await rig.app.inject({
      method: 'POST',
      url: '/v1/create-challenge',
      headers: { authorization: `Basic ${sandboxKey}` },
      payload: { liveness_only: true, require_consent: false },
    });
    return service + new URL(made.json().challenge_url).pathname;
  }

  async function show(body: string, types = "'none'"): Promise<void> {
    shown = { body, types };
    await page.goto(origin);
  }

  async function frameOf(link: string): Promise<Frame> {
    await expect.poll(() => page.frames().some((frame) => frame.url().startsWith(link))).toBe(true);
    return page.frames().find((frame) => frame.url().startsWith(link))!;
  }

  /** Passes the check on the sandbox's page, which has buttons in place of a camera. */
  async function pass(where: Frame | Page): Promise<void> {
    await where
      .getByRole('button', { name: /start|begin/i })
      .first()
      .click();
    await where.getByRole('button', { name: /pass/i }).first().click();
  }

  it('frames the page with the camera allowed, and reports how far the person is', async () => {
    const link = await sandboxLink();
    await show(`${script}<likeness-check challenge-url="${link}" label="Face check"></likeness-check>`);
    const frame = await frameOf(link);
    await expect.poll(told).toEqual([['ready', null]]);
    const allows = (name: string) => frame.evaluate(`document.featurePolicy.allowsFeature("${name}")`);
    for (const name of ['camera', 'publickey-credentials-get', 'publickey-credentials-create'])
      expect(await allows(name)).toBe(true);
    expect(await allows('microphone')).toBe(false);
    const camera = `navigator.mediaDevices.getUserMedia({ video: true }).then((stream) => stream.getTracks().length)`;
    expect(await frame.evaluate(camera)).toBe(1);
    expect(await page.locator('iframe').getAttribute('title')).toBe('Face check');
    await pass(frame);
    await expect.poll(told).toEqual([
      ['ready', null],
      ['completed', null],
    ]);
    const folder = process.env.SCREENSHOTS_DIR;
    if (folder) await page.screenshot({ path: join(folder, 'likeness-check.png') });
  });

  it('opens the page in a window of its own, and receives its messages too', async () => {
    const link = await sandboxLink();
    await show(`${script}<likeness-check mode="window" challenge-url="${link}">Check me</likeness-check>`);
    const opening = context.waitForEvent('page');
    await page.getByRole('button', { name: 'Check me' }).click();
    await pass(await opening);
    await expect.poll(told).toEqual([
      ['opened', null],
      ['ready', null],
      ['completed', null],
    ]);
  });

  it('opens one window, and keeps receiving its messages when the label or the language changes', async () => {
    const link = await sandboxLink();
    await show(`${script}<likeness-check mode="window" challenge-url="${link}"></likeness-check>`);
    const button = page.getByRole('button');
    const opening = context.waitForEvent('page');
    await button.dblclick();
    const opened = await opening;
    await opened
      .getByRole('button', { name: /start|begin/i })
      .first()
      .waitFor();
    await button.focus();
    await page.evaluate(`document.querySelector('likeness-check').label = 'Under way'`);
    expect(await button.textContent()).toBe('Under way');
    expect(await page.evaluate(`document.querySelector('likeness-check').matches(':focus')`)).toBe(true);
    await page.evaluate(`document.querySelector('likeness-check').language = 'fr'`);
    await button.click();
    await pass(opened);
    await expect.poll(told).toEqual([
      ['opened', null],
      ['ready', null],
      ['completed', null],
    ]);
    expect(context.pages()).toHaveLength(2);
    await opened.close();
    const again = context.waitForEvent('page');
    await button.click();
    expect((await again).url()).toContain('lang=fr');
  });

  it('takes over properties that a script set before the element was defined', async () => {
    const link = await sandboxLink();
    site = { '/early.js': `document.querySelector('likeness-check').challengeUrl = '${link}';` };
    await show(`<likeness-check></likeness-check><script src="/early.js"></script>${script}`);
    await frameOf(link);
    const later = await sandboxLink();
    await page.evaluate(`document.querySelector('likeness-check').challengeUrl = '${later}'`);
    await frameOf(later);
  });

  it('does not report an invalid address that has been corrected meanwhile', async () => {
    const link = await sandboxLink();
    site = { '/late.js': `document.querySelector('likeness-check').challengeUrl = '${link}';` };
    await show(
      `${script}<likeness-check challenge-url="undefined"></likeness-check><script type="module" src="/late.js"></script>`,
    );
    await frameOf(link);
    await expect.poll(told).toEqual([['ready', null]]);
  });

  it('keeps several checks apart, their messages and their focus', async () => {
    const [first, second] = [await sandboxLink(), await sandboxLink()];
    await show(
      `${script}<likeness-check challenge-url="${first}"></likeness-check><likeness-check id="b" challenge-url="${second}"></likeness-check>`,
    );
    await page.evaluate(`window.second = [];
      for (const name of ['ready', 'completed', 'failed'])
        document.querySelector('#b').addEventListener(name, () => second.push(name));`);
    await frameOf(first);
    await pass(await frameOf(second));
    await expect.poll(() => page.evaluate('second.at(-1)')).toBe('completed');
    expect(await told()).toEqual([['ready', null]]);
    await page.evaluate(`document.querySelector('#b').focus()`);
    expect(await page.evaluate(`document.activeElement.id`)).toBe('b');
    expect(await (await frameOf(second)).evaluate('document.hasFocus()')).toBe(true);
  });

  it('does not reload when it is given the mode that it already has', async () => {
    const link = await sandboxLink();
    await show(`${script}<likeness-check challenge-url="${link}"></likeness-check>`);
    const frame = await frameOf(link);
    await expect.poll(told).toEqual([['ready', null]]);
    await frame.evaluate('window.isTheSame = true');
    await page.evaluate(`(() => {
      const check = document.querySelector('likeness-check');
      check.mode = 'frame';
      check.mode = 'nonsense';
      check.language = '';
    })()`);
    await page.evaluate('new Promise((done) => setTimeout(done, 200))');
    expect(await (await frameOf(link)).evaluate('window.isTheSame')).toBe(true);
  });

  it.each([
    '"><img src=x onerror=told.push(["xss",null])>',
    "' onload='told.push([1])",
    '<script>told.push([2])</script>',
  ])('shows %s as plain text, wherever it is used', async (text) => {
    const link = await sandboxLink();
    await show(`${script}<likeness-check mode="window"></likeness-check>`);
    await page.evaluate(
      `Object.assign(document.querySelector('likeness-check'), ${JSON.stringify({ challengeUrl: link, label: text, language: text })})`,
    );
    expect(await page.getByRole('button').textContent()).toBe(text);
    for (const mode of ['qr', 'frame']) {
      await page.evaluate(`document.querySelector('likeness-check').mode = '${mode}'`);
      await expect.poll(() => page.locator(mode === 'qr' ? 'svg' : 'iframe').count()).toBe(1);
    }
    expect(await page.locator('iframe').getAttribute('title')).toBe(text);
    await expect.poll(told).toEqual([['ready', null]]);
    expect(await page.locator('img').count()).toBe(0);
  });

  it('draws a QR code that a phone can read', async () => {
    const link = await sandboxLink();
    await show(`${script}<likeness-check mode="qr" language="fr" challenge-url="${link}"></likeness-check>`);
    const code = page.getByRole('img', { name: 'Identity check' });
    const { data, info } = await sharp(await code.screenshot())
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(decodeQR({ data: new Uint8Array(data), width: info.width, height: info.height })).toBe(
      `${link}?lang=fr`,
    );
    expect(await told()).toEqual([]);
  });

  it('accepts messages from the page alone: from no other window and no other origin', async () => {
    const link = await sandboxLink();
    await show(`${script}<likeness-check challenge-url="${link}"></likeness-check>`);
    await frameOf(link);
    await expect.poll(told).toEqual([['ready', null]]);
    await page.evaluate(`(() => {
      postMessage({ source: 'likeness', event: 'completed' }, '*');
      const frame = document.createElement('iframe');
      document.body.append(frame);
      dispatchEvent(new MessageEvent('message', { source: frame.contentWindow, origin: '${service}', data: { source: 'likeness', event: 'completed' } }));
      const own = document.querySelector('likeness-check').shadowRoot.querySelector('iframe').contentWindow;
      for (const data of [null, 1, 'completed', {}, { source: 'likeness' }, { source: 'likeness', event: 'opened' }, { source: 'likeness', event: '__proto__' }, { source: 'x', event: 'completed' }])
        dispatchEvent(new MessageEvent('message', { source: own, origin: '${service}', data }));
      dispatchEvent(new MessageEvent('message', { source: own, origin: 'https://evil.example', data: { source: 'likeness', event: 'completed' } }));
    })()`);
    expect(await told()).toEqual([['ready', null]]);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'not a URL',
    'file:///etc/passwd',
  ])('loads nothing from %s', async (url) => {
    await show(`${script}<likeness-check></likeness-check>`);
    await page.evaluate(`document.querySelector('likeness-check').challengeUrl = ${JSON.stringify(url)}`);
    await expect.poll(told).toEqual([['failed', 'invalid_url']]);
    expect(page.frames()).toHaveLength(1);
  });

  it('tells a listener that a later script adds that the address is invalid', async () => {
    await show(`${script}<likeness-check challenge-url="undefined"></likeness-check>`);
    await expect.poll(told).toEqual([['failed', 'invalid_url']]);
  });

  it('takes another label without reloading the check', async () => {
    const link = await sandboxLink();
    await show(`${script}<likeness-check challenge-url="${link}"></likeness-check>`);
    const frame = await frameOf(link);
    await expect.poll(told).toEqual([['ready', null]]);
    await frame.evaluate('window.isTheSame = true');
    await page.evaluate(`document.querySelector('likeness-check').label = 'Contrôle du visage'`);
    await expect.poll(() => page.locator('iframe').getAttribute('title')).toBe('Contrôle du visage');
    expect(await (await frameOf(link)).evaluate('window.isTheSame')).toBe(true);
  });

  it('leaves no frame when it is removed, and starts afresh elsewhere', async () => {
    const [first, second] = [await sandboxLink(), await sandboxLink()];
    await show(`${script}<likeness-check challenge-url="${first}"></likeness-check>`);
    await frameOf(first);
    await page.evaluate(`window.check = document.querySelector('likeness-check'), check.remove()`);
    await expect.poll(() => page.frames().length).toBe(1);
    await page.evaluate(`check.challengeUrl = '${second}', document.body.append(check)`);
    await frameOf(second);
    expect(page.frames()).toHaveLength(2);
  });

  /** The guide's first code block in the language. */
  function block(guide: string, language: string): string {
    const text = readFileSync(join(ROOT, 'docs/guides', `${guide}.md`), 'utf8');
    return RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(text)![1]!;
  }

  it('leads on to the next page as in the component guide', async () => {
    const link = await sandboxLink();
    site = {
      '/likeness/element.js': readFileSync(join(project, 'node_modules/likeness/dist/element.js'), 'utf8'),
      '/your-page.js': block('component', 'js'),
      '/checked': 'Checked.',
      '/guide': block('component', 'html').replace('https://au.likeness.example/c/…', link),
    };
    await page.goto(`${origin}/guide`);
    await pass(await frameOf(link));
    await page.waitForURL(`${origin}/checked`);
  });

  it("reports the end of the check in the embedding guide's page", async () => {
    const guided = (link: string) =>
      `<meta name="challenge-url" content="${link}">${block('embedding', 'html')}`;
    const link = await sandboxLink();
    site = { '/guide': guided(link), '/dead': guided(`${service}/c/nonsense`) };
    const after = page.locator('#after:not([hidden])');
    await page.goto(`${origin}/guide`);
    await pass(await frameOf(link));
    await expect.poll(() => after.textContent()).toContain('Thank you');
    await page.goto(`${origin}/dead`);
    await expect.poll(() => after.textContent()).toContain('(unknown_link)');
  });

  it("passes its messages to an app through the guide's bridge", async () => {
    writeFileSync(join(project, 'pages', 'bridge.js'), block('webview', 'js'));
    await context.addInitScript(`
      window.heard = [];
      const note = (name) => ({ postMessage: (text) => heard.push([name, JSON.parse(text).event]) });
      window.webkit = { messageHandlers: { likeness: note('ios') } };
      window.LikenessBridge = note('android');
      window.ReactNativeWebView = note('react native');`);
    const link = await sandboxLink();
    shown = {
      body: block('webview', 'html').replace('/likeness/element.js', '/element.js'),
      types: "'none'",
    };
    await page.goto(`${origin}/check#${encodeURIComponent(link)}`);
    await pass(await frameOf(link));
    const apps = ['ios', 'android', 'react native'];
    const all = ['ready', 'completed'].flatMap((event) => apps.map((app) => [app, event]));
    await expect.poll(() => page.evaluate('heard')).toEqual(all);
  });

  it.each(['react', 'vue'])('has a wrapper for %s', async (framework) => {
    const link = await sandboxLink();
    const root = `<div id="root" data-link="${link}"></div>`;
    await show(
      `${root}<script type="module" src="/${framework}.js"></script>`,
      framework === 'vue' ? 'vue' : "'none'",
    );
    await pass(await frameOf(link));
    await page.getByText(framework === 'vue' ? 'done: completed' : 'done: completed, wide').waitFor();
    expect(await page.getByText('hidden').count()).toBe(0);
    expect((await told()).filter(([name]) => name === 'violation')).toEqual([]);
  });
});

/** Bundles pages as an integrator's bundler would, with this project's copies of the frameworks. */
async function bundleWrappers(outDir: string): Promise<void> {
  const react = `import { createElement as h, StrictMode, useRef, useState } from 'react'; import { createRoot } from 'react-dom/client';
    import { LikenessCheck } from 'likeness/react';
    const root = document.getElementById('root');
    function App() { const [text, setText] = useState('');
      const check = useRef(null);
      const props = { challengeUrl: root.dataset.link, className: 'wide', hidden: false, ref: check };
      const onCompleted = () => setText('done: completed, ' + check.current.className + (check.current.hidden ? ', hidden' : ''));
      return h(StrictMode, null, h(LikenessCheck, { ...props, onCompleted }), text); }
    createRoot(root).render(h(App));`;
  const vue = `import { createApp, h, ref } from 'vue'; import { LikenessCheck } from 'likeness/vue';
    const root = document.getElementById('root'); const text = ref('');
    createApp({ render: () => h('div', [h(LikenessCheck, { challengeUrl: root.dataset.link, onCompleted: () => { text.value = 'done: completed'; } }), text.value]) }).mount(root);`;
  for (const [name, source] of Object.entries({ react, vue })) {
    const entry = join(project, `${name}-page.js`);
    writeFileSync(entry, source);
    const alias = ['react-dom', 'react', 'vue'].map((find) => ({
      find,
      replacement: join(ROOT, 'node_modules', find),
    }));
    await build({
      configFile: false,
      logLevel: 'error',
      root: project,
      resolve: { alias },
      define: { 'process.env.NODE_ENV': '"production"' },
      build: { outDir, emptyOutDir: false, lib: { entry, formats: ['es'], fileName: () => `${name}.js` } },
    });
  }
}
