// The capture page when the connection or the page goes away in the middle: uploads resumed, reloads in every state.
import { describe, expect, it } from 'vitest';
import { texts as en } from '../../web/capture/texts/en.ts';
import { press, untilScreen } from './support/browser.ts';
import { DONE } from './support/page-server.ts';
import { plainState, visits } from './support/visit.ts';

describe('interruptions of the capture page', () => {
  const visit = visits();
  const { arrive, text } = visit;

  it('resumes an upload after lost connections, sending nothing twice', async () => {
    const fates = ['drop', 'take', 'lose', 'drop'] as const;
    const offsets: number[] = [];
    const page = await arrive('face', {
      state: plainState(),
      chunkBytes: 60_000,
      onAppend: (offset) => {
        offsets.push(offset);
        return fates[offsets.length - 1] ?? 'take';
      },
    });
    await press(page, 'start');
    await untilScreen(page, 'done', 45_000);
    const [capture] = visit.server.captures;
    expect(offsets).toEqual([...offsets].sort((one, other) => one - other));
    expect(offsets.length).toBeGreaterThan(Math.ceil((capture?.bytes.length ?? 0) / 60_000));
    expect(capture?.state).toBe('submitted');
    expect(capture?.bytes.length).toBe(capture?.commit?.size_bytes);
    expect(visit.server.captures).toHaveLength(1);
  });

  it('waits while offline and goes on by itself', async () => {
    let cut = false;
    const page = await arrive('face', {
      state: plainState(),
      chunkBytes: 60_000,
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
    expect(visit.server.captures).toHaveLength(1);
  });

  it('a reload in the middle of the upload goes on with the same video', async () => {
    let release = () => {};
    let reloaded = false;
    const page = await arrive('face', {
      state: plainState(),
      chunkBytes: 60_000,
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
    await expect.poll(() => visit.server.captures[0]?.bytes.length, { timeout: 15_000 }).toBe(60_000);
    reloaded = true;
    await page.reload();
    release();
    await untilScreen(page, 'done');
    expect(visit.server.captures).toHaveLength(1);
    expect(visit.server.captures[0]?.state).toBe('submitted');
  });

  it('a reload before the recording goes on without asking for consent again', async () => {
    const page = await arrive('face');
    await press(page, 'agree');
    await untilScreen(page, 'position');
    await page.reload();
    await untilScreen(page, 'start');
    expect(await page.textContent('[data-action="start"]')).toBe(en.welcome.resume);
    await press(page, 'start');
    await untilScreen(page, 'done', 45_000);
    expect(visit.server.consents).toHaveLength(1);
    expect(visit.server.devices.size).toBe(1);
  });

  it('keeps waiting through a lost connection while the video is checked', async () => {
    let asked = 0;
    const page = await arrive('face', {
      state: plainState(),
      judge: async () => {
        asked += 1;
        if (asked === 1) return { ...DONE, status: 'processing', estimate_ms: 2_000 };
        if (asked === 2) throw new Error('worker restarts');
        return DONE;
      },
    });
    await press(page, 'start');
    await untilScreen(page, 'processing');
    await expect.poll(text).toContain(en.processing.estimate(2));
    await untilScreen(page, 'done');
    expect(asked).toBe(3);
  });

  it.each([
    ['privacy', [], 'privacy'],
    ['declined', ['decline'], 'privacy'],
    ['position', ['agree'], 'start'],
    ['left', ['agree', 'leave-check'], 'start'],
  ] as const)('a reload on the screen %s opens where it was', async (screen, presses, after) => {
    const page = await arrive('empty');
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
      state: plainState(),
      judge: async () => {
        await judged;
        return { ...DONE, status: 'retry', retry: { reason: 'too_dark', tries_left: 1 } };
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
    expect(await text()).toContain(en.retry.triesLeft(1));
    // One recording was thrown away, one sent; none was sent twice.
    expect(visit.server.captures.map(({ state }) => state)).toEqual(['abandoned', 'rejected']);
  });

  it('gives up sending only after a while, and then sends the same video again', async () => {
    let open = false;
    const page = await arrive('face', { state: plainState(), onAppend: () => (open ? 'take' : 'drop') });
    // Nine attempts with growing pauses are a minute: here the pauses pass at once.
    await page.evaluate('setInterval(() => dispatchEvent(new Event("online")), 20)');
    await press(page, 'start');
    await page.waitForSelector('.progress[data-phase="stopped"]', { timeout: 30_000 });
    expect(await text()).toContain(en.uploading.stoppedTitle);
    expect(await page.textContent('[role="status"]')).toBe(en.uploading.stoppedTitle);
    open = true;
    await press(page, 'retry-upload');
    await untilScreen(page, 'done');
    expect(visit.server.captures).toHaveLength(1);
  });

  it('says so when there is no connection at the first step, and takes the next tap', async () => {
    const page = await arrive('face', { state: plainState() });
    await untilScreen(page, 'start');
    await visit.opened.context.setOffline(true);
    await press(page, 'start');
    await expect.poll(text).toContain(en.failed.offline.body);
    await visit.opened.context.setOffline(false);
    await press(page, 'start');
    await untilScreen(page, 'position');
  });
});
