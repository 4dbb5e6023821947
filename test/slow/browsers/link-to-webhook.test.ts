// From the link to the webhook in three engines: consent, camera, recording, upload, judgement, notification. The
// tests' virtual camera plays the person, and in WebKit the recorder is replaced too; the engine does everything else.
// Tests of a browser that is not installed are skipped and say so.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../support/engines/chromium.ts';
import { HAS_FIREFOX, launchFirefox } from '../../support/engines/firefox.ts';
import {
  describeRecording,
  KEEP_RECORDING,
  leaveRecording,
  type Recorded,
  recordingOf,
} from '../../support/engines/recordings.ts';
import { type Made, SERVED_RECORDER, serveRecordings } from '../../support/engines/served-recorder.ts';
import type { EngineBrowser } from '../../support/engines/tab.ts';
import { bytesOfBareRecorder } from '../../support/engines/ten-lines.ts';
import { type EngineWalk, walkToEnd } from '../../support/engines/walk.ts';
import { HAS_WEBKIT, launchWebKit } from '../../support/engines/webkit.ts';
import { HAS_FACES } from '../../support/faces.ts';
import { TAKE_TIMEOUT_MS, useJourney } from '../../support/journey.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { cameraSource } from '../../support/virtual-camera.ts';

const why = HAS_FACES ? '' : ' (skipped: FACES_DIR is not there)';
const absent = (has: boolean, name: string) => (has ? '' : ` (skipped: ${name} is not installed)`);

/** At fewer pictures per second, a smile or a turn may fall between two of them. Chosen, not measured. */
const SEEN_FPS = 8;

describe.skipIf(!HAS_FACES)(`from the link to the webhook${why}`, () => {
  const journey = useJourney({ LIVENESS_LEVEL: 'quick' });
  let receiver: Receiver;
  let browser: EngineBrowser | undefined;
  const recorded = new Map<string, Recorded>();

  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(async () => {
    await receiver?.close();
    console.info(JSON.stringify(Object.fromEntries(recorded), null, 1));
  });

  const create = () => {
    const complete = [{ type: 'http', properties: { endpoint_url: `${receiver.url}/webhooks` } }];
    return journey.api.create({ liveness_only: true, require_consent: true, notifications: { complete } });
  };
  const follower = () => cameraSource('turning', 'follows');

  afterEach(async () => {
    await browser?.close();
    browser = undefined;
  });

  async function expectVerdict(challengeId: string, { screens, end }: EngineWalk): Promise<void> {
    expect(end, screens.join(' → ')).toBe('done');
    const result = await journey.api.waitFor(challengeId, ['completed']);
    const what = JSON.stringify([screens, result.diagnostics]);
    expect(result, what).toMatchObject({
      overall_result: 'pass',
      liveness_result: { face: true, smile: true, spoof_result: true, overall: true },
    });
    await expect.poll(() => receiver.requests.some(({ body }) => body.includes(challengeId))).toBe(true);
  }

  const own = [
    { name: 'Chromium', has: true, launch: launchChromium },
    { name: 'Firefox', has: HAS_FIREFOX, launch: (init: string) => launchFirefox('allowed', init) },
  ];
  for (const { name, has, launch } of own) {
    it.skipIf(!has)(
      `${name}: its own recording is judged${absent(has, 'firefox-esr')}`,
      async () => {
        browser = await launch(KEEP_RECORDING + (await follower()));
        const { tab } = browser;
        const challenge = await create();
        await tab.go(challenge.challenge_url);
        const walk = await walkToEnd(tab, TAKE_TIMEOUT_MS);
        const bytes = await recordingOf(tab);
        leaveRecording(bytes, name);
        const file = describeRecording(bytes);
        recorded.set(browser.version, file);
        await expectVerdict(challenge.challenge_id, walk);
        expect(walk.screens).toContain('privacy');
        expect(file).toMatchObject({ container: 'matroska', width: 640, height: 480 });
      },
      TAKE_TIMEOUT_MS,
    );
  }

  describe.skipIf(!HAS_WEBKIT)(`WebKit${absent(HAS_WEBKIT, 'webkit2gtk-driver with xvfb')}`, () => {
    it('its recorder gives no bytes in a bare page (once it does, drive it like the other engines)', async () => {
      browser = await launchWebKit();
      expect(await bytesOfBareRecorder(browser.tab)).toBe(0);
    });

    // Upright in the page. The file holds it on its side, at a size that is no multiple of the codec's blocks, and its
    // header holds the rotation back.
    const rotated: Made = { filter: 'scale=622:466,transpose=clock', turnsBack: true };
    it.each<[string, Made]>([
      ['as the camera delivers it', {}],
      ['rotated by its header, with an odd size', rotated],
    ])(
      'a recording made as Safari makes it, in place of its recorder’s, is judged: %s',
      async (name, made) => {
        browser = await launchWebKit();
        const { tab } = browser;
        const challenge = await create();
        await tab.go(challenge.challenge_url);
        await tab.run(`(() => { ${await follower()}; ${SERVED_RECORDER} })()`);
        const encoders = serveRecordings(tab, made);
        try {
          const walk = await walkToEnd(tab, TAKE_TIMEOUT_MS, encoders.exchange);
          leaveRecording(encoders.last(), `webkit ${name}`);
          const file = describeRecording(encoders.last());
          recorded.set(`${browser.version}, ${name}`, file);
          expect(file).toMatchObject({ container: 'mov', codec: 'h264' });
          if (file.framesPerSecond >= SEEN_FPS) return await expectVerdict(challenge.challenge_id, walk);
          // Every picture crosses the driver as text, so a busy machine may keep too few of them to show a smile.
          console.warn(`${file.framesPerSecond} pictures a second: held to a verdict alone`);
          expect(walk.end, walk.screens.join(' → ')).toBe('done');
          await journey.api.waitFor(challenge.challenge_id, ['completed']);
        } finally {
          encoders.close();
        }
      },
      TAKE_TIMEOUT_MS,
    );
  });
});
