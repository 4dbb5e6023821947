// Chromium for the tests of the capture page: tabs with a virtual camera.
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';

const ROOT = resolve(import.meta.dirname, '../../..');
export const BUILD_DIR = join(ROOT, 'build/web/capture');

/** Builds the page unless it has been built (npm test does so beforehand). */
export async function ensureBuild(): Promise<void> {
  if (existsSync(join(BUILD_DIR, 'index.html'))) return;
  const { build } = await import('vite');
  await build({ configFile: join(ROOT, 'web/capture/vite.config.ts'), logLevel: 'error' });
}

/** A bona fide face of about 250 px in a 640×480 picture: one woman in a demo photograph of face-api. */
export function facePicture(): Promise<Buffer> {
  return sharp(join(ROOT, 'node_modules/@vladmandic/face-api/demo/sample3.jpg'))
    .extract({ left: 770, top: 47, width: 800, height: 600 })
    .resize(640, 480)
    .jpeg({ quality: 90 })
    .toBuffer();
}

/** How the camera of a page behaves. */
export type Camera =
  | 'face'
  | 'two'
  | 'empty'
  | 'denied'
  | 'denied_once'
  | 'none'
  | 'missing'
  | 'busy'
  | 'never_answers';

/** Enough for every screen and recording; the processor encodes each frame. */
const DEFAULT_FPS = 10;

/** Cameras that show the face. */
const SEEING: readonly Camera[] = ['face', 'two', 'denied_once'];

/** What the camera sees; can be set as `window.scene` at any time. */
export interface Scene {
  /** Whether the face is there. */
  readonly sees: boolean;
  /** Size of the picture relative to its own. */
  readonly scale: number;
  /** Share of the light, 0–1. */
  readonly light: number;
  /** Whether the camera sees no colour. */
  readonly grey: boolean;
}

/** Changes what the camera sees from now on. */
export function setScene(page: Page, scene: Partial<Scene>): Promise<unknown> {
  return page.evaluate(`Object.assign(window.scene, ${JSON.stringify(scene)})`);
}

/**
 * Init script that puts a canvas in the camera's place. The picture moves a little and carries a blinking mark, so
 * that the recorder gets new frames. Opened tracks are kept for the tests in `window.cameraTracks`, the requested
 * cameras in `window.camerasAsked`, policy violations in `window.violations`.
 */
export async function cameraScript(camera: Camera, fps = DEFAULT_FPS): Promise<string> {
  const face = SEEING.includes(camera) ? (await facePicture()).toString('base64') : '';
  return `(() => {
    window.cameraTracks = [];
    window.scene = { sees: true, scale: 1, light: 1, grey: false };
    window.violations = [];
    addEventListener('securitypolicyviolation', (event) => window.violations.push(event.violatedDirective + ' ' + event.blockedURI));
    let asked = 0;
    // The camera is no timer of the page: KEEPS_UP, which comes later, leaves it alone.
    const every = window.setInterval.bind(window);
    const camera = ${JSON.stringify(camera)};
    const refuse = (name) => Promise.reject(new DOMException('test', name));
    window.camerasAsked = [];
    const named = [['cam-a', 'Front camera'], ['cam-b', 'Virtual desk camera']];
    const known = camera === 'none' ? [] : camera === 'two' ? named : named.slice(0, 1);
    const device = ([deviceId, label]) => ({
      kind: 'videoinput',
      groupId: '',
      deviceId: asked > 0 ? deviceId : '',
      label: asked > 0 ? label : '',
    });
    const open = async ({ video }) => {
      asked += 1;
      window.camerasAsked.push(video.deviceId?.exact ?? null);
      if (camera === 'denied' || (camera === 'denied_once' && asked === 1)) return refuse('NotAllowedError');
      if (camera === 'missing' || camera === 'none') return refuse('NotFoundError');
      if (camera === 'busy') return refuse('NotReadableError');
      if (camera === 'never_answers') return new Promise(() => {});
      const canvas = document.createElement('canvas');
      canvas.width = 640;
      canvas.height = 480;
      const context = canvas.getContext('2d');
      let picture = null;
      const face = '${face}';
      if (face) {
        const bytes = Uint8Array.from(atob(face), (letter) => letter.charCodeAt(0));
        picture = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
      }
      // Of two cameras the first looks at the wall.
      if (camera === 'two') window.scene.sees = video.deviceId?.exact === 'cam-b';
      let frame = 0;
      const draw = () => {
        frame += 1;
        context.fillStyle = '#8a93a0';
        context.fillRect(0, 0, 640, 480);
        const { sees, scale, light, grey } = window.scene;
        context.filter = grey ? 'grayscale(1)' : 'none';
        if (picture && sees) {
          const [width, height] = [640 * scale, 480 * scale];
          const [x, y] = [320 - width / 2 + Math.sin(frame / 20) * 3, 240 - height / 2 + Math.cos(frame / 26) * 3];
          context.drawImage(picture, x, y, width, height);
        }
        context.fillStyle = 'rgb(0 0 0 / ' + (1 - light) + ')';
        context.fillRect(0, 0, 640, 480);
        context.fillStyle = frame % 2 ? '#000' : '#fff';
        context.fillRect(0, 0, 6, 6);
      };
      draw();
      every(draw, ${1000 / fps});
      const stream = canvas.captureStream(${fps});
      const [track] = stream.getTracks();
      const chosen = known.find(([id]) => id === video.deviceId?.exact) ?? known[0];
      track.getSettings = () => ({ deviceId: chosen[0], facingMode: 'user' });
      Object.defineProperty(track, 'label', { value: chosen[1] });
      window.cameraTracks.push(...stream.getTracks());
      return stream;
    };
    navigator.mediaDevices.getUserMedia = open;
    navigator.mediaDevices.enumerateDevices = async () => known.map(device);
  })()`;
}

/**
 * Init script: to the page's watch over its own timers (web/capture/flow/lateness.ts, the only one at this pace) they
 * fire in time, however busy this machine is, except for what a test puts in `window.lostMs`. A page that finds its
 * device too slow records nothing; test/slow/web/slow-device.test.ts shows one that is.
 */
const KEEPS_UP = `{
  window.lostMs = 0;
  const every = window.setInterval;
  window.setInterval = (run, ms, ...rest) => {
    if (ms !== 100) return every(run, ms, ...rest);
    let nowMs = performance.now();
    return every(() => {
      nowMs += ms + lostMs;
      window.lostMs = 0;
      performance.now = () => nowMs;
      run();
      delete performance.now;
    }, ms);
  };
}`;

export interface OpenedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Everything on the console, of Workers too, and errors of scripts. */
  readonly logged: string[];
}

/** Opens a fresh tab with the given camera, on a device that keeps up. */
export async function openPage(
  browser: Browser,
  camera: Camera,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    reducedMotion: 'reduce',
    ...options,
  });
  await context.addInitScript({ content: await cameraScript(camera) });
  await context.addInitScript({ content: KEEPS_UP });
  const page = await context.newPage();
  const logged: string[] = [];
  page.on('pageerror', (error) => logged.push(String(error)));
  page.on('console', (message) => logged.push(message.text()));
  return { page, context, logged };
}

/** Waits until the page shows the screen. */
export async function untilScreen(page: Page, name: string, timeoutMs = 30_000): Promise<void> {
  await page
    .waitForSelector(`html[data-state="${name}"]`, { state: 'attached', timeout: timeoutMs })
    .catch(async (error: Error) => {
      const shown = await page.getAttribute('html', 'data-state').catch(() => 'no page');
      const text = await page.textContent('main').catch(() => '');
      throw new Error(`the page shows ${shown}, not ${name}: ${text}`, { cause: error });
    });
}

export function press(page: Page, action: string): Promise<void> {
  return page.click(`[data-action="${action}"]`);
}

/** Saves a screenshot as `name`.png in SCREENSHOTS_DIR for people to review; does nothing if that is not set. */
export async function leaveScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS_DIR;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
