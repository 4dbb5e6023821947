// The guidance of the capture page as a person gets it: real Chromium, the built page, and the real server with its headers.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { directionOf, restingFaceOf, upperFaceOf } from '../../../src/contract/head-direction.ts';
import { trackFaces } from '../../../src/evaluation/face/track.ts';
import { loadModels } from '../../../src/models/load.ts';
import { readTexts } from '../../../web/capture/build/messages.ts';
import { isAnswer } from '../../../web/capture/guidance/answers.ts';
import { Head } from '../../../web/capture/guidance/head.ts';
import { hintFor, type Observation, onlyFace, type SeenFace } from '../../../web/capture/guidance/hint.ts';
import { ovalOf } from '../../../web/capture/guidance/oval.ts';
import { compiledModelsDir } from '../../support/compiled-models.ts';
import { facePath, HAS_FACES } from '../../support/faces.ts';
import { BUILD_DIR, cameraScript, press, setScene, untilScreen } from '../../web/support/browser.ts';
import { LONG_TAKE_MS, visits } from '../../web/support/visit.ts';

const en = readTexts('en');

const HINT_TIMEOUT_MS = 20_000;

describe('guidance of the capture page', () => {
  const visit = visits();

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

  it('offers a button when no face comes into place, tells a screen reader of it, and continues by hand', async () => {
    const page = await visit.arrive('face', { takeMs: LONG_TAKE_MS });
    await setScene(page, { sees: false });
    await press(page, 'start');
    await page.waitForSelector('.oval[data-hint="no_face"]', { timeout: HINT_TIMEOUT_MS });
    await page.waitForSelector('[data-action="ready"]:visible', { timeout: 20_000 });
    expect(await page.textContent('[role=status]')).toBe(en.stage.withoutHints);
    await press(page, 'ready');
    await untilScreen(page, 'recording');
    expect(await visit.text()).toContain(en.stage.recording);
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
    expect(await visit.text()).toContain(en.stage.withoutHints);
    await press(page, 'ready');
    await untilScreen(page, 'recording');
    await untilScreen(page, 'done');
    expect(warnings.filter((warning) => warning.startsWith('Hints for the camera are off'))).toHaveLength(1);
    const [capture] = await visit.check.captures();
    expect(capture?.hints?.guidance).toBe('failed');
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
    for (const clip of Object.keys(HINTS)) {
      seen[clip] = [];
      const part = { atS: 0, pictures: PICTURES, perSecond: PICTURES };
      for (const jpeg of picturesOf({ clip, fit: PADDED }, part)) {
        const observation = await page.evaluate(`look('${jpeg.toString('base64')}')`);
        seen[clip].push(hintFor(observation as Parameters<typeof hintFor>[0], oval));
      }
    }
    const said = Object.entries(HINTS).map(([clip, hint]) => [clip, Array(PICTURES).fill(hint)]);
    expect(seen).toEqual(Object.fromEntries(said));
  });

  it.skipIf(!HAS_FACES)('recognises a smile (skipped without FACES_DIR)', async () => {
    const page = await visit.arrive('empty');
    await page.evaluate(openEyes());
    const faceAt = async (atS: number) => (await seenIn(page, SMILER, { atS, pictures: 1 }))[0]!;
    const [rest, smile] = [await faceAt(13), await faceAt(2)];
    const head = new Head();
    head.rest([rest.upperFace]);
    const looks = [rest, smile].map((face) => ({ ...face, heading: head.heading(face.upperFace, 0) }));
    const answers = (prompt: 'neutral' | 'smile') =>
      looks.map((look) => isAnswer({ prompt }, look, rest.measures));
    expect(answers('smile'), JSON.stringify(looks)).toEqual([false, true]);
    expect(answers('neutral'), JSON.stringify(looks)).toEqual([true, false]);
  });

  it.skipIf(!HAS_FACES)(
    'reads where a head points as the judgement does, to the person’s own side (skipped without FACES_DIR)',
    async () => {
      // The preview on the screen is a mirror; the recording and what guidance looks at are not.
      const page = await visit.arrive('empty');
      await page.evaluate(openEyes());
      const models = await loadModels({ modelsDir: await compiledModelsDir(), threads: 1 });
      const part = async (of: { atS: number; pictures: number }) => {
        const judged = await Promise.all(
          picturesOf(TURNER, of).map(async (jpeg) => {
            const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true });
            const { width, height } = info;
            const [seen] = await trackFaces(models, [
              { width, height, rgb: new Uint8Array(data), timeMs: 0 },
            ]);
            return upperFaceOf(seen!.face!.landmarks);
          }),
        );
        return { page: (await seenIn(page, TURNER, of)).map(({ upperFace }) => upperFace), judged };
      };
      const rest = await part({ atS: 0.8, pictures: 3 });
      const turning = await part({ atS: 2, pictures: 45 });
      await models.close();
      const [resting, judgedResting] = [restingFaceOf(rest.page)!, restingFaceOf(rest.judged)!];
      const pairs = turning.page.map((face, i) => ({
        page: directionOf(face, resting),
        judged: directionOf(turning.judged[i]!, judgedResting),
      }));
      const apart = (axis: 'x' | 'y') =>
        medianOf(pairs.map((pair) => Math.abs(pair.page[axis] - pair.judged[axis])));
      const what = JSON.stringify(pairs);
      expect(
        [apart('x'), apart('y')].map((degrees) => degrees < 2),
        what,
      ).toEqual([true, true]);
      // First to one side, then to the other.
      expect(Math.max(...pairs.slice(0, 20).map(({ page }) => page.x)), what).toBeGreaterThan(30);
      expect(Math.min(...pairs.slice(25).map(({ page }) => page.x)), what).toBeLessThan(-15);
    },
    120_000,
  );
});

/** A clip of which a part is looked at, and how it is made a picture of 640 × 480. */
interface Footage {
  readonly clip: string;
  readonly fit: string;
}

const PADDED = 'scale=640:480:force_original_aspect_ratio=decrease,pad=640:480:-1:-1:color=0x5a6158';
/** Rests at 13 s, and smiles at 2 s. */
const SMILER: Footage = {
  clip: 'spoof/video/open/real/ZubairCracksCode_real.mov',
  fit: 'crop=600:450:180:88,scale=640:480',
};
/** Rests for a second, then turns the head to one side, and to the other. */
const TURNER: Footage = { clip: 'spoof/video/open/real/tranvanluyt2203_real.mp4', fit: PADDED };

/** What the page's guidance sees in a part of a clip. */
async function seenIn(page: Page, footage: Footage, part: Part): Promise<SeenFace[]> {
  const faces: SeenFace[] = [];
  for (const jpeg of picturesOf(footage, part)) {
    const observation = (await page.evaluate(`look('${jpeg.toString('base64')}')`)) as Observation;
    const face = onlyFace(observation) as SeenFace;
    faces.push({ ...face, upperFace: Float32Array.from(Object.values(face.upperFace)) });
  }
  return faces;
}

function medianOf(values: number[]): number {
  return values.sort((one, other) => one - other)[values.length >> 1]!;
}

/** Every JPEG begins with these bytes, and contains them nowhere else. */
const JPEG_START = Buffer.from([0xff, 0xd8, 0xff]);

/** Pictures taken from each clip for its hint. */
const PICTURES = 3;

/** The hint that a person would give for the clip as a camera's picture. */
const HINTS = {
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

/** From when in a clip, and how many pictures. */
interface Part {
  readonly atS: number;
  readonly pictures: number;
  readonly perSecond?: number;
}

/** A part of a clip as a 640×480 camera would deliver it, in JPEG pictures. */
function picturesOf({ clip, fit }: Footage, { atS, pictures, perSecond = 6 }: Part): Buffer[] {
  const input = ['-v', 'error', '-ss', String(atS), '-i', facePath(clip), '-vf', `fps=${perSecond},${fit}`];
  const output = ['-frames:v', String(pictures), '-q:v', '2', '-f', 'mjpeg', '-'];
  const all = execFileSync('ffmpeg', [...input, ...output], { maxBuffer: 20_000_000 });
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
