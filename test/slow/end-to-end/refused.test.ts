// People who do not pass, end to end: the process of `npm start`, a browser, a camera that shows no smile or no live
// person. Three tries each, one after another: two at once would starve each other, and be told so in further retries.
import { describe, expect, it } from 'vitest';
import { HAS_FACES } from '../../support/faces.ts';
import { SMILES_ALONE, TAKE_TIMEOUT_MS, useJourney } from '../../support/journey.ts';
import { expectCompletedResult } from '../../support/spec-result.ts';

const why = HAS_FACES ? '' : ' (skipped: FACES_DIR is not there)';

describe.skipIf(!HAS_FACES)(`a challenge that is not passed${why}`, () => {
  const journey = useJourney(SMILES_ALONE);

  it(
    'no smile: it is sent back with the reason, and fails when the tries are used up',
    async () => {
      const challenge = await journey.api.create({ liveness_only: true, require_consent: false });
      const walk = await journey.take(challenge.challenge_url, { behaviour: 'never smiles' });
      expect(walk.screens.filter((screen) => screen === 'retry')).toHaveLength(2);
      const result = await journey.api.waitFor(challenge.challenge_id, ['completed']);
      expectCompletedResult(result, { livenessOnly: true });
      expect(result.overall_result).toBe('fail');
      expect(result.liveness_result).toMatchObject({ smile: false, overall: false, liveness_featid: null });
      expect(result.diagnostics.reasons).toContain('smile_missing');
    },
    TAKE_TIMEOUT_MS,
  );

  it(
    'a still photograph before the camera fails',
    async () => {
      const challenge = await journey.api.create({ liveness_only: true, require_consent: false });
      await journey.take(challenge.challenge_url, { behaviour: 'still photo' });
      const result = await journey.api.waitFor(challenge.challenge_id, ['completed']);
      expectCompletedResult(result, { livenessOnly: true });
      expect(result.overall_result).toBe('fail');
      expect(result.liveness_result).toMatchObject({ overall: false, liveness_featid: null });
    },
    TAKE_TIMEOUT_MS,
  );
});
