// A device signs the recording in Firefox, as test/slow/web/passkeys.test.ts shows at length for Chromium; WebKit has none.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { HAS_FIREFOX, launchFirefox } from '../../support/engines/firefox.ts';
import type { EngineBrowser } from '../../support/engines/tab.ts';
import { press, until } from '../../support/engines/walk.ts';
import { HAS_WEBKIT, launchWebKit } from '../../support/engines/webkit.ts';
import { freePort } from '../../support/free-port.ts';
import { cameraScript } from '../../web/support/browser.ts';
import { visits } from '../../web/support/visit.ts';

// Two recordings in one test, on a busy machine.
vi.setConfig({ testTimeout: 150_000 });

/** By name: WebAuthn knows no addresses. */
const ORIGIN = `http://localhost:${await freePort()}`;
const absent = (has: boolean, name: string) => (has ? '' : ` (skipped: ${name} is not installed)`);
const judge = (submission: number) => (submission === 1 ? 'blurred' : 'done');
const challenge = { require_consent: false, device_binding: 'offer' };

describe('the person’s device', () => {
  const visit = visits({ BASE_URL: ORIGIN });
  let browser: EngineBrowser | undefined;
  let face = '';

  beforeAll(async () => {
    face = await cameraScript('face');
  });
  afterAll(() => browser?.close());

  const deviceResult = async () => {
    const answer = await visit.rig.call('GET', `/v1/challenges/${visit.check.id}`);
    return answer.json<{ device_result?: { status: string } }>().device_result?.status;
  };

  it.skipIf(!HAS_FIREFOX)(`signs in Firefox${absent(HAS_FIREFOX, 'firefox-esr')}`, async () => {
    const { url } = await visit.prepare({ challenge, judge });
    browser = await launchFirefox('allowed', face, true);
    const { tab } = browser;
    await tab.go(url);
    const way = [
      ['start', 'start'],
      ['device', 'add-device'],
      ['retry', 'try-again'],
      ['device', 'confirm-device'],
    ] as const;
    for (const [screen, action] of way) {
      await until(tab, screen);
      await press(tab, action);
    }
    await until(tab, 'done');
    // A signature that does not hold would be `failed`; these judgements make no FeatureID that could be bound.
    expect(await deviceResult()).toBe('none');
  });

  // Debian builds WebKitGTK without passkeys, so that nothing signs here, and those of Safari are untried.
  it.skipIf(!HAS_WEBKIT)(
    `is missed in WebKitGTK before a recording that would be in vain${absent(HAS_WEBKIT, 'webkit2gtk-driver with xvfb')}`,
    async () => {
      const { url } = await visit.prepare({ challenge: { ...challenge, device_binding: 'require' }, judge });
      const webkit = await launchWebKit();
      try {
        await webkit.tab.go(url);
        await until(webkit.tab, 'device_missing');
      } finally {
        await webkit.close();
      }
    },
  );
});
