// The guidance of the capture page as a person gets it: real Chromium, the built page, and the real server with its headers.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AnswerMeasures } from '../../../src/contract/answer-measures.ts';
import type { Prompt } from '../../../src/contract/script.ts';
import { readTexts } from '../../../web/capture/build/messages.ts';
import { isAnswer } from '../../../web/capture/guidance/answers.ts';
import {
  hintFor,
  type Observation,
  type ObservedFace,
  onlyFace,
} from '../../../web/capture/guidance/hint.ts';
import { ovalOf } from '../../../web/capture/guidance/oval.ts';
import { facePath, HAS_FACES } from '../../support/faces.ts';
import { BUILD_DIR, cameraScript, press, setScene, untilScreen } from '../../web/support/browser.ts';
import { LONG_TAKE_MS, visits } from '../../web/support/visit.ts';

const en = readTexts('en');

const HINT_TIMEOUT_MS = 20_000;

describe('guidance of the capture page', () => {
  const visit = visits();

  it('hints change with the picture, and the recording starts by itself', async () => {
    const page = await visit.arrive('face', { takeMs: LONG_TAKE_MS });
    await setScene(page, { sees: false });
    await press(page, 'start');
    await untilScreen(page, 'position');
    const heading = (text: string) =>
      expect.poll(() => page.textContent('h1'), { timeout: HINT_TIMEOUT_MS }).toBe(text);
    await page.waitForSelector('.oval[data-hint="no_face"]', { timeout: HINT_TIMEOUT_MS });
    await heading(en.stage.hints.no_face);
    await setScene(page, { sees: true, scale: 0.45 });
    await heading(en.stage.hints.too_far);
    await setScene(page, { scale: 1, light: 0.15 });
    await heading(en.stage.hints.too_dark);
    expect(await page.locator('[data-action="ready"]').isVisible()).toBe(false);
    await setScene(page, { light: 1 });
    // No button is pressed.
    await untilScreen(page, 'recording', HINT_TIMEOUT_MS);
    expect(await page.evaluate('window.violations')).toEqual([]);
    expect(visit.opened.logged).toEqual([]);
  });

  it('judges the light before the detector has loaded', async () => {
    const page = await visit.arrive('face', { takeMs: LONG_TAKE_MS });
    let letThrough = () => {};
    const held = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    await page.route(/\/guidance-/, async (route) => {
      await held;
      await route.continue().catch(() => undefined);
    });
    await page.reload();
    await page.evaluate(await cameraScript('face'));
    await setScene(page, { light: 0.15 });
    await press(page, 'start');
    const shows = async (hint: string, heading: string) => {
      await page.waitForSelector(`.oval[data-hint="${hint}"]`);
      expect(await page.textContent('h1')).toBe(heading);
      expect(await page.textContent('.stage__note')).toBe(en.stage.loadingHints);
    };
    await shows('too_dark', en.stage.hints.too_dark);
    await setScene(page, { light: 1 });
    await shows('place', en.stage.title);
    letThrough();
    await page.waitForSelector('.oval[data-hint="ok"]', { timeout: HINT_TIMEOUT_MS });
  });

  it('tells a screen reader that there is now a button, when no face comes into place', async () => {
    const page = await visit.arrive('face');
    await setScene(page, { sees: false });
    await press(page, 'start');
    await page.waitForSelector('.oval[data-hint="no_face"]', { timeout: HINT_TIMEOUT_MS });
    await page.waitForSelector('[data-action="ready"]:visible', { timeout: 20_000 });
    expect(await page.textContent('[role=status]')).toBe(en.stage.withoutHints);
  });

  it('when it crashes, the page notices, tells the server and continues by hand', async () => {
    const page = await visit.arrive('face');
    const warnings: string[] = [];
    page.on('console', (message) => warnings.push(message.text()));
    await setScene(page, { sees: false });
    await press(page, 'start');
    await page.waitForSelector('.oval[data-hint="no_face"]', { timeout: HINT_TIMEOUT_MS });
    await page.workers()[0]!.evaluate("setTimeout(() => { throw new Error('out of memory') })");
    await expect.poll(visit.text).toContain(en.stage.withoutHints);
    expect(warnings.join()).toContain('out of memory');
    // A screen reader is told of the button.
    expect(await page.textContent('[role=status]')).toBe(en.stage.withoutHints);
    await press(page, 'ready');
    await untilScreen(page, 'done', 45_000);
    const [capture] = await visit.check.captures();
    expect(capture?.hints?.guidance).toBe('failed');
  });

  it.skipIf(!HAS_FACES)('gives the right hint for footage (skipped without FACES_DIR)', async () => {
    const page = await visit.arrive('empty');
    await page.evaluate(openEyes());
    const oval = ovalOf(640, 480);
    const seen: Record<string, string[]> = {};
    for (const clip of Object.keys(FOOTAGE)) {
      seen[clip] = [];
      for (const jpeg of picturesOf(clip)) {
        const observation = await page.evaluate(`look('${jpeg.toString('base64')}')`);
        seen[clip].push(hintFor(observation as Parameters<typeof hintFor>[0], oval));
      }
    }
    const said = Object.entries(FOOTAGE).map(([clip, hint]) => [clip, Array(PICTURES).fill(hint)]);
    expect(seen).toEqual(Object.fromEntries(said));
  });

  it.skipIf(!HAS_FACES)(
    'recognises a smile, and the person’s own left and right, in the camera’s picture (skipped without FACES_DIR)',
    async () => {
      // The preview on the screen is a mirror; the recording and what guidance looks at are not.
      const page = await visit.arrive('empty');
      await page.evaluate(openEyes());
      const faces: Record<string, AnswerMeasures> = {};
      for (const [prompt, picture] of Object.entries(ANSWERS)) {
        const jpeg = pictureOf(picture).toString('base64');
        const observation = (await page.evaluate(`look('${jpeg}')`)) as Observation;
        faces[prompt] = (onlyFace(observation) as ObservedFace).measures!;
      }
      const prompts = Object.keys(ANSWERS) as Prompt[];
      const answered = prompts.map((prompt) => [
        prompt,
        prompts.filter((shown) => isAnswer(prompt, faces[shown]!, faces.neutral!)),
      ]);
      expect(Object.fromEntries(answered), JSON.stringify(faces)).toEqual(
        Object.fromEntries(prompts.map((prompt) => [prompt, [prompt]])),
      );
    },
  );
});

/** One person's face at rest and three answers, by clip, second and crop; left and right are the person's own. */
const ZUBAIR = 'spoof/video/open/real/ZubairCracksCode_real.mov';
const ANSWERS: Readonly<Record<Prompt, { atS: number; crop: string }>> = {
  neutral: { atS: 13, crop: 'crop=600:450:180:88' },
  smile: { atS: 2, crop: 'crop=600:450:182:88' },
  turn_left: { atS: 11.75, crop: 'crop=600:450:180:88' },
  turn_right: { atS: 6.9, crop: 'crop=600:450:72:88' },
};

function pictureOf({ atS, crop }: { atS: number; crop: string }): Buffer {
  const input = ['-v', 'error', '-ss', String(atS), '-i', facePath(ZUBAIR), '-frames:v', '1'];
  return execFileSync('ffmpeg', [...input, '-vf', `${crop},scale=640:480`, '-q:v', '2', '-f', 'mjpeg', '-']);
}

/** Every JPEG begins with these bytes, and contains them nowhere else. */
const JPEG_START = Buffer.from([0xff, 0xd8, 0xff]);

/** Pictures taken from each clip. */
const PICTURES = 3;

/** The hint that a person would give for the clip as a camera's picture. */
const FOOTAGE = {
  'video/liveportrait/d0.mp4': 'ok',
  'video/liveportrait/d19.mp4': 'ok',
  'video/liveportrait/d20.mp4': 'ok',
  'video/liveportrait/s18.mp4': 'ok',
  'spoof/video/open/real/ZubairCracksCode_real.mov': 'ok',
  'video/liveportrait/s29.mp4': 'too_far',
  'video/derived/small_face_d0.mp4': 'too_far',
  'video/derived/dark_d0.mp4': 'too_dark',
  'video/derived/two_faces_d0_d19.mp4': 'several_faces',
  'video/derived/occluded_mouth_d0.mp4': 'covered',
  'video/noface/bottle-detection.mp4': 'no_face',
};

/** The clip's first second as a 640×480 camera would deliver it, in JPEG pictures. */
function picturesOf(clip: string): Buffer[] {
  const fit = 'scale=640:480:force_original_aspect_ratio=decrease,pad=640:480:-1:-1:color=0x5a6158';
  const options = ['-v', 'error', '-i', facePath(clip), '-vf', `fps=${PICTURES},${fit}`];
  const all = execFileSync(
    'ffmpeg',
    [...options, '-frames:v', String(PICTURES), '-q:v', '2', '-f', 'mjpeg', '-'],
    { maxBuffer: 20_000_000 },
  );
  const starts: number[] = [];
  for (let at = all.indexOf(JPEG_START); at >= 0; at = all.indexOf(JPEG_START, at + 1)) starts.push(at);
  return starts.map((from, index) => all.subarray(from, starts[index + 1]));
}

/** Starts the page's own Worker file beside the page, to be asked for single pictures. */
const openEyes = () => `(async () => {
  const worker = new Worker('/assets/capture/${builtFile(/^worker-.*\.js$/)}', { type: 'module' });
  const ask = (message, transfer = []) => new Promise((answered) => {
    worker.onmessage = ({ data }) => answered(data);
    worker.postMessage(message, transfer);
  });
  await ask({ kind: 'setup', assets: location.origin + '/assets/capture/${builtFile(/^guidance-/)}/' });
  window.look = async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
    const frame = await createImageBitmap(picture, { resizeWidth: 640, resizeHeight: 480, resizeQuality: 'low' });
    return (await ask({ kind: 'look', frame, size: { width: 640, height: 480 }, scale: 1 }, [frame])).observation;
  };
})()`;

function builtFile(name: RegExp): string {
  return readdirSync(BUILD_DIR).find((file) => name.test(file) && !/\.(br|gz)$/.test(file))!;
}
