// Trouble with the camera or the page in engines other than Chromium, which test/web and test/slow/web cover: the
// camera is refused, missing, busy, lost during the recording or silent; the page is covered, reloaded, or left and
// opened again. Tests of a browser that is not installed are skipped and say so.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readTexts } from '../../../web/capture/build/messages.ts';
import { CAMERA_OF_A_CALL } from '../../support/engines/called-camera.ts';
import { HAS_FIREFOX, launchFirefox } from '../../support/engines/firefox.ts';
import type { EngineBrowser, OwnCamera, Tab } from '../../support/engines/tab.ts';
import { press, screenOf, until, untilRecording } from '../../support/engines/walk.ts';
import { HAS_WEBKIT, launchWebKit } from '../../support/engines/webkit.ts';
import { cameraScript } from '../../web/support/browser.ts';
import { visits } from '../../web/support/visit.ts';

// Two recordings in one test, on a busy machine.
vi.setConfig({ testTimeout: 150_000 });

/** Long enough for a test to act during the recording, even on a busy machine. */
const TAKE_MS = 6_000;

const en = readTexts('en');
const absent = (has: boolean, name: string) => (has ? '' : ` (skipped: ${name} is not installed)`);

const engines = [
  { name: 'Firefox', has: HAS_FIREFOX, needs: 'firefox-esr', launch: () => launchFirefox('allowed') },
  { name: 'WebKit', has: HAS_WEBKIT, needs: 'webkit2gtk-driver with xvfb', launch: launchWebKit },
];

const refuse = (error: string) =>
  `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('test', '${error}'))`;
const title = (tab: Tab) => tab.run<string>("document.querySelector('h1').textContent");
const tracks = (tab: Tab) => tab.run('window.cameraTracks.map((track) => track.readyState)');

for (const { name, has, needs, launch } of engines) {
  describe.skipIf(!has)(`camera trouble in ${name}${absent(has, needs)}`, () => {
    const visit = visits();
    let browser: EngineBrowser;
    let face = '';

    beforeAll(async () => {
      [browser, face] = await Promise.all([launch(), cameraScript('face')]);
    });
    afterAll(() => browser?.close());

    /** Opens the page at the screen before the camera and runs a script there. */
    async function arrive(script: string): Promise<Tab> {
      const { url } = await visit.prepare({ takeMs: TAKE_MS });
      const { tab } = browser;
      await tab.go(url);
      await until(tab, 'start');
      await tab.run(`(() => { ${script} })()`);
      return tab;
    }
    async function record(camera = face): Promise<Tab> {
      const tab = await arrive(camera);
      await press(tab, 'start');
      await untilRecording(tab);
      return tab;
    }

    it.each([
      ['refused', 'NotAllowedError', 'camera_denied', en.cameraDenied.title],
      ['missing', 'NotFoundError', 'camera_missing', en.cameraMissing.title],
      ['busy', 'NotReadableError', 'camera_busy', en.cameraBusy.title],
    ])('explains a camera that is %s, and asks again', async (_, error, screen, words) => {
      const tab = await arrive(refuse(error));
      await press(tab, 'start');
      await until(tab, screen);
      expect(await title(tab)).toBe(words);
      await tab.run(`(() => { ${face} })()`);
      await press(tab, 'retry-camera');
      await until(tab, 'position');
    });

    // Firefox delivers no scripted event to a track's listeners, so there a call provides the camera and its events.
    const inCall = name === 'Firefox';
    const dispatch = (event: string) => `cameraTracks[0].dispatchEvent(new Event('${event}'))`;
    it.each([
      ['is unplugged', inCall ? 'hangUp()' : dispatch('ended'), en.retry.reasons.camera_lost.title],
      ['falls silent', inCall ? 'holdCall()' : dispatch('mute'), en.retry.reasons.interrupted.title],
    ])('ends the recording of a camera that %s, and offers another try', async (_, happening, words) => {
      const tab = await record(inCall ? `${face}; ${CAMERA_OF_A_CALL}` : face);
      await tab.run(happening);
      await until(tab, 'retry');
      expect(await title(tab)).toBe(words);
      expect(await tracks(tab)).toEqual(['ended']);
      await press(tab, 'try-again');
      await untilRecording(tab);
    });

    it('ends the recording when another tab comes to the front, but nothing before the recording', async () => {
      const tab = await arrive(face);
      await press(tab, 'start');
      await until(tab, 'position');
      await tab.cover();
      expect(await screenOf(tab)).not.toBe('retry');
      await tab.uncover();
      await untilRecording(tab);
      await tab.cover();
      await tab.uncover();
      await until(tab, 'retry');
      expect(await title(tab)).toBe(en.retry.reasons.interrupted.title);
      expect(await tracks(tab)).toEqual(['ended']);
    });

    it('records again after a reload in the middle of a recording', async () => {
      const tab = await record();
      await tab.reload();
      await until(tab, 'start');
      await tab.run(`(() => { ${face} })()`);
      await press(tab, 'start');
      await untilRecording(tab);
    });

    it('can be left with the back button and opened again', async () => {
      const { url } = await visit.prepare({ takeMs: TAKE_MS });
      const { tab } = browser;
      await tab.go(`${visit.origin}/openapi.json`);
      await tab.go(url);
      await until(tab, 'start');
      await tab.run(`(() => { ${face} })()`);
      await press(tab, 'start');
      await untilRecording(tab);
      await tab.back();
      await expect.poll(() => tab.url()).toContain('/openapi.json');
      await tab.go(url);
      await until(tab, 'start');
    });
  });
}

/** The camera as Firefox's own preferences provide it, without a script of ours. */
describe.skipIf(!HAS_FIREFOX)(
  `cameras set by Firefox's own preferences${absent(HAS_FIREFOX, 'firefox-esr')}`,
  () => {
    const visit = visits();

    it.each<[OwnCamera, string, string]>([
      ['refused', 'start', 'camera_denied'],
      ['allowed', 'start', 'position'],
    ])('%s', async (camera, first, second) => {
      const { url } = await visit.prepare();
      const { tab, close } = await launchFirefox(camera);
      try {
        await tab.go(url);
        await until(tab, first);
        await press(tab, 'start');
        await until(tab, second);
      } finally {
        await close();
      }
    });

    it('none: offers at once to continue on a phone', async () => {
      const { url } = await visit.prepare();
      const { tab, close } = await launchFirefox('none');
      try {
        await tab.go(url);
        await until(tab, 'hand_off');
      } finally {
        await close();
      }
    });
  },
);
