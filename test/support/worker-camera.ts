// The tests' camera in a worker, so that slowing the page down does not slow the person before its camera. Works only
// in Chromium, whose tracks can be fed from a worker, and in contexts that bypass the page's own policy for workers
// (`bypassCSP`).
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext } from 'playwright-core';
import type { CameraSubject } from './camera-film.ts';
import { type Behaviour, cameraSource } from './virtual-camera.ts';

/** Interval between pictures, as from a webcam. */
const PICTURE_MS = 1000 / 30;

/** What the camera's script needs from a page, provided in a worker; pictures are sent as they are drawn. */
const PAGE_OF_WORKER = `
  const page = { prompt: '', at: null };
  self.document = {
    documentElement: { dataset: page },
    querySelector: () => page.at === null ? null : { dataset: page },
    createElement: () => new OffscreenCanvas(1, 1),
  };
  Object.defineProperty(navigator, 'mediaDevices', { value: {} });
  let canvas = null;
  let pen = null;
  const lit = () => {
    if (!light) return canvas;
    pen ??= Object.assign(new OffscreenCanvas(canvas.width, canvas.height).getContext('2d'), { filter: light });
    pen.drawImage(canvas, 0, 0);
    return pen.canvas;
  };
  let writer = null;
  let frameRate = 30;
  let lastMs = 0;
  OffscreenCanvas.prototype.captureStream = function () {
    canvas = this;
    return { getVideoTracks: () => [{ stop() {} }] };
  };
  const every = setInterval;
  self.setInterval = (draw) => every(() => {
    draw();
    const nowMs = performance.now();
    if (nowMs - lastMs < 1000 / frameRate - ${PICTURE_MS / 2}) return;
    lastMs = nowMs;
    const picture = new VideoFrame(lit(), { timestamp: Math.round(performance.now() * 1000) });
    writer?.write(picture).catch(() => { writer = null; });
  }, ${PICTURE_MS});
  onmessage = async ({ data }) => {
    if (!data.writable) return Object.assign(page, data);
    if (!canvas) await navigator.mediaDevices.getUserMedia();
    frameRate = data.frameRate;
    writer = data.writable.getWriter();
  };`;

/** Serves a script to any page: megabytes of pictures in the page itself would cost it seconds. */
async function serve(script: string): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((_, response) => {
    response.setHeader('access-control-allow-origin', '*').end(script);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => void server.close() };
}

/**
 * Makes every page of the context see the person at the frame rate it asks for (default 30), however slow the page is.
 * @param light a CSS filter on every picture
 */
export async function installWorkerCamera(
  context: BrowserContext,
  subject: CameraSubject,
  behaviour: Behaviour,
  reactionMs?: number,
  light = '',
): Promise<void> {
  const camera = await cameraSource(subject, behaviour, reactionMs);
  const served = await serve(`const light = ${JSON.stringify(light)};${PAGE_OF_WORKER}\n${camera}`);
  context.once('close', served.close);
  await context.addInitScript({
    content: `{
      const begin = async () => {
        const script = await fetch(${JSON.stringify(served.url)});
        const worker = new Worker(URL.createObjectURL(await script.blob()));
        const look = () => worker.postMessage({
          prompt: document.documentElement.dataset.prompt ?? '',
          at: document.querySelector('.target:not([hidden]) .target__dot')?.dataset.at ?? null,
        });
        // Looking costs what the page is measured by: only what has changed is told.
        const changes = { subtree: true, childList: true, attributeFilter: ['data-prompt', 'data-at', 'hidden'] };
        new MutationObserver(look).observe(document, changes);
        return worker;
      };
      let worker = null;
      navigator.mediaDevices.getUserMedia = async ({ video }) => {
        worker ??= begin();
        const track = new MediaStreamTrackGenerator({ kind: 'video' });
        const { writable } = track;
        const frameRate = video?.frameRate?.ideal ?? 30;
        (await worker).postMessage({ writable, frameRate }, [writable]);
        return new MediaStream([track]);
      };
    }`,
  });
}
