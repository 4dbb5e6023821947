// A puppet of two photographs passes as the person whom they show (docs/liveness.md). Where the FeatureID is bound to
// the person's device and the client requires it, the same puppet does not pass without that device.
import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { takeChallenge } from '../../support/capture-subject.ts';
import { HAS_FACES } from '../../support/faces.ts';
import { freePort } from '../../support/free-port.ts';
import { TAKE_TIMEOUT_MS, useJourney } from '../../support/journey.ts';
import { plugIn } from '../../web/support/authenticator.ts';

const why = HAS_FACES ? '' : ' (skipped: FACES_DIR is not there)';
const PORT = String(await freePort());

describe.skipIf(!HAS_FACES)(`a puppet of a person whose FeatureID is bound${why}`, () => {
  const journey = useJourney({ PORT, BASE_URL: `http://localhost:${PORT}`, LIVENESS_LEVEL: 'quick' });
  let featid = '';

  /** Takes a challenge that requires the device; on the device's screen it presses these buttons, one after another. */
  async function take(fields: object, actions: readonly string[]) {
    const body = { require_consent: false, device_binding: 'require', ...fields };
    const challenge = await journey.api.create(body);
    const context = await journey.phone({ who: 'turning' });
    try {
      const page = await context.newPage();
      // Another browser, another device: it has none of the passkeys of those before.
      await plugIn(page);
      const onScreen = async (name: string) => {
        if (name !== 'device') return;
        for (const action of actions) await page.click(`[data-action="${action}"]`);
      };
      await takeChallenge(page, challenge.challenge_url, { timeoutMs: TAKE_TIMEOUT_MS, onScreen });
    } finally {
      await context.close();
    }
    return journey.api.waitFor(challenge.challenge_id, ['completed']);
  }

  it(
    'passes, and adds its device, where none is bound yet',
    async () => {
      const result = await take({ liveness_only: true }, ['add-device']);
      expect(result, JSON.stringify(result.diagnostics)).toMatchObject({
        overall_result: 'pass',
        device_result: { status: 'bound' },
      });
      featid = result.liveness_result.liveness_featid;
      const { url, credentials } = journey.service;
      const headers = { authorization: `Basic ${credentials.api_key}` };
      const receipt = await fetch(`${url}/v1/challenges/${result.challenge_id}/receipt`, { headers });
      expect(decodeJwt(await receipt.text()).device_result).toEqual(result.device_result);
    },
    TAKE_TIMEOUT_MS,
  );

  it(
    'does not pass with a device of its own, which holds no such passkey, though its face is live and matches',
    async () => {
      expect(featid).not.toBe('');
      // It goes on without a device: a second tap confirms the first.
      const actions = ['confirm-device', 'without-device', 'without-device'];
      const result = await take({ liveness_only: false, compare_to_featids: [featid] }, actions);
      expect(result, JSON.stringify(result.diagnostics)).toMatchObject({
        overall_result: 'fail',
        liveness_result: { overall: true },
        match_result: { compared_to_featids: [{ featid, result: 'pass' }] },
        device_result: { status: 'new' },
      });
    },
    TAKE_TIMEOUT_MS,
  );
});
