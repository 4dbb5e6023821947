// The capture page when the connection or the page goes away in the middle: uploads resumed, reloads in every state.
import { describe, expect, it } from 'vitest';
import { readTexts } from '../../web/capture/build/messages.ts';
import { press, untilScreen } from './support/browser.ts';
import { ASKING, LONG_TAKE_MS, type Verdict, visits } from './support/visit.ts';

const en = readTexts('en');

describe('interruptions of the capture page', () => {
  const visit = visits();
  const { arrive, text } = visit;

  it('resumes an upload after lost connections, sending nothing twice', async () => {
    const fates = ['drop', 'take', 'lose', 'drop'] as const;
    const offsets: number[] = [];
    const page = await arrive('face', {
      chunkBytes: 20_000,
      onAppend: (offset) => {
        offsets.push(offset);
        return fates[offsets.length - 1] ?? 'take';
      },
    });
    await press(page, 'start');
    await untilScreen(page, 'done', 45_000);
    const captures = await visit.check.captures();
    const [capture] = captures;
    expect(offsets).toEqual([...offsets].sort((one, other) => one - other));
    expect(offsets.length).toBeGreaterThan(Math.ceil((capture?.size_bytes ?? 0) / 20_000));
    expect(capture?.state).toBe('judged');
    expect(capture?.received_bytes).toBe(capture?.size_bytes);
    expect(captures).toHaveLength(1);
  });

  it('waits while offline and goes on by itself', async () => {
    let cut = false;
    const page = await arrive('face', {
      chunkBytes: 20_000,
      onAppend: async (offset) => {
        if (offset === 0 || cut) return 'take';
        cut = true;
        await visit.opened.context.setOffline(true);
        return 'drop';
      },
    });
    await press(page, 'start');
    await page.waitForSelector('.progress[data-phase="waiting"]', { timeout: 30_000 });
    expect(await text()).toContain(en.uploading.waitingBody);
    await visit.opened.context.setOffline(false);
    await untilScreen(page, 'done');
    expect(await visit.check.captures()).toHaveLength(1);
  });

  it('a reload in the middle of the upload goes on with the same video', async () => {
    let release = () => {};
    let reloaded = false;
    const page = await arrive('face', {
      chunkBytes: 20_000,
      onAppend: async (offset) => {
        if (offset === 0 || reloaded) return 'take';
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        return 'drop';
      },
    });
    await press(page, 'start');
    await untilScreen(page, 'uploading');
    const received = async () => (await visit.check.captures())[0]?.received_bytes;
    await expect.poll(received, { timeout: 15_000 }).toBe(20_000);
    reloaded = true;
    await page.reload();
    release();
    await untilScreen(page, 'done');
    expect(await visit.check.captures()).toHaveLength(1);
    expect((await visit.check.captures())[0]?.state).toBe('judged');
  });

  it('a reload before the recording goes on without asking for consent again', async () => {
    const page = await arrive('face', { challenge: ASKING });
    await press(page, 'agree');
    await untilScreen(page, 'position');
    await page.reload();
    await untilScreen(page, 'start');
    expect(await page.textContent('[data-action="start"]')).toBe(en.welcome.resume);
    await press(page, 'start');
    await untilScreen(page, 'done', 45_000);
    const given = (await visit.check.events()).filter((name) => name === 'consent_given');
    expect(given).toHaveLength(1);
  });

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
      // Asked for the first time, it says how long it will take; then the connection is lost.
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

  it.each([
    ['privacy', [], 'privacy'],
    ['declined', ['decline'], 'privacy'],
    ['position', ['agree'], 'start'],
    ['left', ['agree', 'leave-check'], 'start'],
  ] as const)('a reload on the screen %s opens where it was', async (screen, presses, after) => {
    const page = await arrive('empty', { challenge: ASKING });
    for (const action of presses) await press(page, action);
    await untilScreen(page, screen);
    await page.reload();
    await untilScreen(page, after);
  });

  it('a reload while recording, while the video is checked and after it came back goes on where it was', async () => {
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
    // One recording was thrown away, one sent; none was sent twice. Each had a script of its own, and is a try.
    expect(await text()).toContain(en.retry.triesLeft({ tries: 1 }));
    expect((await visit.check.captures()).map(({ state }) => state)).toEqual(['abandoned', 'rejected']);
  });

  it('says so when there is no connection at the first step, and takes the next tap', async () => {
    const page = await arrive('face');
    await untilScreen(page, 'start');
    await visit.opened.context.setOffline(true);
    await press(page, 'start');
    await expect.poll(text).toContain(en.failed.offline.body);
    await visit.opened.context.setOffline(false);
    await press(page, 'start');
    await untilScreen(page, 'position');
  });
});
