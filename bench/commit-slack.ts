// `npx tsx bench/commit-slack.ts`: measures how long after its script a recording's hash reaches the server, from a
// slow device over a slow connection, apart from the script's own duration. These are the figures behind
// COMMIT_SLACK_MS. Prints a table.
import type { Browser } from 'playwright-core';
import { createLogger } from '../src/base/log.ts';
import { openFoundation } from '../src/composition/foundation.ts';
import { readConfig } from '../src/config/read-config.ts';
import type { Script } from '../src/contract/script.ts';
import type { Database } from '../src/storage/postgres/database.ts';
import { TestApi } from '../test/support/api.ts';
import { launchBrowser } from '../test/support/browser.ts';
import { withService } from '../test/support/running-service.ts';
import { openPage, setScene, untilScreen } from '../test/web/support/browser.ts';
import { median, render } from './report.ts';

const RUNS = Number(process.argv[2] ?? 12);

interface Conditions {
  readonly name: string;
  /** How many times slower the page's processor is. */
  readonly slowdown: number;
  readonly uplinkBitsPerSecond: number;
  readonly latencyMs: number;
}

const CONDITIONS: readonly Conditions[] = [
  {
    name: 'processor 6 × slower, 400 kbit/s, 300 ms',
    slowdown: 6,
    uplinkBitsPerSecond: 400_000,
    latencyMs: 300,
  },
  { name: 'this machine, its own network', slowdown: 1, uplinkBitsPerSecond: 1e9, latencyMs: 0 },
];

interface Timing {
  /** From drawing the script to the recorder's start. */
  readonly firstFrameMs: number;
  /** From the end of the script to the commit in the database: tail, recorder's end, hash, network. */
  readonly commitMs: number;
}

/** Notes the recorder's start on this machine's clock, where the bench can read it. */
const NOTE_START = `window.MediaRecorder = class extends MediaRecorder {
  constructor(...given) {
    super(...given);
    this.addEventListener('start', ({ timeStamp }) => (window.startedAtMs = performance.timeOrigin + timeStamp));
  }
};`;

async function take(db: Database, api: TestApi, browser: Browser, given: Conditions): Promise<Timing> {
  const made = await api.create({ liveness_only: true, require_consent: false });
  const { page, context } = await openPage(browser, 'face');
  await page.addInitScript({ content: NOTE_START });
  await page.goto(made.challenge_url);
  await setScene(page, { sees: false });
  await page.click('[data-action="start"]');
  await page.waitForSelector('.oval[data-hint="no_face"]', { timeout: 60_000 });
  const debug = await context.newCDPSession(page);
  await debug.send('Emulation.setCPUThrottlingRate', { rate: given.slowdown });
  await debug.send('Network.enable');
  await debug.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: given.latencyMs,
    uploadThroughput: given.uplinkBitsPerSecond / 8,
    downloadThroughput: given.uplinkBitsPerSecond / 2,
  });
  await setScene(page, { sees: true });
  await untilScreen(page, 'uploading', 120_000);
  const startedAtMs = (await page.evaluate('startedAtMs')) as number;
  const row = await committed(db, made.challenge_id);
  await context.close();
  const issuedAtMs = row.issued_at.getTime();
  const endedAtMs = startedAtMs + (row.lived_script as Script).steps.at(-1)!.to_ms;
  return { firstFrameMs: startedAtMs - issuedAtMs, commitMs: row.committed_at!.getTime() - endedAtMs };
}

async function committed(db: Database, challengeId: string) {
  for (;;) {
    const row = await db
      .selectFrom('capture')
      .select(['issued_at', 'committed_at', 'lived_script'])
      .where('challenge_id', '=', challengeId)
      .executeTakeFirst();
    if (row?.committed_at) return row;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const environment = { LIVENESS_LEVEL: 'quick', LIVENESS_PROMPTS: 'smile', ROLE: 'api' };
const rows: string[][] = [];
await withService(environment, async (service) => {
  const browser = await launchBrowser();
  const api = new TestApi(service);
  const foundation = await openFoundation(
    readConfig({ DATA_DIR: service.dataDir }),
    createLogger({ level: 'silent', process: 'bench' }),
  );
  try {
    for (const given of CONDITIONS) {
      const timings: Timing[] = [];
      while (timings.length < RUNS) {
        timings.push(await take(foundation.database.db, api, browser, given));
        process.stderr.write(`${given.name}: ${JSON.stringify(timings.at(-1))}\n`);
      }
      const figures = (of: (timing: Timing) => number) => {
        const values = timings.map(of);
        return [median(values), Math.max(...values)].map((value) => `${Math.round(value)} ms`);
      };
      rows.push([
        given.name,
        ...figures(({ firstFrameMs }) => firstFrameMs),
        ...figures(({ commitMs }) => commitMs),
        ...figures(({ firstFrameMs, commitMs }) => firstFrameMs + commitMs),
      ]);
    }
  } finally {
    await browser.close();
    await foundation.close();
  }
});
process.stdout.write(
  render({
    title: 'Time for a commit in addition to its script',
    method: `${RUNS} takes each: from the drawing of the script to the first frame, from the script's end to the commit, and the sum of both; medians and maxima.`,
    columns: ['device and line', 'first frame', 'max', 'commit', 'max', 'both', 'max'],
    rows,
  }),
);
