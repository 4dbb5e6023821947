// Likeness as a login, end to end: the process of `npm start`, a client registered on the command line and played by
// openid-client, a browser, and people before its camera. A login continues after the service was killed in the middle.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import * as client from 'openid-client';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../../support/browser.ts';
import type { CameraSubject } from '../../support/camera-film.ts';
import { takeChallenge } from '../../support/capture-subject.ts';
import { HAS_FACES } from '../../support/faces.ts';
import { freePort } from '../../support/free-port.ts';
import { SMILES_ALONE, TAKE_TIMEOUT_MS } from '../../support/journey.ts';
import {
  newDataDir,
  type RunningService,
  removeDataDir,
  startService,
} from '../../support/running-service.ts';
import { installCamera } from '../../support/virtual-camera.ts';

const projectRoot = resolve(import.meta.dirname, '..', '..', '..');
const why = HAS_FACES ? '' : ' (skipped: FACES_DIR is not there)';

describe.skipIf(!HAS_FACES)(`a login${why}`, () => {
  const dataDir = newDataDir();
  let environment: Record<string, string>;
  let service: RunningService | undefined;
  let browser: Browser;
  let shop: Server;
  let redirectUri = '';
  let relyingParty: client.Configuration;
  let sub = '';

  const likeness = (...args: string[]) =>
    JSON.parse(
      execFileSync(process.execPath, [join(projectRoot, 'bin', 'likeness'), ...args, '--json'], {
        env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, ...environment },
        encoding: 'utf8',
      }),
    );

  beforeAll(async () => {
    const port = await freePort();
    environment = { ...SMILES_ALONE, OIDC: 'on', PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` };
    shop = createServer((_request, answer) => {
      answer.setHeader('content-type', 'text/html').end('<title>shop</title>');
    }).listen(0, '127.0.0.1');
    await once(shop, 'listening');
    redirectUri = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/callback`;
    [browser, service] = await Promise.all([launchBrowser(), startService({ dataDir, environment })]);
    const added = likeness(
      'oidc',
      'clients',
      'add',
      'shop',
      '--account',
      'development',
      '--redirect-uri',
      redirectUri,
      '--enrol',
      '--display-name',
      'The Shop',
      '--purpose',
      'paying.',
    );
    relyingParty = await client.discovery(
      new URL(`${service.url}/oidc`),
      added.client_id,
      undefined,
      client.ClientSecretBasic(added.client_secret),
      { execute: [client.allowInsecureRequests] },
    );
  });
  afterAll(async () => {
    await browser?.close();
    if (service) expect(await service.stop()).toBe(0);
    shop?.close();
    removeDataDir(dataDir);
  });

  async function phone(who: CameraSubject): Promise<BrowserContext> {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    await installCamera(context, who, 'follows');
    return context;
  }

  /**
   * Goes from the client's authorization request back to its redirect URI; `atChallenge` runs before the person begins.
   */
  async function logIn(who: CameraSubject, atChallenge: (url: string) => Promise<void> = async () => {}) {
    const verifier = client.randomPKCECodeVerifier();
    const [state, nonce] = [client.randomState(), client.randomNonce()];
    const url = await client.buildAuthorizationUrlWithPAR(relyingParty, {
      redirect_uri: redirectUri,
      scope: 'openid',
      login_hint: 'customer-1',
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const context = await phone(who);
    try {
      const page = await context.newPage();
      await page.goto(url.href);
      const challengeUrl = page.url();
      expect(new URL(challengeUrl).pathname).toMatch(/^\/c\//);
      const words = await page.evaluate(() => document.getElementById('challenge-state')?.textContent ?? '');
      expect(JSON.parse(words).account).toMatchObject({ display_name: 'The Shop', purpose: 'paying.' });
      await atChallenge(challengeUrl);
      const walk = await takeChallenge(page, challengeUrl, { timeoutMs: TAKE_TIMEOUT_MS });
      await page.waitForURL((at) => at.href.startsWith(redirectUri), { timeout: 20_000 });
      const back = new URL(page.url());
      const tokens = () =>
        client.authorizationCodeGrant(relyingParty, back, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
        });
      return { walk, back, tokens };
    } finally {
      await context.close();
    }
  }

  it(
    'enrols the person the first time',
    async () => {
      const { tokens } = await logIn('d0');
      const claims = (await tokens()).claims()!;
      expect(claims).toMatchObject({ acr: 'urn:likeness:enrolment', amr: [] });
      sub = claims.sub;
    },
    TAKE_TIMEOUT_MS,
  );

  it(
    'verifies them the second time, even if the service is killed in between, and lets nobody else begin in their place',
    async () => {
      const { tokens } = await logIn('d0', async (url) => {
        const stranger = await phone('d0');
        const page = await stranger.newPage();
        const walk = await takeChallenge(page, url, { timeoutMs: 60_000 });
        await stranger.close();
        expect(walk.end).toBe('other_device');
        await service!.kill();
        service = await startService({ dataDir, environment });
      });
      const claims = (await tokens()).claims()!;
      expect(claims).toMatchObject({ acr: 'urn:likeness:face', amr: ['face'], sub });
      expect(claims.auth_time).toBeGreaterThan(Date.now() / 1000 - 120);
    },
    TAKE_TIMEOUT_MS * 2,
  );

  it(
    'refuses another person, and tells the client no more than that',
    async () => {
      const { back } = await logIn('d19');
      expect(back.searchParams.get('error')).toBe('access_denied');
      expect(back.searchParams.get('code')).toBeNull();
    },
    TAKE_TIMEOUT_MS,
  );

  it('knows one person, and forgets them when the client is removed', () => {
    const clientId = relyingParty.clientMetadata().client_id;
    expect(likeness('oidc', 'clients', 'list').data).toMatchObject([{ client_id: clientId, people: 1 }]);
    expect(likeness('oidc', 'clients', 'remove', clientId)).toEqual({ client_id: clientId, removed: true });
    expect(likeness('oidc', 'clients', 'list').data).toEqual([]);
    expect(service!.log()).not.toContain('customer-1');
  });

  it(
    'is a step-up of forty lines: examples/step-up/login.js takes a payment',
    async () => {
      const port = await freePort();
      const added = likeness(
        'oidc',
        'clients',
        'add',
        'payments',
        '--account',
        'development',
        '--enrol',
        '--redirect-uri',
        `http://127.0.0.1:${port}/checked`,
      );
      const app = spawn(process.execPath, ['examples/step-up/login.js'], {
        cwd: projectRoot,
        env: {
          PATH: process.env.PATH,
          PORT: String(port),
          OIDC_ISSUER: `${service!.url}/oidc`,
          OIDC_CLIENT_ID: added.client_id,
          OIDC_CLIENT_SECRET: added.client_secret,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const context = await phone('d0');
      try {
        await once(app.stdout, 'data');
        const page = await context.newPage();
        await page.goto(`http://127.0.0.1:${port}/`);
        await page.getByRole('button', { name: 'Pay 249' }).click();
        await page.waitForURL('**/c/**');
        // Two checks: enrolment, and a verification right after it.
        while (new URL(page.url()).pathname.startsWith('/c/')) {
          await takeChallenge(page, page.url(), { timeoutMs: TAKE_TIMEOUT_MS });
          await page.waitForURL(/\/checked|\/c\//, { timeout: 20_000 });
        }
        await page.getByText('Paid. Thank you, Ada.').waitFor();
      } finally {
        app.kill();
        await context.close();
      }
    },
    TAKE_TIMEOUT_MS * 2,
  );
});
