// Recordings that were begun and thrown away by a reload: each is a try, and the next one waits until the time of the last is
// over.
import { describe, expect, it } from 'vitest';
import { readTexts } from '../../../web/capture/build/messages.ts';
import { press, untilScreen } from '../../web/support/browser.ts';
import { LONG_TAKE_MS, visits } from '../../web/support/visit.ts';

const en = readTexts('en');

describe('recordings thrown away', () => {
  const visit = visits();

  it('a second recording thrown away is waited for, with the time left, and then it goes on by itself', async () => {
    const page = await visit.arrive('face', { takeMs: LONG_TAKE_MS });
    for (const _ of [1, 2]) {
      await press(page, 'start');
      await untilScreen(page, 'recording');
      await page.reload();
      await untilScreen(page, 'start');
    }
    await press(page, 'start');
    await untilScreen(page, 'waiting');
    expect(await visit.text()).toContain(en.waiting.body);
    expect(await visit.text()).toMatch(/Time left: 0:\d\d/);
    expect(await visit.tracks()).toEqual(['ended']);
    await untilScreen(page, 'done', 45_000);
    const states = (await visit.check.captures()).map(({ state }) => state);
    expect(states).toEqual(['abandoned', 'abandoned', 'judged']);
  });

  it('three recordings thrown away are the three tries: that is said, and nothing more is asked', async () => {
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

  it('the third recording that is interrupted is the last: why it came to nothing is said beside that', async () => {
    const page = await visit.arrive('face', { takeMs: LONG_TAKE_MS });
    for (const _ of [1, 2]) {
      await press(page, 'start');
      await untilScreen(page, 'recording', 45_000);
      await page.reload();
      await untilScreen(page, 'start');
    }
    await press(page, 'start');
    await untilScreen(page, 'recording', 45_000);
    await page.evaluate('window.cameraTracks.at(-1).dispatchEvent(new Event("ended"))');
    await untilScreen(page, 'no_tries');
    expect(await visit.text()).toContain(en.retry.reasons.camera_lost.title);
    expect(await page.locator('[data-action="another-way"]').count()).toBe(0);
  });
});
