// Recordings that a reload discards: each counts as a try, and the next one waits until the last one's time is over.
import { describe, expect, it } from 'vitest';
import { readTexts } from '../../../web/capture/build/messages.ts';
import { press, untilScreen } from '../../web/support/browser.ts';
import { LONG_TAKE_MS, visits } from '../../web/support/visit.ts';

const en = readTexts('en');

describe('discarded recordings', () => {
  const visit = visits();

  it('three discarded recordings use up the three tries: the page says so and asks for nothing more', async () => {
    const alternative_url = 'https://client.example/branch';
    const page = await visit.arrive('face', {
      takeMs: LONG_TAKE_MS,
      challenge: { require_consent: false, flow_behaviour: { alternative_url } },
    });
    for (const after of ['start', 'start', 'no_tries']) {
      await press(page, 'start');
      await untilScreen(page, 'recording', 45_000);
      await page.reload();
      await untilScreen(page, after);
    }
    expect(await visit.text()).toContain(en.deadEnds.no_tries.body);
    expect(await page.getAttribute('[data-action="another-way"]', 'href')).toBe(alternative_url);
  });

  it('after two the page waits, shows the time left and continues; a third, interrupted, is the last', async () => {
    const page = await visit.arrive('face', { takeMs: LONG_TAKE_MS });
    for (const _ of [1, 2]) {
      await press(page, 'start');
      await untilScreen(page, 'recording', 45_000);
      await page.reload();
      await untilScreen(page, 'start');
    }
    await press(page, 'start');
    await untilScreen(page, 'waiting');
    expect(await visit.text()).toContain(en.waiting.body);
    expect(await visit.text()).toMatch(/Time left: 0:\d\d/);
    expect(await visit.tracks()).toEqual(['ended']);
    await untilScreen(page, 'recording', 45_000);
    const states = (await visit.check.captures()).map(({ state }) => state);
    expect(states).toEqual(['abandoned', 'abandoned', 'issued']);
    await page.evaluate('window.cameraTracks.at(-1).dispatchEvent(new Event("ended"))');
    await untilScreen(page, 'no_tries');
    expect(await visit.text()).toContain(en.retry.reasons.camera_lost.title);
    expect(await page.locator('[data-action="another-way"]').count()).toBe(0);
  });
});
