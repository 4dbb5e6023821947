// The capture page, once its waits are over, without a picture from the camera, without a face or without a detector.
import { describe, expect, it } from 'vitest';
import { readTexts } from '../../../web/capture/build/messages.ts';
import { press, untilScreen } from '../../web/support/browser.ts';
import { LONG_TAKE_MS, visits } from '../../web/support/visit.ts';

const en = readTexts('en');

describe('the capture page without a detected face', () => {
  const visit = visits();
  const { arrive, text, tracks } = visit;

  it('a camera that opens but gives no picture counts as busy, and is switched off', async () => {
    const page = await arrive('silent');
    await press(page, 'start');
    await untilScreen(page, 'camera_busy');
    expect(await tracks()).toEqual(['ended']);
  });

  it('continues by hand where the detector cannot load', async () => {
    const { url } = await visit.prepare({ takeMs: LONG_TAKE_MS });
    const { page, context } = await visit.tab('face');
    await context.route(/\.wasm$/, (route) => route.fulfill({ status: 503 }));
    const warnings: string[] = [];
    page.on('console', (message) => warnings.push(message.text()));
    await page.goto(url);
    await press(page, 'start');
    await untilScreen(page, 'position');
    await page.waitForSelector('[data-action="ready"]:visible');
    expect(await text()).toContain(en.stage.withoutHints);
    await press(page, 'ready');
    await untilScreen(page, 'recording');
    await untilScreen(page, 'done');
    expect(warnings.filter((warning) => warning.startsWith('Hints for the camera are off'))).toHaveLength(1);
    const [capture] = await visit.check.captures();
    expect(capture?.hints?.guidance).toBe('failed');
  });

  it('offers "I’m ready" when no face is found', async () => {
    const page = await arrive('empty', { takeMs: LONG_TAKE_MS });
    await press(page, 'start');
    await page.waitForSelector('[data-action="ready"]:visible', { timeout: 20_000 });
    await untilScreen(page, 'position');
    await press(page, 'ready');
    await untilScreen(page, 'recording');
    expect(await text()).toContain(en.stage.recording);
  });
});
