// Recorders of kinds that browsers have shipped, through the real page: what it records in the end is right, or it says
// what is wrong. Each is Chromium's own with one fault, for the type that the page asks for first.
import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { frameSizeOf } from '../../../web/capture/camera/frame-size.ts';
import { useDecoder } from '../../evaluation/video/decoder.ts';
import { filmOf } from '../../support/camera-film.ts';
import { HAS_FACES } from '../../support/faces.ts';
import { SMILES_ALONE, TAKE_TIMEOUT_MS, useJourney } from '../../support/journey.ts';
import { press, untilScreen } from '../../web/support/browser.ts';
import { type Scenario, visits } from '../../web/support/visit.ts';

const FIRST = 'video/webm;codecs=vp9';

/** What a faulty recorder does. Runs in the page. */
type Fault =
  | 'lies'
  | 'stands_on_its_head'
  | 'ignores_slices'
  | 'is_empty'
  | 'throws'
  | 'begins_late'
  | 'ends_late'
  | 'loses_frames'
  | 'slow_slices'
  | 'grows';

/** Those that the trial finds by measuring what a format keeps in the time that it takes. */
const MEASURED: readonly Fault[] = ['begins_late', 'ends_late', 'loses_frames'];

/** Runs in the page, before its scripts: faults recorders of one type. */
function faultRecorders([fault, type, isMeasured]: readonly [Fault, string, boolean]): void {
  const Own = window.MediaRecorder;
  const isFaulty = (options?: MediaRecorderOptions) => options?.mimeType === type;
  /** The stream drawn onto a canvas, which `shape` may change. */
  const drawn = (
    stream: MediaStream,
    shape: (canvas: HTMLCanvasElement, timeMs: number) => void,
    fps = 30,
  ) => {
    const { width = 640, height = 480 } = stream.getVideoTracks()[0]!.getSettings();
    const video = Object.assign(document.createElement('video'), { srcObject: stream, muted: true });
    void video.play();
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    const pen = canvas.getContext('2d')!;
    const fromMs = performance.now();
    const draw = () => {
      shape(canvas, performance.now() - fromMs);
      const isTurned = canvas.width === height && canvas.height === width;
      const onHead = fault === 'stands_on_its_head' && new DOMMatrix([-1, 0, 0, -1, width, height]);
      pen.setTransform(isTurned ? new DOMMatrix([0, 1, -1, 0, height, 0]) : onHead || new DOMMatrix());
      pen.drawImage(video, 0, 0, isTurned ? width : canvas.width, isTurned ? height : canvas.height);
      requestAnimationFrame(draw);
    };
    draw();
    return canvas.captureStream(fps);
  };
  const lying = (stream: MediaStream) =>
    drawn(stream, (canvas) => {
      const { width = 640, height = 480 } = stream.getVideoTracks()[0]!.getSettings();
      if (canvas.width !== height) Object.assign(canvas, { width: height, height: width });
    });
  const growing = (stream: MediaStream) =>
    drawn(stream, (canvas, timeMs) => {
      const wide = timeMs > 2_000 ? 320 : 640;
      if (canvas.width !== wide) Object.assign(canvas, { width: wide, height: (wide * 3) / 4 });
    });
  // The camera of these tests gives 10 frames a second.
  const standing = (stream: MediaStream) => drawn(stream, () => {});
  const losing = (stream: MediaStream) => drawn(stream, () => {}, 2);
  /** Longer than the trial, as with an encoder that cannot follow. */
  const lateMs = 1_800;
  window.MediaRecorder = class extends Own {
    readonly #isFaulty: boolean;

    constructor(stream: MediaStream, options?: MediaRecorderOptions) {
      const faulty = isFaulty(options);
      if (faulty && fault === 'throws') throw new DOMException('not this one', 'NotSupportedError');
      // The formats that follow keep up, however busy the machine is: its encoder of VP8 does not.
      const encoded = isMeasured ? { ...options, mimeType: type } : options;
      const shown = {
        lies: lying,
        stands_on_its_head: standing,
        grows: growing,
        loses_frames: losing,
      }[fault as string];
      super(faulty && shown ? shown(stream) : stream, encoded);
      if (isMeasured) Object.defineProperty(this, 'mimeType', { value: options?.mimeType });
      this.#isFaulty = faulty;
      if (faulty && fault === 'is_empty')
        Object.defineProperty(this, 'ondataavailable', { set: () => {}, get: () => null });
    }

    override stop(): void {
      if (!this.#isFaulty || fault !== 'ends_late') {
        super.stop();
        return;
      }
      // Records no more, and has its last bytes later.
      super.pause();
      setTimeout(() => {
        if (this.state !== 'inactive') super.stop();
      }, lateMs);
    }

    override start(sliceMs?: number): void {
      if (this.#isFaulty && fault === 'begins_late') {
        setTimeout(() => super.start(sliceMs), lateMs);
        return;
      }
      if (this.#isFaulty && fault === 'ignores_slices') super.start();
      else super.start(this.#isFaulty && fault === 'slow_slices' ? 1_000 : sliceMs);
      if (!this.#isFaulty || fault !== 'slow_slices') return;
      const nothing = () => this.dispatchEvent(new BlobEvent('dataavailable', { data: new Blob([]) }));
      const empty = setInterval(nothing, 150);
      this.addEventListener('stop', () => clearInterval(empty));
    }
  };
}

/** Runs in the page, before its scripts: notes its screens, and each recorder's start and end, in `window.order`. */
function noteOrder(): void {
  const order: string[] = [];
  Object.assign(window, { order });
  const Own = window.MediaRecorder;
  window.MediaRecorder = class extends Own {
    constructor(...made: ConstructorParameters<typeof MediaRecorder>) {
      super(...made);
      for (const type of ['start', 'stop']) this.addEventListener(type, () => order.push(type));
    }
  };
  const note = () => {
    const screen = document.documentElement.dataset.state!;
    if (order.findLast((noted) => noted !== 'start' && noted !== 'stop') !== screen) order.push(screen);
  };
  new MutationObserver(note).observe(document, { subtree: true, attributeFilter: ['data-state'] });
}

describe('a recorder', () => {
  const visit = visits();
  const decoder = useDecoder();

  /** Takes the check to its end; resolves with what was recorded. */
  async function take(fault: Fault, scenario?: Scenario): Promise<{ type: string | null; bytes: Buffer }> {
    const { url } = await visit.prepare(scenario);
    const { page } = await visit.tab('face');
    await page.addInitScript(faultRecorders, [fault, FIRST, MEASURED.includes(fault)] as const);
    await page.goto(url);
    await press(page, 'start');
    await untilScreen(page, 'done');
    const [capture] = await visit.check.captures();
    const result = await visit.rig.call('GET', `/v1/challenges/${visit.check.id}`);
    const { pathname, search } = new URL(result.json().assets_links[0].presigned_url);
    const video = await visit.rig.call('GET', pathname + search);
    return { type: capture!.mime_type, bytes: video.rawPayload };
  }

  it('that works is used, in the type that is best, and tried while the face comes into position', async () => {
    const { url } = await visit.prepare();
    const { page } = await visit.tab('face');
    await page.addInitScript(noteOrder);
    await page.goto(url);
    await press(page, 'start');
    await untilScreen(page, 'done');
    const order = await page.evaluate<string[]>('order');
    const trial = order.slice(order.indexOf('position'), order.indexOf('recording'));
    // No recording waits for the trial.
    expect(trial).toEqual(['position', 'start', 'stop', 'preparing']);
    expect((await visit.check.captures())[0]!.mime_type).toContain('vp9');
  });

  it.each<[string, Fault]>([
    ['lays its pictures on their side', 'lies'],
    ['gives everything at its end', 'ignores_slices'],
    ['gives nothing', 'is_empty'],
    ['cannot be made', 'throws'],
    ['takes long to begin', 'begins_late'],
    ['takes long to end', 'ends_late'],
    ['loses most frames', 'loses_frames'],
  ])('that %s is found out before the recording: the next type is used', async (_, fault) => {
    const { type, bytes } = await take(fault);
    expect(type).not.toContain('vp9');
    const { width, height } = frameSizeOf(bytes)!;
    expect(width).toBeGreaterThan(height);
  });

  it.each<[string, Fault]>([
    ['gives slices of a second, and empty ones between them', 'slow_slices'],
    ['changes its size amidst', 'grows'],
  ])('that %s is used as it is, and decoded', async (_, fault) => {
    // Long enough for slices of a second, and for the change of size, which comes after two.
    const { type, bytes } = await take(fault, { takeMs: 3_000 });
    expect(type).toContain('vp9');
    expect(await decoder.decode(bytes)).toMatchObject({
      status: 'decoded',
      clip: { width: 640, height: 480 },
    });
  });
});

/** How far a square picture is from another, in small and grey. */
async function distance(one: Sharp, another: Sharp): Promise<number> {
  const small = (picture: Sharp) => picture.resize(16, 16).greyscale().raw().toBuffer();
  const [a, b] = await Promise.all([small(one), small(another)]);
  return a.reduce((sum, value, at) => sum + Math.abs(value - b[at]!), 0);
}

const why = HAS_FACES ? '' : ' (skipped: FACES_DIR is not there)';
describe.skipIf(!HAS_FACES)(`a recorder, and the real judgement${why}`, () => {
  const journey = useJourney(SMILES_ALONE);
  const decoder = useDecoder();

  it(
    'that stands its pictures on their head is used, as nothing tells it, and judged by what they show',
    async () => {
      const challenge = await journey.api.create({ liveness_only: true, require_consent: false });
      const { end } = await journey.take(challenge.challenge_url, {
        prepare: async (page) => {
          await page.addInitScript(faultRecorders, ['stands_on_its_head', FIRST, false] as const);
        },
      });
      expect(end).toBe('done');
      const result = await journey.api.waitFor(challenge.challenge_id, ['completed']);
      expect(result.overall_result, JSON.stringify(result.diagnostics)).toBe('pass');
      const video = await fetch(result.assets_links[0].presigned_url);
      const decoded = await decoder.decode(new Uint8Array(await video.arrayBuffer()));
      if (decoded.status !== 'decoded') throw new Error(decoded.status);
      const { rgb } = decoded.value[0]!;
      const { width, height } = decoded.clip;
      // The camera shows the film in its middle.
      const recorded = sharp(rgb, { raw: { width, height, channels: 3 } }).extract({
        left: (width - height) / 2,
        top: 0,
        width: height,
        height,
      });
      const film = sharp(Buffer.from((await filmOf('d0')).jpegs[0]!, 'base64'));
      const upright = await distance(recorded.clone(), film.clone());
      expect(await distance(recorded, film.rotate(180))).toBeLessThan(upright / 2);
    },
    TAKE_TIMEOUT_MS,
  );
});
