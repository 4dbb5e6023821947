// `npx tsx bench/slow-page.ts [takes] [rows]`: measures what a person experiences on a slow device and a bad
// connection, through the real page and the real service: the first hint, the frames that the recording keeps, how it
// ends. Prints a table.
import type { Browser, BrowserContext } from 'playwright-core';
import { TestApi } from '../test/support/api.ts';
import { launchBrowser } from '../test/support/browser.ts';
import { takeChallenge } from '../test/support/capture-subject.ts';
import { describeRecording, KEEP_RECORDING, recordingOf } from '../test/support/engines/recordings.ts';
import { withService } from '../test/support/running-service.ts';
import { type LineQuality, openSlowLine } from '../test/support/slow-line.ts';
import { installWorkerCamera } from '../test/support/worker-camera.ts';
import { readShown, recordShown, type Shown } from '../test/web/support/shown.ts';
import { readTexts } from '../web/capture/build/messages.ts';
import { median, render } from './report.ts';

const TAKES = Number(process.argv[2] ?? 3);
/** Selects rows by a part of their names; empty: all. */
const ROWS = process.argv[3] ?? '';
const words = readTexts('en');

interface Conditions {
  readonly name: string;
  readonly slowdown: number;
  readonly line: LineQuality | null;
}

const BAD: LineQuality = { upBitsPerSecond: 1e6, downBitsPerSecond: 1e7, roundTripMs: 400, loss: 0.05 };
const CONDITIONS: readonly Conditions[] = [
  { name: 'this machine, its own network', slowdown: 1, line: null },
  { name: 'page 6 × slower', slowdown: 6, line: null },
  { name: 'page 20 × slower', slowdown: 20, line: null },
  { name: '1 Mbit/s up, 400 ms, 5 % lost', slowdown: 1, line: BAD },
  { name: 'both: 6 ×, and that line', slowdown: 6, line: BAD },
];

interface Measured {
  /** From the camera's first frame to the first hint, which is about the light only; null if none came. */
  readonly hintMs: number | null;
  /** From the camera's first frame to the first hint about the face. */
  readonly detectorMs: number | null;
  readonly framesPerSecond: number;
  readonly saysSlow: boolean;
  /** Recordings that were requested. */
  readonly recordings: number;
  /** Why another recording was requested, as the person was told. */
  readonly sentBack: readonly string[];
  /** From the end of the last recording to the outcome. */
  readonly answerMs: number;
  readonly result: string;
}

async function take(api: TestApi, browser: Browser, given: Conditions, origin: string): Promise<Measured> {
  const made = await api.create({ liveness_only: true, require_consent: false });
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, bypassCSP: true });
  try {
    return await measure(api, context, given, {
      id: made.challenge_id,
      url: made.challenge_url.replace(new URL(made.challenge_url).origin, origin),
    });
  } finally {
    await context.close();
  }
}

async function measure(
  api: TestApi,
  context: BrowserContext,
  { slowdown }: Conditions,
  { id, url }: { id: string; url: string },
): Promise<Measured> {
  await installWorkerCamera(context, 'turning', 'follows', 600);
  const page = await context.newPage();
  await recordShown(page);
  await page.addInitScript({ content: KEEP_RECORDING });
  const debug = await context.newCDPSession(page);
  await debug.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  const walk = await takeChallenge(page, url, {
    ...{ timeoutMs: 240_000, retries: 4 },
    // Polling a page costs it time, a slow one all the more.
    pauseMs: 100 * Math.min(10, slowdown),
  });
  const shown = await readShown(page);
  const recorded = describeRecording(await recordingOf({ run: (expression) => page.evaluate(expression) }));
  const result = await api.waitFor(id, ['completed']).catch(() => ({ overall_result: walk.end }));
  const said = [words.stage.slow, words.retry.reasons.too_slow.title];
  return {
    hintMs: timeTo(shown, ({ hint }) => hint !== null && hint !== 'none'),
    detectorMs: timeTo(shown, ({ note }) => note !== words.stage.loadingHints),
    framesPerSecond: recorded.framesPerSecond,
    saysSlow: shown.some(({ note, title }) => said.includes(note) || said.includes(title)),
    recordings: walk.screens.filter((screen) => screen === 'recording').length,
    sentBack: shown.filter(({ screen }) => screen === 'retry').map(({ title }) => title),
    answerMs: answerTime(shown),
    result: String(result.overall_result),
  };
}

/** Time from the first frame until the condition holds. */
function timeTo(shown: readonly Shown[], isThere: (now: Shown) => boolean): number | null {
  const placing = shown.find(({ screen }) => screen === 'position');
  const hinted = shown.find((now) => now.screen === 'position' && isThere(now));
  return placing && hinted ? hinted.atMs - placing.atMs : null;
}

function answerTime(shown: readonly Shown[]): number {
  const over = shown.findLast(({ screen }) => screen === 'recording');
  const next = shown.indexOf(over!) + 1;
  return shown.at(-1)!.atMs - (shown[next] ?? over!).atMs;
}

const rows: string[][] = [];
await withService({ LIVENESS_LEVEL: 'quick' }, async (service) => {
  const browser = await launchBrowser();
  try {
    const api = new TestApi(service);
    for (const given of CONDITIONS.filter(({ name }) => name.includes(ROWS))) {
      const line = given.line && (await openSlowLine(service.url, given.line));
      const takes: Measured[] = [];
      for (let i = 0; i < TAKES; i += 1) {
        try {
          takes.push(await take(api, browser, given, line?.url ?? service.url));
          process.stderr.write(`${given.name}: ${JSON.stringify(takes.at(-1))}\n`);
        } catch (error) {
          process.stderr.write(`${given.name}: ${error}\n`);
        }
      }
      await line?.close();
      const range = (of: (measured: Measured) => number | null, unit: string) => {
        const values = takes.map(of).filter((value) => value !== null);
        if (values.length === 0) return 'none';
        const [low, middle, high] = [Math.min(...values), median(values), Math.max(...values)];
        return `${Math.round(middle)} (${Math.round(low)}–${Math.round(high)}) ${unit}`;
      };
      rows.push([
        given.name,
        range(({ hintMs }) => hintMs, 'ms'),
        range(({ detectorMs }) => detectorMs, 'ms'),
        range(({ framesPerSecond }) => framesPerSecond, ''),
        `${takes.filter(({ saysSlow }) => saysSlow).length} of ${TAKES}`,
        range(({ recordings }) => recordings, ''),
        [...new Set(takes.flatMap(({ sentBack }) => sentBack))].join('; ') || '–',
        range(({ answerMs }) => answerMs, 'ms'),
        `${takes.filter(({ result }) => result === 'pass').length} of ${TAKES}`,
      ]);
    }
  } finally {
    await browser.close();
  }
});
process.stdout.write(
  render({
    title: 'The page on a slow device and a bad line',
    method: `${TAKES} takes each by a person who follows the prompts; median (minimum–maximum).`,
    columns: [
      'device and line',
      'first hint',
      'hint about the face',
      'frames per second',
      'says that the device is slow',
      'recordings',
      'sent back for',
      'answer',
      'pass',
    ],
    rows,
  }),
);
