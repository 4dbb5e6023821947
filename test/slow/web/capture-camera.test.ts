// The capture page and a camera that is taken away, falls silent or gives no picture. Refused, missing, busy or left:
// test/web. Without a detector: test/slow/web/capture-guidance.test.ts.
import { describe, expect, it } from 'vitest';
import { readTexts } from '../../../web/capture/build/messages.ts';
import { press, setScene, untilScreen } from '../../web/support/browser.ts';
import { LONG_TAKE_MS, visits } from '../../web/support/visit.ts';

const en = readTexts('en');

describe('camera of the capture page', () => {
  const visit = visits();
  const { arrive, text, tracks } = visit;

  it('switches off a camera that gives no picture, and leaves the next choice to the browser', async () => {
    const page = await arrive('two');
    await press(page, 'start');
    await untilScreen(page, 'position');
    // The other camera opens and delivers nothing, as one that another program holds.
    await page.evaluate(`{
      const open = navigator.mediaDevices.getUserMedia;
      navigator.mediaDevices.getUserMedia = async (asked) => {
        const stream = await open(asked);
        if (asked.video.deviceId?.exact !== 'cam-b') return stream;
        for (const track of stream.getTracks()) track.stop();
        const empty = document.createElement('canvas').captureStream(0);
        window.emptyTrack = empty.getTracks()[0];
        return empty;
      };
    }`);
    await page.selectOption('[data-action="choose-camera"]', 'cam-b');
    await untilScreen(page, 'camera_busy');
    expect(await page.evaluate('emptyTrack.readyState')).toBe('ended');
    await press(page, 'retry-camera');
    await untilScreen(page, 'position');
    expect(await page.evaluate('camerasAsked')).toEqual([null, 'cam-b', null]);
  });

  it('a camera that stops while recording ends the recording, and another try is offered', async () => {
    const page = await arrive('face', { takeMs: LONG_TAKE_MS });
    await press(page, 'start');
    await untilScreen(page, 'recording');
    await page.evaluate("cameraTracks[0].dispatchEvent(new Event('ended'))");
    await untilScreen(page, 'retry');
    expect(await text()).toContain(en.retry.reasons.camera_lost.title);
    expect(await tracks()).toEqual(['ended']);
    await press(page, 'try-again');
    await untilScreen(page, 'recording');
    await page.evaluate(`Object.defineProperty(document, 'hidden', { value: true });
      document.dispatchEvent(new Event('visibilitychange'));`);
    await untilScreen(page, 'retry');
    expect(await text()).toContain(en.retry.reasons.interrupted.title);
    expect(await tracks()).toEqual(['ended', 'ended']);
    expect((await visit.check.captures()).every(({ mime_type }) => mime_type === null)).toBe(true);
  });

  it('records nothing while another page is in front, even with a face in the picture', async () => {
    const { url } = await visit.prepare();
    const { page } = await visit.tab('face');
    await page.goto(url);
    await setScene(page, { sees: false });
    await press(page, 'start');
    await page.waitForSelector('.oval[data-hint="no_face"]', { timeout: 30_000 });
    const show = (shown: boolean) =>
      page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${!shown}, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));`);
    await show(false);
    await setScene(page, { sees: true });
    await page.waitForSelector('.oval[data-hint="ok"]', { timeout: 30_000 });
    await page.waitForTimeout(2_000);
    expect(await page.getAttribute('html', 'data-state')).toBe('position');
    await show(true);
    await untilScreen(page, 'recording');
  });

  it('a camera that falls silent while recording ends the recording; a moment of silence does not', async () => {
    const page = await arrive('face', { takeMs: LONG_TAKE_MS });
    await press(page, 'start');
    await untilScreen(page, 'recording');
    await page.evaluate(`cameraTracks[0].dispatchEvent(new Event('mute'));
      setTimeout(() => cameraTracks[0].dispatchEvent(new Event('unmute')), 100)`);
    await page.waitForTimeout(1_000);
    expect(await page.getAttribute('html', 'data-state')).toBe('recording');
    await page.evaluate("cameraTracks[0].dispatchEvent(new Event('mute'))");
    await untilScreen(page, 'retry');
    expect(await text()).toContain(en.retry.reasons.interrupted.title);
  });

  it('a camera that falls silent before the recording is reported as in use, and costs no try', async () => {
    const { url } = await visit.prepare();
    const { page } = await visit.tab('face');
    await page.goto(url);
    await setScene(page, { sees: false });
    await press(page, 'start');
    await page.waitForSelector('.oval[data-hint="no_face"]', { timeout: 30_000 });
    const silence = (event: 'mute' | 'unmute') =>
      page.evaluate(`cameraTracks.at(-1).dispatchEvent(new Event('${event}'))`);
    const show = (shown: boolean) =>
      page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${!shown}, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));`);
    // iOS takes the camera from a page for as long as another is in front of it.
    await show(false);
    await silence('mute');
    await page.waitForTimeout(5_000);
    await show(true);
    await silence('unmute');
    await page.waitForTimeout(5_000);
    expect(await page.getAttribute('html', 'data-state')).toBe('position');
    // A call comes in: the last picture, with the face in place, freezes.
    await silence('mute');
    await setScene(page, { sees: true });
    await untilScreen(page, 'camera_busy');
    expect(await page.textContent('h1')).toBe(en.cameraBusy.title);
    expect(await visit.check.captures()).toEqual([]);
    expect(await tracks()).toEqual(['ended']);
    await press(page, 'retry-camera');
    await untilScreen(page, 'recording');
  });

  it('moves the focus to the screen’s title when the button that had it goes away', async () => {
    const focused = () => page.evaluate('document.activeElement.id || document.activeElement.tagName');
    const page = await arrive('never_answers');
    await press(page, 'start');
    await page.waitForSelector('[data-action="ask-again"]:visible', { timeout: 20_000 });
    await page.focus('[data-action="ask-again"]');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[data-action="ask-again"]', { state: 'hidden' });
    expect(await focused()).toBe('screen-title');
  });
});
