// Comparisons end to end: the same person passes, another does not, nor does a recording that was sent before, and
// another region does not know who enrolled here.
import { describe, expect, it } from 'vitest';
import { TestApi } from '../../support/api.ts';
import { HAS_FACES } from '../../support/faces.ts';
import { SMILES_ALONE, TAKE_TIMEOUT_MS, useJourney } from '../../support/journey.ts';
import { PageClient } from '../../support/page-client.ts';
import { newDataDir, removeDataDir, startService } from '../../support/running-service.ts';
import { expectCompletedResult } from '../../support/spec-result.ts';

const why = HAS_FACES ? '' : ' (skipped: FACES_DIR is not there)';

describe.skipIf(!HAS_FACES)(`comparisons of people before the camera${why}`, () => {
  const journey = useJourney(SMILES_ALONE);
  let featidOfD0 = '';
  let video: Buffer | undefined;

  it(
    'a first person is enrolled',
    async () => {
      const challenge = await journey.api.create({ liveness_only: true, require_consent: false });
      await journey.take(challenge.challenge_url, { who: 'd0' });
      const result = await journey.api.waitFor(challenge.challenge_id, ['completed']);
      expect(result.overall_result).toBe('pass');
      featidOfD0 = result.liveness_result.liveness_featid;
      const kept = result.assets_links.find(
        (link: { asset_type: string }) => link.asset_type === 'liveness_video',
      );
      video = Buffer.from(await (await fetch(kept.presigned_url)).arrayBuffer());
    },
    TAKE_TIMEOUT_MS,
  );

  it('a recording that is sent to another challenge is recognised, and the browser is told nothing', async () => {
    const challenge = await journey.api.create({ liveness_only: true, require_consent: false });
    const attacker = new PageClient(challenge.challenge_url);
    await attacker.start();
    if (!video) throw new Error('the first test gave no recording');
    expect((await attacker.upload(video, 'video/webm')).status).toBe(200);
    expect(await attacker.outcome()).toMatchObject({ status: 'done', retry: null });
    const result = await journey.api.waitFor(challenge.challenge_id, ['completed']);
    expect(result).toMatchObject({
      overall_result: 'fail',
      liveness_result: { face: true, spoof_result: false, overall: false, liveness_featid: null },
    });
    expect(result.diagnostics.reasons).toEqual(
      expect.arrayContaining(['uploaded_before', 'longer_than_elapsed']),
    );
    const { url, credentials } = journey.service;
    const headers = { authorization: `Basic ${credentials.api_key}` };
    const receipt = await fetch(`${url}/v1/challenges/${challenge.challenge_id}/receipt`, { headers });
    const [, payload] = (await receipt.text()).split('.');
    expect(JSON.parse(Buffer.from(payload!, 'base64url').toString())).toMatchObject({
      overall_result: 'fail',
      inputs: { seen_before: expect.any(Number) },
    });
  }, 60_000);

  it(
    'comparison: the same person passes',
    async () => {
      expect(featidOfD0).not.toBe('');
      const challenge = await journey.api.create({
        liveness_only: false,
        compare_to_featids: [featidOfD0],
        require_consent: false,
      });
      const walk = await journey.take(challenge.challenge_url, { who: 'd0' });
      expect(walk.screens).not.toContain('privacy');
      const result = await journey.api.waitFor(challenge.challenge_id, ['completed']);
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
    },
    TAKE_TIMEOUT_MS,
  );

  it(
    'comparison: another person fails, though live',
    async () => {
      const challenge = await journey.api.create({
        liveness_only: false,
        compare_to_featids: [featidOfD0],
        require_consent: false,
      });
      await journey.take(challenge.challenge_url, { who: 'd19' });
      const result = await journey.api.waitFor(challenge.challenge_id, ['completed']);
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

  it('another region accepts neither its keys nor its challenges nor its FeatureIDs', async () => {
    expect(featidOfD0).not.toBe('');
    const ours = await journey.api.create({ liveness_only: true });
    const elsewhereDir = newDataDir();
    const elsewhere = await startService({ dataDir: elsewhereDir, environment: { REGION: 'uk' } });
    try {
      const stranger = new TestApi({ url: elsewhere.url, credentials: journey.service.credentials });
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
});
