// Passkeys of a domain above the host (PASSKEY_RP_ID), made and used by the built page in Chromium.
import { describe, expect, it } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { plugIn } from '../../web/support/authenticator.ts';
import { press, untilScreen } from '../../web/support/browser.ts';
import { visits } from '../../web/support/visit.ts';

const DOMAIN = 'check.localhost';
const ORIGIN = `http://faces.${DOMAIN}:${await freePort()}`;

describe('passkeys of a domain above the host', () => {
  const visit = visits({ BASE_URL: ORIGIN, PASSKEY_RP_ID: DOMAIN });

  it('are made, and sign the next recording', async () => {
    const judge = (submission: number) => (submission === 1 ? 'blurred' : 'done');
    const challenge = { require_consent: false, device_binding: 'offer' };
    const { url } = await visit.prepare({ challenge, judge });
    const { page } = await visit.tab('face');
    const authenticator = await plugIn(page);
    await page.goto(url);
    for (const action of ['start', 'add-device', 'try-again', 'confirm-device']) await press(page, action);
    await untilScreen(page, 'done');
    expect(await authenticator.domains()).toEqual([DOMAIN]);
    const answer = await visit.rig.call('GET', `/v1/challenges/${visit.check.id}`);
    // A signature that does not hold would be `failed`; these judgements make no FeatureID that could be bound.
    expect(answer.json()).toMatchObject({ device_result: { status: 'none' } });
  });
});
