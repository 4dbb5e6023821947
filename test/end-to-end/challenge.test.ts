// The whole flow with the default script: the process of `npm start`, a browser, a person who smiles and turns, a
// webhook receiver, an OAuth server. Then a replay attack: the same recording is sent again.
// Comparisons: test/slow/end-to-end/comparison.test.ts.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HAS_FACES } from '../support/faces.ts';
import { TAKE_TIMEOUT_MS, type Take, useJourney } from '../support/journey.ts';
import { type OAuthServer, startOAuthServer } from '../support/oauth-server.ts';
import { answer, type ReceivedRequest, type Receiver, startReceiver } from '../support/receiver.ts';
import { findSecrets, readFiles } from '../support/secret-search.ts';
import { secretsBehind } from '../support/secrets-of-service.ts';
import { commandsOf } from '../support/shell-blocks.ts';
import { expectCompletedResult, expectExpiredResult } from '../support/spec-result.ts';

const run = promisify(execFile);
const why = HAS_FACES ? '' : ' (skipped: FACES_DIR is not there)';

describe.skipIf(!HAS_FACES)(`a challenge from npm start to the webhook${why}`, () => {
  const journey = useJourney();
  let receiver: Receiver;
  let oauth: OAuthServer;
  let featid = '';
  let video: Buffer | undefined;
  const prompts = new Set<string>();

  beforeAll(async () => {
    [receiver, oauth] = await Promise.all([startReceiver(), startOAuthServer()]);
    // A page to return to, because a browser does not navigate on an empty 204.
    receiver.script([], answer(200, { 'content-type': 'text/html' }, '<title>shop</title>'));
  });
  afterAll(() => Promise.all([receiver?.close(), oauth?.close()]));

  /** Turns when the script asks for it, and records the prompts shown. */
  const turning: Take = {
    who: 'turning',
    prepare: async (page) => {
      await page.exposeFunction('prompted', (prompt: string) => prompts.add(prompt));
      await page.addInitScript(() => {
        const tell = (globalThis as unknown as { prompted(prompt: string): void }).prompted;
        new MutationObserver(() => {
          const { prompt } = document.documentElement.dataset;
          if (prompt) tell(prompt);
        }).observe(document, { attributes: true, subtree: true, attributeFilter: ['data-prompt'] });
      });
    },
  };

  const notifications = () => {
    const authentication = {
      type: 'oauth',
      properties: {
        oauth_endpoint_url: oauth.tokenUrl,
        client_id: 'shop',
        client_secret: 'a secret of the shop',
      },
    };
    const properties = { endpoint_url: `${receiver.url}/webhooks`, authentication };
    return { complete: [{ type: 'http', properties }], expired: [{ type: 'http', properties }] };
  };

  function webhooksOf(challengeId: string): ReceivedRequest[] {
    return receiver.requests.filter(
      (request) => request.method === 'POST' && request.body.includes(challengeId),
    );
  }

  async function webhookOf(challengeId: string): Promise<ReceivedRequest> {
    await expect.poll(() => webhooksOf(challengeId).length, { timeout: 20_000 }).toBe(1);
    return webhooksOf(challengeId)[0]!;
  }

  function expectSigned(request: ReceivedRequest): unknown {
    const headers = request.headers as Record<string, string>;
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(oauth.tokens).toContain(headers.authorization?.replace(/^Bearer /, ''));
    return new Webhook(journey.service.credentials.webhook_secret).verify(request.body, headers);
  }

  it(
    'liveness only: a live person who smiles and turns passes and gets a FeatureID',
    async () => {
      const challenge = await journey.api.create({
        customer_reference: 'order-1',
        liveness_only: true,
        flow_behaviour: { exit_redirect_url: `${receiver.url}/done?order=1` },
        flow_style: { primary_colour_hex: '#0a66c2', show_consent_checkbox: true },
        notifications: notifications(),
      });
      const walk = await journey.take(challenge.challenge_url, turning);
      expect(walk.end).toBe('left');
      expect(walk.screens).toContain('privacy');
      expect(walk.startedByHand).toBe(0);
      expect(receiver.requests.some((request) => request.path === '/done?order=1')).toBe(true);

      expect([...prompts]).toContain('smile');
      expect([...prompts]).toContain('target');
      const result = await journey.api.waitFor(challenge.challenge_id, ['completed']);
      expectCompletedResult(result, { livenessOnly: true });
      expect(result, JSON.stringify(result.diagnostics)).toMatchObject({
        customer_reference: 'order-1',
        overall_result: 'pass',
        consent_required: true,
        liveness_result: { face: true, smile: true, spoof_result: true, overall: true },
      });
      expect(result.consent_given_at).not.toBeNull();
      expect(result.events.map((event: { name: string }) => event.name)).toEqual(
        expect.arrayContaining([
          'consent_given',
          'capture_started',
          'capture_submitted',
          'evaluation_completed',
        ]),
      );
      featid = result.liveness_result.liveness_featid;
      expect(featid.length).toBeLessThanOrEqual(96);

      const delivered = expectSigned(await webhookOf(challenge.challenge_id));
      expectCompletedResult(delivered, { livenessOnly: true });
      const { assets_links: _links, ...body } = result;
      expect(delivered).toMatchObject(body);
      await expectAssets(result);
      expect(await verify(challenge.challenge_id)).toMatchObject({
        verdict: 'verified',
        receipt: { challenge_id: challenge.challenge_id, overall_result: 'pass' },
      });
      // Judged while it was recorded. Without that the person only waits longer.
      expect(journey.service.log()).toMatch(/"followed":true.*"capture judged"/);
      // The server's own times show how long the prompts were known ahead. On a loaded machine that may be too long.
      expect(journey.service.log()).toMatch(/"prompt_lead":"(passed|failed)".*"capture judged"/);
    },
    TAKE_TIMEOUT_MS,
  );

  async function expectAssets(result: { assets_links: Record<string, string | number>[] }): Promise<void> {
    const kinds = result.assets_links.map((link) => link.asset_type).sort();
    expect(kinds).toEqual(['best_frame', 'liveness_video']);
    for (const link of result.assets_links) {
      const answer = await fetch(String(link.presigned_url));
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toContain(String(link.mime_type));
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect(Math.max(1, Math.round(bytes.length / 1024))).toBeCloseTo(Number(link.size_kb), -1);
      if (link.asset_type === 'best_frame') expect(bytes.subarray(0, 2).toString('latin1')).toBe('BM');
      else {
        expect(bytes.subarray(0, 4).toString('hex')).toBe('1a45dfa3');
        video = bytes;
      }
      const altered = new URL(String(link.presigned_url));
      altered.pathname = altered.pathname.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
      expect((await fetch(altered)).status).toBeGreaterThanOrEqual(400);
    }
  }

  /** Fetches and verifies the receipt as the guide says: the second in a process without keys or database. */
  async function verify(challengeId: string): Promise<unknown> {
    const { url, credentials } = journey.service;
    const folder = mkdtempSync(join(tmpdir(), 'likeness-receipt-'));
    symlinkSync(resolve('bin'), join(folder, 'bin'));
    writeFileSync(join(folder, 'video.webm'), video!);
    const shell = (command: string, environment: Record<string, string> = {}) =>
      run('sh', ['-e', '-c', command], { cwd: folder, env: { PATH: process.env.PATH, ...environment } });
    const [fetchReceipt, verifyReceipt, ...others] = commandsOf('docs/guides/receipts.md');
    expect(others).toEqual([]);
    const API_KEY = credentials.api_key;
    await shell(fetchReceipt!.replace('curl', 'curl --fail'), {
      BASE_URL: url,
      API_KEY,
      CHALLENGE_ID: challengeId,
    });
    // The key is made with the first receipt.
    writeFileSync(join(folder, 'jwks.json'), await (await fetch(`${url}/.well-known/jwks.json`)).text());
    const { stdout } = await shell(`${verifyReceipt!.trimEnd()} --json`);
    rmSync(folder, { recursive: true });
    return JSON.parse(stdout);
  }

  it('expires, and notifies once', async () => {
    const challenge = await journey.api.create({
      liveness_only: true,
      expires_in_seconds: 1,
      notifications: notifications(),
    });
    const result = await journey.api.waitFor(challenge.challenge_id, ['expired']);
    expectExpiredResult(result);
    expectExpiredResult(expectSigned(await webhookOf(challenge.challenge_id)));
    const page = await fetch(challenge.challenge_url);
    expect(page.status).toBe(410);
    expect(webhooksOf(challenge.challenge_id)).toHaveLength(1);
  });

  it('keeps FeatureIDs, keys, secrets and templates out of its database, its files and its logs', async () => {
    expect(featid).not.toBe('');
    const comparison = {
      liveness_only: false,
      compare_to_featids: [featid],
      notifications: notifications(),
    };
    const answers = [1, 2].map(() =>
      journey.api.call('POST', '/v1/create-challenge', comparison, { 'idempotency-key': 'kept-sealed' }),
    );
    const replies = await Promise.all(answers);
    expect(replies.map(({ status }) => status)).toContain(201);
    const link = replies.find(({ status }) => status === 201)!.body.challenge_url;

    const { secrets, dump } = await secretsBehind(journey.service, featid);
    const all = { ...secrets, 'link token': link.split('/c/')[1], 'client secret': 'a secret of the shop' };
    expect(dump.includes('public.featid\n')).toBe(true);
    // Only names, because a failure must not print the dump or the log.
    expect(findSecrets(Buffer.from(dump), all)).toEqual([]);
    expect(findSecrets(Buffer.from(journey.service.log()), all)).toEqual([]);
    expect(/\/c\/[A-Za-z0-9_-]{20,}/.test(journey.service.log())).toBe(false);
    const files = readFiles(journey.dataDir, ['master.key', 'dev-credentials.json']);
    expect(files.length).toBeGreaterThan(100);
    expect(files.flatMap((bytes) => findSecrets(bytes, all))).toEqual([]);
    const own = readFiles(journey.dataDir, []).flatMap((bytes) => findSecrets(bytes, all));
    expect([...new Set(own)].sort()).toEqual(['API key', 'webhook secret']);
  });
});
