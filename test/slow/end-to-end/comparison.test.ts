// Comparisons end to end: the same person passes, another does not, and another region does not know who enrolled here.
import { describe, expect, it } from 'vitest';
import { TestApi } from '../../support/api.ts';
import { HAS_FACES } from '../../support/faces.ts';
import { SMILES_ALONE, TAKE_TIMEOUT_MS, useJourney } from '../../support/journey.ts';
import { newDataDir, removeDataDir, startService } from '../../support/running-service.ts';
import { expectCompletedResult } from '../../support/spec-result.ts';

const why = HAS_FACES ? '' : ' (skipped: FACES_DIR is not there)';

describe.skipIf(!HAS_FACES)(`comparisons of people before the camera${why}`, () => {
  const journey = useJourney(SMILES_ALONE);
  let featidOfD0 = '';

  it(
    'a first person is enrolled',
    async () => {
      const challenge = await journey.api.create({ liveness_only: true, require_consent: false });
      await journey.take(challenge.challenge_url, { who: 'd0' });
      const result = await journey.api.waitFor(challenge.challenge_id, ['completed']);
      expect(result.overall_result).toBe('pass');
      featidOfD0 = result.liveness_result.liveness_featid;
    },
    TAKE_TIMEOUT_MS,
  );

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
