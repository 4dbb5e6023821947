// Who does not pass, for real: the process of `npm start`, a browser, a camera that shows no smile or no person. Three tries
// each, most of it waiting.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from '../../support/api.ts';
import { launchBrowser } from '../../support/browser.ts';
import { takeChallenge, type Walk } from '../../support/capture-subject.ts';
import { HAS_FACES } from '../../support/faces.ts';
import {
  newDataDir,
  type RunningService,
  removeDataDir,
  startService,
} from '../../support/running-service.ts';
import { expectCompletedResult } from '../../support/spec-result.ts';
import { type Behaviour, installCamera } from '../../support/virtual-camera.ts';

const TAKE_TIMEOUT_MS = 180_000;
const why = HAS_FACES ? '' : ' (skipped: FACES_DIR is not there)';

describe.skipIf(!HAS_FACES)(`a challenge that is not passed${why}`, () => {
  let service: RunningService;
  let api: TestApi;
  let browser: Browser;
  const dataDir = newDataDir();

  beforeAll(async () => {
    browser = await launchBrowser();
    service = await startService({
      dataDir,
      environment: { LIVENESS_PROMPTS: 'smile,neutral', LIVENESS_LEVEL: 'quick' },
    });
    api = new TestApi(service);
  });
  afterAll(async () => {
    await browser?.close();
    if (service) expect(await service.stop()).toBe(0);
    removeDataDir(dataDir);
  });

  async function take(url: string, behaviour: Behaviour): Promise<Walk> {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    try {
      await installCamera(context, 'd0', behaviour);
      return await takeChallenge(await context.newPage(), url, { timeoutMs: TAKE_TIMEOUT_MS });
    } finally {
      await context.close();
    }
  }

  it.concurrent(
    'no smile: sent back with the reason, and failed when the tries are used up',
    async () => {
      const challenge = await api.create({ liveness_only: true, require_consent: false });
      const walk = await take(challenge.challenge_url, 'never smiles');
      expect(walk.screens.filter((screen) => screen === 'retry')).toHaveLength(2);
      const result = await api.waitFor(challenge.challenge_id, ['completed']);
      expectCompletedResult(result, { livenessOnly: true });
      expect(result.overall_result).toBe('fail');
      expect(result.liveness_result).toMatchObject({ smile: false, overall: false, liveness_featid: null });
      expect(result.diagnostics.reasons).toContain('smile_missing');
    },
    TAKE_TIMEOUT_MS,
  );

  it.concurrent(
    'a still photograph before the camera fails',
    async () => {
      const challenge = await api.create({ liveness_only: true, require_consent: false });
      await take(challenge.challenge_url, 'still photo');
      const result = await api.waitFor(challenge.challenge_id, ['completed']);
      expectCompletedResult(result, { livenessOnly: true });
      expect(result.overall_result).toBe('fail');
      expect(result.liveness_result).toMatchObject({ overall: false, liveness_featid: null });
    },
    TAKE_TIMEOUT_MS,
  );
});
