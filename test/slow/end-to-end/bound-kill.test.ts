// kill -9 of the whole service between the device's signature and the settlement: the person is bound to that device once.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from '../../support/api.ts';
import { launchBrowser } from '../../support/browser.ts';
import { takeChallenge } from '../../support/capture-subject.ts';
import { HAS_FACES } from '../../support/faces.ts';
import { freePort } from '../../support/free-port.ts';
import { TAKE_TIMEOUT_MS } from '../../support/journey.ts';
import {
  newDataDir,
  type RunningService,
  removeDataDir,
  startService,
} from '../../support/running-service.ts';
import { installCamera } from '../../support/virtual-camera.ts';
import { plugIn } from '../../web/support/authenticator.ts';

const why = HAS_FACES ? '' : ' (skipped: FACES_DIR is not there)';
const DEVICE = '[data-action="add-device"], [data-action="confirm-device"]';

/** Ends a person's way through the page. */
class Killed extends Error {}

describe.skipIf(!HAS_FACES)(`a service that dies over a signed recording${why}`, () => {
  const dataDir = newDataDir();
  let port: string;
  let browser: Browser;
  let service: RunningService | undefined;

  beforeAll(async () => {
    port = String(await freePort());
    [browser, service] = await Promise.all([launchBrowser(), start()]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    removeDataDir(dataDir);
  });

  /** Each run is at the same address, which the passkey is made for. */
  const start = () =>
    startService({
      dataDir,
      environment: { PORT: port, BASE_URL: `http://localhost:${port}`, LIVENESS_LEVEL: 'quick' },
    });

  /** Uses the device, and kills the service as soon as it has the answer. */
  async function useAndKill(page: Page, screen: string): Promise<void> {
    if (screen !== 'device') return;
    const answered = page.waitForResponse((answer) => answer.url().endsWith('/passkey'));
    await page.click(DEVICE, { timeout: 5_000 });
    expect((await answered).status()).toBe(200);
    await service!.kill();
    throw new Killed();
  }

  it(
    'judges it once it is up again, and has the device once',
    async () => {
      const api = () => new TestApi(service!);
      const challenge = await api().create({
        liveness_only: true,
        require_consent: false,
        device_binding: 'require',
      });
      const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
      await installCamera(context, 'turning', 'follows');
      const page = await context.newPage();
      await plugIn(page);
      const options = { timeoutMs: TAKE_TIMEOUT_MS };
      const killed = takeChallenge(page, challenge.challenge_url, {
        ...options,
        onScreen: (screen) => useAndKill(page, screen),
      });
      await expect(killed).rejects.toThrow(Killed);
      service = await start();
      // What was sent back is recorded again, and signed by the same passkey.
      await takeChallenge(page, challenge.challenge_url, {
        ...options,
        onScreen: async (screen) => {
          if (screen === 'device') await page.click(DEVICE, { timeout: 5_000 });
        },
      });
      await context.close();
      const result = await api().waitFor(challenge.challenge_id, ['completed'], TAKE_TIMEOUT_MS);
      expect(result, JSON.stringify(result.diagnostics)).toMatchObject({
        overall_result: 'pass',
        device_result: { status: 'bound' },
      });
      const listed = await api().call('POST', '/v1/featids/devices', {
        featid: result.liveness_result.liveness_featid,
      });
      expect(listed.body.data).toHaveLength(1);
    },
    TAKE_TIMEOUT_MS * 3,
  );
});
