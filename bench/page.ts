// `npm run bench:page`: measures weight and pace of the built capture page in real Chromium, and writes bench/PAGE.md.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { LANGUAGES } from '../src/contract/languages.ts';
import { TestApi } from '../test/support/api.ts';
import { launchBrowser } from '../test/support/browser.ts';
import { newDataDir, removeDataDir, startService } from '../test/support/running-service.ts';
import { BUILD_DIR, openPage, setScene, untilScreen } from '../test/web/support/browser.ts';
import { median, render, type Section, writeReport } from './report.ts';

const VISITS = 5;
const WATCHED_MS = 5_000;
/** The camera's face never smiles, so its recordings last for one or two prompts at their limit. */
const SCRIPTS = { LIVENESS_LEVEL: 'quick', LIVENESS_PROMPTS: 'smile' };
const kB = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
/** The chunks of the languages, which Vite names after their message files. */
const languageFile = new RegExp(`^(${LANGUAGES.join('|')})-[\\w-]+\\.js$`);
const ms = (value: number) => `${Math.round(value)} ms`;

/** Bytes of a file as sent over the wire: Brotli if the build has it. */
function wireBytes(file: string): number {
  return statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size;
}

function weigh(): Section {
  const files = readdirSync(BUILD_DIR, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/\.(br|gz)$/.test(name) && name !== 'server-texts.json')
    .filter((name) => statSync(join(BUILD_DIR, name)).isFile())
    .map((name) => ({ name, bytes: wireBytes(join(BUILD_DIR, name)) }));
  const sum = (some: typeof files) => some.reduce((total, { bytes }) => total + bytes, 0);
  const first = files.filter(({ name }) => /^(index|icon)/.test(name));
  const detector = files.filter(({ name }) => /^(worker|guidance)/.test(name));
  const languages = files.filter(({ name }) => languageFile.test(name));
  const largest = Math.max(...languages.map(({ bytes }) => bytes));
  const shown = sum(first) + largest;
  return {
    title: 'Bytes of the capture page',
    method: 'Files of the build as they are sent, with brotli where available. A visit loads one language.',
    columns: ['what', 'compressed', 'allowed'],
    rows: [
      ['first paint: page, styles, script, icon', kB(sum(first)), ''],
      ['largest language', kB(largest), ''],
      ['first paint in that language', kB(shown), '60 kB'],
      ['detector: Worker, wasm, networks', kB(sum(detector)), ''],
      ['everything, all languages', kB(sum(files)), '2200 kB'],
    ],
  };
}

interface Pace {
  readonly paintMs: number;
  readonly readyMs: number;
  /** From a face in position to the automatic start of its recording. */
  readonly startMs: number;
}

/** Creates a fresh link on the running service. */
type MakeLink = () => Promise<string>;

async function visit(browser: Browser, makeLink: MakeLink): Promise<Pace> {
  const { page, context } = await openPage(browser, 'face');
  await page.goto(await makeLink());
  await setScene(page, { sees: false });
  await page.click('[data-action="start"]');
  const pressedMs = (await page.evaluate('performance.now()')) as number;
  await page.waitForSelector('.oval:not([data-hint="none"])');
  const readyMs = ((await page.evaluate('performance.now()')) as number) - pressedMs;
  const paint = 'performance.getEntriesByName("first-contentful-paint")[0].startTime';
  const paintMs = (await page.evaluate(paint)) as number;
  const placedMs = performance.now();
  await setScene(page, { sees: true });
  await untilScreen(page, 'recording');
  const startMs = performance.now() - placedMs;
  await context.close();
  return { paintMs, readyMs, startMs };
}

/** Frames per second that the Worker gets while a person positions their face. */
async function guidanceHz(browser: Browser, makeLink: MakeLink): Promise<number> {
  const { page, context } = await openPage(browser, 'empty');
  await page.addInitScript({
    content: `window.looks = 0;
      const post = Worker.prototype.postMessage;
      Worker.prototype.postMessage = function (message, ...rest) {
        if (message.kind === 'look') window.looks += 1;
        return post.call(this, message, ...rest);
      };`,
  });
  await page.goto(await makeLink());
  await page.click('[data-action="start"]');
  await page.waitForSelector('.oval:not([data-hint="none"])');
  const before = (await page.evaluate('looks')) as number;
  const fromMs = performance.now();
  await page.waitForTimeout(WATCHED_MS);
  const seen = ((await page.evaluate('looks')) as number) - before;
  const hz = (seen * 1000) / (performance.now() - fromMs);
  await context.close();
  return hz;
}

/** Frames per second in the recording, with guidance running. */
async function recordedFps(browser: Browser, makeLink: MakeLink, folder: string): Promise<number> {
  const { page, context } = await openPage(browser, 'face');
  await page.addInitScript({
    content: `window.MediaRecorder = class extends MediaRecorder {
      constructor(...given) {
        super(...given);
        this.addEventListener('dataavailable', ({ data }) => (window.recorded = data));
      }
    };`,
  });
  await page.goto(await makeLink());
  const committing = page.waitForRequest('**/commit', { timeout: 60_000 });
  await page.click('[data-action="start"]');
  const { duration_ms: durationMs } = (await committing).postDataJSON();
  const bytes = await page.evaluate('recorded.arrayBuffer().then((buffer) => [...new Uint8Array(buffer)])');
  const file = join(folder, 'recording.webm');
  writeFileSync(file, Uint8Array.from(bytes as number[]));
  const count = '-v error -select_streams v -count_packets -show_entries stream=nb_read_packets -of csv=p=0';
  const frames = Number(execFileSync('ffprobe', [...count.split(' '), file], { encoding: 'utf8' }).trim());
  await context.close();
  return (frames * 1000) / durationMs;
}

async function pace(): Promise<Section> {
  const dataDir = newDataDir();
  const [browser, service] = await Promise.all([
    launchBrowser(),
    startService({ dataDir, environment: SCRIPTS }),
  ]);
  const api = new TestApi(service);
  const makeLink = async () =>
    (await api.create({ liveness_only: true, require_consent: false })).challenge_url;
  const folder = mkdtempSync(join(tmpdir(), 'likeness-bench-page-'));
  const visits: Pace[] = [];
  const hz: number[] = [];
  const fps: number[] = [];
  try {
    for (let turn = 0; turn < VISITS; turn += 1) {
      visits.push(await visit(browser, makeLink));
      hz.push(await guidanceHz(browser, makeLink));
      fps.push(await recordedFps(browser, makeLink, folder));
    }
  } finally {
    await Promise.all([browser.close(), service.stop()]);
    removeDataDir(dataDir);
    rmSync(folder, { recursive: true, force: true });
  }
  const row = (name: string, values: number[], show: (value: number) => string, asked: string) => [
    name,
    show(median(values)),
    `${show(Math.min(...values))} – ${show(Math.max(...values))}`,
    asked,
  ];
  const plain = (value: number) => value.toFixed(1);
  return {
    title: 'Pace of the capture page',
    method: `${VISITS} visits in a fresh context each, headless Chromium, a canvas of 640×480 at 30 fps as the camera, the service on the same machine.`,
    columns: ['what', 'median', 'range', 'required'],
    rows: [
      row(
        'first contentful paint',
        visits.map(({ paintMs }) => paintMs),
        ms,
        '',
      ),
      row(
        'from the tap on “Start” to the first live hint',
        visits.map(({ readyMs }) => readyMs),
        ms,
        '',
      ),
      row(
        'from a face in place to the automatic start of its recording',
        visits.map(({ startMs }) => startMs),
        ms,
        '',
      ),
      row('guidance, frames examined per second', hz, plain, ''),
      row('recording, frames per second, guidance on', fps, plain, '≥ 25'),
    ],
  };
}

const sections: Section[] = [weigh()];
process.stderr.write(`\n${render(sections[0]!)}\n`);
sections.push(await pace());
process.stderr.write(`\n${render(sections[1]!)}\n`);
process.stderr.write(`written to ${writeReport(sections, 'PAGE.md', 'npm run bench:page')}\n`);
