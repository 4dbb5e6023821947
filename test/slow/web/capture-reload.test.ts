// The capture page when the connection or the page is lost in the middle: resumed uploads, reloads.
// Reloads that take a whole recording: test/slow/web/reloads.test.ts.
import { describe, expect, it } from 'vitest';
import { readTexts } from '../../../web/capture/build/messages.ts';
import { press, untilScreen } from '../../web/support/browser.ts';
import { ASKING, visits } from '../../web/support/visit.ts';

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

  it('a wait before another recording ends when the browser restores the page from its cache', async () => {
    const page = await arrive('face');
    await page.route('**/captures', (route) =>
      route.fulfill({
        status: 409,
        headers: { 'retry-after': '60' },
        json: { type: 'about:blank', status: 409, conflict: 'capture_under_way' },
      }),
    );
    await press(page, 'start');
    await untilScreen(page, 'waiting');
    await page.evaluate(`for (const name of ['pagehide', 'pageshow'])
      dispatchEvent(new PageTransitionEvent(name, { persisted: true }));`);
    await untilScreen(page, 'start');
  });

  it('a reload in the middle of the upload continues with the same video', async () => {
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
    await expect.poll(received, { timeout: 15_000 }).toBeGreaterThan(0);
    reloaded = true;
    await page.reload();
    release();
    await untilScreen(page, 'done');
    expect(await visit.check.captures()).toHaveLength(1);
    expect((await visit.check.captures())[0]?.state).toBe('judged');
  });

  it.each([
    ['privacy', [], 'privacy'],
    ['declined', ['decline'], 'privacy'],
    ['position', ['agree'], 'start'],
    ['left', ['agree', 'leave-check'], 'start'],
  ] as const)('a reload on the screen %s resumes where it was', async (screen, presses, after) => {
    const page = await arrive('empty', { challenge: ASKING });
    for (const action of presses) await press(page, action);
    await untilScreen(page, screen);
    await page.reload();
    await untilScreen(page, after);
    if (after === 'privacy') return;
    expect(await page.textContent('[data-action="start"]')).toBe(en.welcome.resume);
    // Consent is not asked for again.
    await press(page, 'start');
    await untilScreen(page, 'position');
    expect((await visit.check.events()).filter((name) => name === 'consent_given')).toHaveLength(1);
  });

  it('says so when there is no connection at the first step, and accepts the next tap', async () => {
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
