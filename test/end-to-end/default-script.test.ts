// The script as it comes by default: look ahead, smile and turns, in the real page before a person who really turns.
// Then what an attacker makes of it: the same recording sent to another challenge.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from '../support/api.ts';
import { launchBrowser } from '../support/browser.ts';
import { takeChallenge } from '../support/capture-subject.ts';
import { HAS_FACES } from '../support/faces.ts';
import { PageClient } from '../support/page-client.ts';
import { newDataDir, type RunningService, removeDataDir, startService } from '../support/running-service.ts';
import { installCamera } from '../support/virtual-camera.ts';

const TAKE_TIMEOUT_MS = 180_000;
const why = HAS_FACES ? '' : ' (skipped: FACES_DIR is not there)';

describe.skipIf(!HAS_FACES)(`the default script${why}`, () => {
  let service: RunningService;
  let api: TestApi;
  let browser: Browser;
  const dataDir = newDataDir();
  const prompts = new Set<string>();
  let video: Buffer | undefined;

  beforeAll(async () => {
    [browser, service] = await Promise.all([launchBrowser(), startService({ dataDir })]);
    api = new TestApi(service);
  });
  afterAll(async () => {
    await browser?.close();
    if (service) expect(await service.stop()).toBe(0);
    removeDataDir(dataDir);
  });

  it(
    'is followed by a person who smiles and turns the head',
    async () => {
      const challenge = await api.create({ liveness_only: true, require_consent: false });
      const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
      await installCamera(context, 'turning', 'follows');
      const page = await context.newPage();
      await page.exposeFunction('prompted', (prompt: string) => prompts.add(prompt));
      await page.addInitScript(() => {
        const tell = (globalThis as unknown as { prompted(prompt: string): void }).prompted;
        new MutationObserver(() => {
          const { prompt } = document.documentElement.dataset;
          if (prompt) tell(prompt);
        }).observe(document, { attributes: true, subtree: true, attributeFilter: ['data-prompt'] });
      });
      const walk = await takeChallenge(page, challenge.challenge_url, { timeoutMs: TAKE_TIMEOUT_MS });
      await context.close();
      expect(walk).toMatchObject({ end: 'done', startedByHand: 0 });

      const result = await api.waitFor(challenge.challenge_id, ['completed']);
      expect(result, JSON.stringify(result.diagnostics)).toMatchObject({
        overall_result: 'pass',
        liveness_result: { face: true, smile: true, spoof_result: true, overall: true },
      });
      expect([...prompts]).toContain('smile');
      expect([...prompts].some((prompt) => prompt.startsWith('turn_'))).toBe(true);
      const link = result.assets_links.find(
        ({ asset_type }: { asset_type: string }) => asset_type === 'liveness_video',
      );
      video = Buffer.from(await (await fetch(link.presigned_url)).arrayBuffer());
    },
    TAKE_TIMEOUT_MS,
  );

  it('is known again when its recording is sent to another challenge, and the browser is told nothing', async () => {
    const challenge = await api.create({ liveness_only: true, require_consent: false });
    const attacker = new PageClient(challenge.challenge_url);
    await attacker.start();
    if (!video) throw new Error('the first test gave no recording');
    expect((await attacker.upload(video, 'video/webm')).status).toBe(200);
    expect(await attacker.outcome()).toMatchObject({ status: 'done', retry: null });
    const result = await api.waitFor(challenge.challenge_id, ['completed']);
    expect(result).toMatchObject({
      overall_result: 'fail',
      liveness_result: { face: true, spoof_result: false, overall: false, liveness_featid: null },
    });
    expect(result.diagnostics.reasons).toEqual(
      expect.arrayContaining(['uploaded_before', 'longer_than_elapsed']),
    );
  }, 60_000);
});
