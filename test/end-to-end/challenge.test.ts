// The whole line for real: the process of `npm start`, a browser, a virtual subject, a webhook receiver, an OAuth server.
import type { Browser } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from '../support/api.ts';
import { launchBrowser } from '../support/browser.ts';
import type { CameraSubject } from '../support/camera-film.ts';
import { takeChallenge, type Walk } from '../support/capture-subject.ts';
import { HAS_FACES } from '../support/faces.ts';
import { type OAuthServer, startOAuthServer } from '../support/oauth-server.ts';
import { answer, type ReceivedRequest, type Receiver, startReceiver } from '../support/receiver.ts';
import { newDataDir, type RunningService, removeDataDir, startService } from '../support/running-service.ts';
import { findSecrets, readFiles } from '../support/secret-search.ts';
import { secretsBehind } from '../support/secrets-of-service.ts';
import { expectCompletedResult, expectExpiredResult } from '../support/spec-result.ts';
import { type Behaviour, installCamera } from '../support/virtual-camera.ts';

const TAKE_TIMEOUT_MS = 180_000;
const why = HAS_FACES ? '' : ' (skipped: FACES_DIR is not there)';

describe.skipIf(!HAS_FACES)(`a challenge from npm start to the webhook${why}`, () => {
  let service: RunningService;
  let api: TestApi;
  let browser: Browser;
  let receiver: Receiver;
  let oauth: OAuthServer;
  const dataDir = newDataDir();
  let featidOfD0 = '';

  beforeAll(async () => {
    [receiver, oauth, browser] = await Promise.all([startReceiver(), startOAuthServer(), launchBrowser()]);
    // A page to come back to: a browser stays where it is on an empty 204.
    receiver.script([], answer(200, { 'content-type': 'text/html' }, '<title>shop</title>'));
    service = await startService({
      dataDir,
      environment: { LIVENESS_PROMPTS: 'smile,neutral', LIVENESS_LEVEL: 'quick' },
    });
    api = new TestApi(service);
  });
  afterAll(async () => {
    await browser?.close();
    if (service) expect(await service.stop()).toBe(0);
    await Promise.all([receiver?.close(), oauth?.close()]);
    removeDataDir(dataDir);
  });

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

  async function take(url: string, who: CameraSubject, behaviour: Behaviour): Promise<Walk> {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    try {
      await installCamera(context, who, behaviour);
      return await takeChallenge(await context.newPage(), url, { timeoutMs: TAKE_TIMEOUT_MS });
    } finally {
      await context.close();
    }
  }

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
    return new Webhook(service.credentials.webhook_secret).verify(request.body, headers);
  }

  it(
    'liveness only: a live person who smiles passes and gets a FeatureID',
    async () => {
      const challenge = await api.create({
        customer_reference: 'order-1',
        liveness_only: true,
        flow_behaviour: { exit_redirect_url: `${receiver.url}/done?order=1` },
        flow_style: { primary_colour_hex: '#0a66c2', show_consent_checkbox: true },
        notifications: notifications(),
      });
      const walk = await take(challenge.challenge_url, 'd0', 'follows');
      expect(walk.end).toBe('left');
      expect(walk.screens).toContain('privacy');
      expect(walk.startedByHand).toBe(0);
      expect(receiver.requests.some((request) => request.path === '/done?order=1')).toBe(true);

      const result = await api.waitFor(challenge.challenge_id, ['completed']);
      expectCompletedResult(result, { livenessOnly: true });
      expect(result).toMatchObject({
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
      featidOfD0 = result.liveness_result.liveness_featid;
      expect(featidOfD0.length).toBeLessThanOrEqual(96);

      const delivered = expectSigned(await webhookOf(challenge.challenge_id));
      expectCompletedResult(delivered, { livenessOnly: true });
      const { assets_links: _links, ...body } = result;
      expect(delivered).toMatchObject(body);
      await expectAssets(result);
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
      else expect(bytes.subarray(0, 4).toString('hex')).toBe('1a45dfa3');
      const altered = new URL(String(link.presigned_url));
      altered.pathname = altered.pathname.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
      expect((await fetch(altered)).status).toBeGreaterThanOrEqual(400);
    }
  }

  it(
    'comparison: the same person passes',
    async () => {
      expect(featidOfD0).not.toBe('');
      const challenge = await api.create({
        liveness_only: false,
        compare_to_featids: [featidOfD0],
        require_consent: false,
        notifications: notifications(),
      });
      const walk = await take(challenge.challenge_url, 'd0', 'follows');
      expect(walk.screens).not.toContain('privacy');
      const result = await api.waitFor(challenge.challenge_id, ['completed']);
      expectCompletedResult(result, { livenessOnly: false });
      expect(result.overall_result).toBe('pass');
      expect(result.match_result.compared_to_featids).toHaveLength(1);
      expect(result.match_result.compared_to_featids[0]).toMatchObject({
        featid: featidOfD0,
        result: 'pass',
      });
      expect(
        Object.keys(result.match_result.compared_to_featids[0].likeness_features).length,
      ).toBeGreaterThan(6);
      expectCompletedResult(expectSigned(await webhookOf(challenge.challenge_id)), { livenessOnly: false });
    },
    TAKE_TIMEOUT_MS,
  );

  it(
    'comparison: another person fails, though live',
    async () => {
      const challenge = await api.create({
        liveness_only: false,
        compare_to_featids: [featidOfD0],
        require_consent: false,
      });
      await take(challenge.challenge_url, 'd19', 'follows');
      const result = await api.waitFor(challenge.challenge_id, ['completed']);
      expectCompletedResult(result, { livenessOnly: false });
      expect(result.liveness_result.overall).toBe(true);
      expect(result.overall_result).toBe('fail');
      expect(result.match_result.compared_to_featids[0]).toMatchObject({
        featid: featidOfD0,
        result: 'fail',
      });
    },
    TAKE_TIMEOUT_MS,
  );

  it('expires by itself and says so once', async () => {
    const challenge = await api.create({
      liveness_only: true,
      expires_in_seconds: 1,
      notifications: notifications(),
    });
    const result = await api.waitFor(challenge.challenge_id, ['expired']);
    expectExpiredResult(result);
    expectExpiredResult(expectSigned(await webhookOf(challenge.challenge_id)));
    const page = await fetch(challenge.challenge_url);
    expect(page.status).toBe(410);
    expect(webhooksOf(challenge.challenge_id)).toHaveLength(1);
  });

  it('another region takes neither its keys, nor its challenges, nor its FeatureIDs', async () => {
    expect(featidOfD0).not.toBe('');
    const ours = await api.create({ liveness_only: true });
    const elsewhereDir = newDataDir();
    const elsewhere = await startService({ dataDir: elsewhereDir, environment: { REGION: 'uk' } });
    try {
      const stranger = new TestApi({ url: elsewhere.url, credentials: service.credentials });
      expect((await stranger.call('GET', '/v1/challenges')).status).toBe(401);

      const local = new TestApi(elsewhere);
      expect((await local.call('GET', `/v1/challenges/${ours.challenge_id}`)).status).toBe(404);
      const link = await fetch(`${elsewhere.url}${new URL(ours.challenge_url).pathname}`);
      expect(link.status).toBe(404);
      const comparison = { liveness_only: false, compare_to_featids: [featidOfD0] };
      const refused = await local.call('POST', '/v1/create-challenge', comparison);
      expect(refused.status).toBe(422);
      expect(refused.body.errors).toEqual([
        { pointer: '/compare_to_featids/0', code: 'featid_unknown', detail: expect.any(String) },
      ]);
    } finally {
      expect(await elsewhere.stop()).toBe(0);
      removeDataDir(elsewhereDir);
    }
  });

  it('keeps strings, keys, secrets and templates out of its database, its files and its logs', async () => {
    expect(featidOfD0).not.toBe('');
    const comparison = {
      liveness_only: false,
      compare_to_featids: [featidOfD0],
      notifications: notifications(),
    };
    const answers = [1, 2].map(() =>
      api.call('POST', '/v1/create-challenge', comparison, { 'idempotency-key': 'kept-sealed' }),
    );
    const replies = await Promise.all(answers);
    expect(replies.map(({ status }) => status)).toContain(201);
    const link = replies.find(({ status }) => status === 201)!.body.challenge_url;

    const { secrets, dump } = await secretsBehind(service, featidOfD0);
    const all = { ...secrets, 'link token': link.split('/c/')[1], 'client secret': 'a secret of the shop' };
    expect(dump.includes('public.featid\n')).toBe(true);
    // Names alone: a failure must not print the dump or the log.
    expect(findSecrets(Buffer.from(dump), all)).toEqual([]);
    expect(findSecrets(Buffer.from(service.log()), all)).toEqual([]);
    expect(/\/c\/[A-Za-z0-9_-]{20,}/.test(service.log())).toBe(false);
    const files = readFiles(dataDir, ['master.key', 'dev-credentials.json']);
    expect(files.length).toBeGreaterThan(100);
    expect(files.flatMap((bytes) => findSecrets(bytes, all))).toEqual([]);
    const own = readFiles(dataDir, []).flatMap((bytes) => findSecrets(bytes, all));
    expect([...new Set(own)].sort()).toEqual(['API key', 'webhook secret']);
  });
});
