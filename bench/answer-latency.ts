// `npx tsx bench/answer-latency.ts [TAKES]`: how long a person waits for the answer: from the end of the recording to the outcome on
// the page, in real Chromium on the service of `npm start`, alone on loopback and on a phone's line. Prints a table.
import type { Browser } from 'playwright-core';
import { TestApi } from '../test/support/api.ts';
import { launchBrowser } from '../test/support/browser.ts';
import { takeChallenge } from '../test/support/capture-subject.ts';
import { withService } from '../test/support/running-service.ts';
import { installCamera } from '../test/support/virtual-camera.ts';
import { median, render } from './report.ts';

const TAKES = Number(process.argv[2] ?? 7);

interface Line {
  readonly name: string;
  readonly uplinkBitsPerSecond: number;
  /** One way of the round trip. */
  readonly latencyMs: number;
}

const LINES: readonly Line[] = [
  { name: 'loopback', uplinkBitsPerSecond: 0, latencyMs: 0 },
  { name: '4 Mbit/s up, 80 ms', uplinkBitsPerSecond: 4e6, latencyMs: 80 },
];

/** When the recorder was told to stop, and when the outcome was on the page. */
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

/** Milliseconds from the recording's end to the answer; null where the person had to record again. */
async function take(api: TestApi, browser: Browser, line: Line): Promise<number | null> {
  const made = await api.create({ liveness_only: true, require_consent: false });
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  try {
    await installCamera(context, 'd0', 'follows');
    const page = await context.newPage();
    await page.addInitScript({ content: NOTE_TIMES });
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

const rows: string[][] = [];
await withService({ LIVENESS_PROMPTS: 'smile,neutral', LIVENESS_LEVEL: 'standard' }, async (service) => {
  const browser = await launchBrowser();
  try {
    const api = new TestApi(service);
    for (const line of LINES) {
      const waitsMs: number[] = [];
      for (let taken = 0; taken < TAKES; taken++) {
        const waitedMs = await take(api, browser, line);
        process.stderr.write(
          `${line.name}: ${waitedMs === null ? 'recorded again' : Math.round(waitedMs)}\n`,
        );
        if (waitedMs !== null) waitsMs.push(waitedMs);
      }
      const figures = [median(waitsMs), Math.min(...waitsMs), Math.max(...waitsMs)];
      rows.push([line.name, String(waitsMs.length), ...figures.map((value) => `${Math.round(value)} ms`)]);
    }
  } finally {
    await browser.close();
  }
});
process.stdout.write(
  render({
    title: 'Time to the answer',
    method: `From the end of the recording to the outcome on the page, ${TAKES} takes each, those that were sent back left out.`,
    columns: ['line', 'takes', 'median', 'least', 'most'],
    rows,
  }),
);
