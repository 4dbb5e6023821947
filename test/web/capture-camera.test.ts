// The capture page and a camera that is refused, missing, busy or left. Taken away, silent or without a picture:
// test/slow/web.
import { describe, expect, it } from 'vitest';
import { readTexts } from '../../web/capture/build/messages.ts';
import { press, untilScreen } from './support/browser.ts';
import { visits } from './support/visit.ts';

const en = readTexts('en');

describe('camera of the capture page', () => {
  const visit = visits();
  const { arrive, text, tracks } = visit;

  it('starts without a privacy screen where no consent is required; a refused camera can be allowed', async () => {
    const page = await arrive('denied_once');
    await untilScreen(page, 'start');
    await press(page, 'start');
    await untilScreen(page, 'camera_denied');
    expect(await page.locator('.help li').count()).toBe(3);
    await press(page, 'retry-camera');
    await untilScreen(page, 'position');
    await expect.poll(visit.check.events).toEqual(['challenge_opened', 'camera_denied', 'camera_granted']);
    expect(await visit.check.consent()).toBeNull();
  });

  it.each([
    ['missing', en.cameraMissing.title],
    ['busy', en.cameraBusy.title],
  ] as const)('explains a camera that is %s', async (camera, title) => {
    const page = await arrive(camera);
    await press(page, 'start');
    await untilScreen(page, `camera_${camera}`);
    expect(await page.textContent('h1')).toBe(title);
    await press(page, 'retry-camera');
    await untilScreen(page, `camera_${camera}`);
  });

  it('shows where to look for the browser’s permission prompt while it is open', async () => {
    const page = await arrive('never_answers');
    await press(page, 'start');
    await untilScreen(page, 'camera_asking');
    expect(await text()).toContain(en.asking.where.top);
  });

  it('continues by itself when the person allows a refused camera in the settings', async () => {
    const { url } = await visit.prepare();
    const { page, context } = await visit.tab('denied_once');
    await page.addInitScript({
      content: `window.permission = Object.assign(new EventTarget(), { state: 'denied' });
        navigator.permissions.query = async () => window.permission;`,
    });
    await page.goto(url);
    await press(page, 'start');
    await untilScreen(page, 'camera_denied');
    await page.evaluate("permission.state = 'granted'; permission.dispatchEvent(new Event('change'))");
    await untilScreen(page, 'position');
    expect(context.pages()).toHaveLength(1);
  });

  it.each([
    ['dismissed', 'Permission dismissed', en.asking.title, en.asking.retry],
    ['refused by the device', 'Permission denied by system', en.cameraDenied.title, en.cameraDenied.retry],
  ])('a camera that is %s sends nobody into the browser’s settings', async (_what, message, title, retry) => {
    const page = await arrive('face');
    await page.evaluate(`{
      const open = navigator.mediaDevices.getUserMedia;
      navigator.mediaDevices.getUserMedia = async () => {
        navigator.mediaDevices.getUserMedia = open;
        throw new DOMException('${message}', 'NotAllowedError');
      };
    }`);
    await press(page, 'start');
    await untilScreen(page, 'camera_denied');
    expect(await page.textContent('h1')).toBe(title);
    expect(await page.locator('.help').count()).toBe(0);
    expect(await page.textContent('[data-action="retry-camera"]')).toBe(retry);
    await press(page, 'retry-camera');
    await untilScreen(page, 'position');
  });

  it('can be left from the camera screen: the camera stops, and the check can be continued', async () => {
    const page = await arrive('empty', {
      challenge: {
        require_consent: false,
        flow_behaviour: { exit_redirect_url: 'https://client.example/' },
      },
    });
    await press(page, 'start');
    await untilScreen(page, 'position');
    await press(page, 'leave-check');
    await untilScreen(page, 'left');
    expect(await tracks()).toEqual(['ended']);
    expect(await page.getAttribute('[data-action="leave"]', 'href')).toBe('https://client.example/');
    await press(page, 'resume');
    await press(page, 'start');
    await untilScreen(page, 'position');
    expect(await tracks()).toEqual(['ended', 'live']);
  });

  it('speaks when asked to, with a voice of the device', async () => {
    const { url } = await visit.prepare();
    const { page } = await visit.tab('empty');
    await page.addInitScript({
      content: `window.said = [];
        const speech = Object.assign(new EventTarget(), {
          getVoices: () => [{ lang: 'en-GB', localService: true }, { lang: 'en-US', localService: false }],
          cancel: () => undefined,
          speak: ({ text, lang }) => said.push([text, lang]),
        });
        Object.defineProperty(window, 'speechSynthesis', { value: speech });
        window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };`,
    });
    await page.goto(url);
    await untilScreen(page, 'start');
    expect(await page.evaluate('said')).toEqual([]);
    await press(page, 'voice');
    expect(await page.getAttribute('[data-action="voice"]', 'aria-pressed')).toBe('true');
    await press(page, 'start');
    await untilScreen(page, 'position');
    await expect.poll(() => page.evaluate('said')).toContainEqual([en.stage.hints.no_face, 'en-GB']);
  });
});
