// `npm run bench`, or alone: `npx tsx bench/answer-latency.ts [TAKES]`. Measures how long a person waits for the
// answer, from the end of the recording to the outcome on the page, in real Chromium against the service of `npm
// start`, which is otherwise idle, over loopback and over a phone's connection. For comparison, the same with no byte
// sent before the recording has ended, as when a complete video is uploaded and then judged.
import type { Browser } from 'playwright-core';
import { TestApi } from '../test/support/api.ts';
import { launchBrowser } from '../test/support/browser.ts';
import { takeChallenge } from '../test/support/capture-subject.ts';
import { withService } from '../test/support/running-service.ts';
import { installCamera } from '../test/support/virtual-camera.ts';
import { median, render, type Section, spreadOfSeconds } from './report.ts';

/** Takes per way of sending and connection. */
const TAKES = 5;

interface Line {
  readonly name: string;
  readonly uplinkBitsPerSecond: number;
  /** Minimum time from request to response headers, as Chromium emulates it. */
  readonly latencyMs: number;
  /** Target for the median. */
  readonly aimMs: number;
}

const LINES: readonly Line[] = [
  { name: 'loopback', uplinkBitsPerSecond: 0, latencyMs: 0, aimMs: 600 },
  { name: '4 Mbit/s up, 80 ms', uplinkBitsPerSecond: 4e6, latencyMs: 80, aimMs: 1_000 },
];

/** Target for the median divided by the median with bytes sent after the end. */
const AIM_RATIO = 0.35;

/** Notes when the recorder was told to stop, and when the outcome was on the page. */
const NOTE_TIMES = `{
  const stop = MediaRecorder.prototype.stop;
  MediaRecorder.prototype.stop = function () {
    window.stoppedAtMs = performance.now();
    return stop.call(this);
  };
  new MutationObserver(() => {
    const { state } = document.documentElement.dataset;
    if (state === 'done' || state === 'retry') window.answeredAtMs ??= performance.now();
  }).observe(document, { attributes: true, subtree: true, attributeFilter: ['data-state'] });
}`;

/** Holds the recording's bytes back until its end, but not their announcements. The trial's recorder ends before it. */
const HOLD_BYTES = `{
  const { fetch } = window;
  const records = () => document.documentElement.dataset.state === 'recording';
  const end = () => new Promise((resolve) => {
    const look = () => records() || resolve();
    new MutationObserver(look).observe(document, { attributes: true, subtree: true, attributeFilter: ['data-state'] });
    look();
  });
  window.fetch = async (url, options) => {
    if (String(url).includes('/bytes?')) await end();
    return fetch(url, options);
  };
}`;

/** When bytes are sent: as they are recorded, or after the end. */
const WAYS = ['growing', 'complete'] as const;
type SendingWay = (typeof WAYS)[number];

/** Milliseconds from the recording's end to the answer; null if the person had to record again. */
async function take(api: TestApi, browser: Browser, line: Line, way: SendingWay): Promise<number | null> {
  const made = await api.create({ liveness_only: true, require_consent: false });
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  try {
    await installCamera(context, 'd0', 'follows');
    const page = await context.newPage();
    await page.addInitScript({ content: NOTE_TIMES });
    if (way === 'complete') await page.addInitScript({ content: HOLD_BYTES });
    if (line.uplinkBitsPerSecond > 0) {
      const debug = await context.newCDPSession(page);
      await debug.send('Network.enable');
      await debug.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: line.latencyMs,
        uploadThroughput: line.uplinkBitsPerSecond / 8,
        downloadThroughput: -1,
      });
    }
    const walk = await takeChallenge(page, made.challenge_url, { timeoutMs: 180_000 });
    const waitedMs = (await page.evaluate('answeredAtMs - stoppedAtMs')) as number;
    return walk.end === 'done' && !walk.screens.includes('retry') ? waitedMs : null;
  } finally {
    await context.close();
  }
}

/** Measures on a separate service. Needs FACES_DIR. */
export async function measureAnswerLatency(takes = TAKES): Promise<Section> {
  const rows: string[][] = [];
  await withService({ LIVENESS_PROMPTS: 'smile,neutral', LIVENESS_LEVEL: 'standard' }, async (service) => {
    const browser = await launchBrowser();
    try {
      const api = new TestApi(service);
      for (const line of LINES) {
        const waitsMs: Record<SendingWay, number[]> = { growing: [], complete: [] };
        for (let taken = 0; taken < takes; taken++)
          for (const way of WAYS) {
            const waitedMs = await take(api, browser, line, way);
            const said = waitedMs === null ? 'recorded again' : `${Math.round(waitedMs)} ms`;
            process.stderr.write(`${line.name}, ${way}: ${said}\n`);
            if (waitedMs !== null) waitsMs[way].push(waitedMs);
          }
        const ratio = median(waitsMs.growing) / median(waitsMs.complete);
        rows.push([
          line.name,
          `${waitsMs.growing.length} and ${waitsMs.complete.length}`,
          spreadOfSeconds(waitsMs.growing, 2),
          `${line.aimMs / 1000} s`,
          spreadOfSeconds(waitsMs.complete, 2),
          ratio.toFixed(2),
        ]);
      }
    } finally {
      await browser.close();
    }
  });
  return {
    title: 'Time to the answer',
    method: `From the end of the recording to the outcome on the page: medians (minimum–maximum) of ${takes} alternating takes each, without those that were sent back. Chromium with the person in front of its camera, API, PostgreSQL and worker share the machine. Bytes after the end: no byte leaves the page while it records, and the video is judged once it is complete.`,
    columns: [
      'line',
      'takes',
      'bytes as they are recorded',
      'aim',
      'bytes after the end',
      `ratio (aim ≤ ${AIM_RATIO})`,
    ],
    rows,
  };
}

if (process.argv[1] === import.meta.filename)
  process.stdout.write(`${render(await measureAnswerLatency(Number(process.argv[2] ?? TAKES)))}\n`);
