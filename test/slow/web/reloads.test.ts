// Reloads during and after a recording, and a connection lost while the video is checked.
import { describe, expect, it } from 'vitest';
import { readTexts } from '../../../web/capture/build/messages.ts';
import { press, untilScreen } from '../../web/support/browser.ts';
import { LONG_TAKE_MS, type Verdict, visits } from '../../web/support/visit.ts';

const en = readTexts('en');

describe('reloads of the capture page', () => {
  const visit = visits();
  const { arrive, text } = visit;

  it('keeps waiting through a lost connection while the video is checked', async () => {
    let judged = () => {};
    const { url } = await visit.prepare({
      judge: async (): Promise<Verdict> => {
        await new Promise<void>((resolve) => {
          judged = resolve;
        });
        return 'done';
      },
    });
    const { page, context } = await visit.tab('face');
    let asked = 0;
    await context.route('**/outcome?*', async (route) => {
      asked += 1;
      // The first answer says how long the check will take; at the second request the connection is lost.
      if (asked === 1) return route.continue({ url: route.request().url().replace(/=\d+$/, '=0') });
      if (asked === 2) return route.abort('connectionreset');
      judged();
      return route.continue();
    });
    await page.goto(url);
    await press(page, 'start');
    await untilScreen(page, 'processing', 45_000);
    await expect.poll(text).toContain(en.processing.estimate({ seconds: 1 }));
    await untilScreen(page, 'done');
    expect(asked).toBe(3);
  });

  it('a reload while recording, while the video is checked or after it was sent back continues where it was', async () => {
    let answer = () => {};
    const judged = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const page = await arrive('face', {
      takeMs: LONG_TAKE_MS,
      judge: async (): Promise<Verdict> => {
        await judged;
        return 'too_dark';
      },
    });
    await press(page, 'start');
    await untilScreen(page, 'recording');
    await page.reload();
    await untilScreen(page, 'start');
    await press(page, 'start');
    await untilScreen(page, 'processing');
    await page.reload();
    await untilScreen(page, 'processing');
    answer();
    await untilScreen(page, 'retry');
    await page.reload();
    await untilScreen(page, 'retry');
    expect(await text()).toContain(en.retry.reasons.too_dark.title);
    // One recording was discarded and one sent; none was sent twice. Each had a script of its own and counts as a try.
    expect(await text()).toContain(en.retry.triesLeft({ tries: 1 }));
    expect((await visit.check.captures()).map(({ state }) => state)).toEqual(['abandoned', 'rejected']);
  });
});
