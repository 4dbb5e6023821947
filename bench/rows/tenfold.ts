// Creates at ten times what a hundred workers can judge (docs/load-model.md), and the console's counts, on a filled
// database.
import { setTimeout as delay } from 'node:timers/promises';
import { type ConsoleStore, createConsoleStore } from '../../src/console/tables/store.ts';
import { createReports } from '../../src/storage/postgres/database.ts';
import { startService } from '../../test/support/running-service.ts';
import { load, TENFOLD_PER_SECOND } from '../creates.ts';
import { median, type Section } from '../report.ts';

const SECONDS = 30;
const CONNECTIONS = 32;
const START_TIMEOUT_MS = 600_000;
const COUNTS = 5;

/** The database keeps what was created. */
export async function measureTenfoldCreates(
  databaseUrl: string,
  dataDir: string,
  masterKey: string,
): Promise<Section> {
  const environment = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    MASTER_KEY: masterKey,
  };
  const service = await startService({ dataDir, environment, timeoutMs: START_TIMEOUT_MS });
  try {
    const headers = { authorization: `Basic ${service.credentials.api_key}` };
    const measure = async (name: string, how: { overallRate?: number; hasKeys?: boolean }) => {
      const { rate, p99Ms } = await load(service.url, headers, {
        connections: CONNECTIONS,
        duration: SECONDS,
        ...how,
      });
      return [name, rate.toFixed(0), p99Ms.toFixed(0)];
    };
    await load(service.url, headers);
    return {
      title: 'Creates',
      method: `POST /v1/create-challenge with a full body, ${CONNECTIONS} connections, ${SECONDS} s each. ${TENFOLD_PER_SECOND} a second are ten times what a hundred workers can judge (docs/load-model.md). The load generator runs on the same cores.`,
      columns: ['', 'a second', 'p99 ms'],
      rows: [
        await measure(`asked for ${TENFOLD_PER_SECOND} a second`, { overallRate: TENFOLD_PER_SECOND }),
        await measure('the same, each with an Idempotency-Key', {
          overallRate: TENFOLD_PER_SECOND,
          hasKeys: true,
        }),
        await measure('as many as it answers', {}),
        await measure('the same, each with an Idempotency-Key', { hasKeys: true }),
      ],
    };
  } finally {
    await service.stop();
  }
}

/** The longest that a report's statement may take decides whether a count is shown at all. */
export async function measureConsole(databaseUrl: string): Promise<{ section: Section; faults: string[] }> {
  const db = createReports(databaseUrl);
  const store = createConsoleStore(db);
  const faults: string[] = [];
  const measure = async (
    name: string,
    read: (store: ConsoleStore) => Promise<unknown>,
    isCounted: (answer: unknown) => boolean = () => true,
  ): Promise<string[]> => {
    const times: number[] = [];
    let counted = true;
    for (let round = 0; round < COUNTS; round++) {
      const from = performance.now();
      const answer = await read(store);
      times.push(performance.now() - from);
      counted &&= isCounted(answer);
      await delay(100);
    }
    if (!counted) faults.push(`the console does not count ${name}`);
    const shown = [median(times), Math.max(...times)].map((ms) => ms.toFixed(0));
    return [name, counted ? 'yes' : 'not counted', ...shown];
  };
  const isHeld = (answer: unknown) =>
    (answer as Awaited<ReturnType<ConsoleStore['countHeld']>>).every(({ count }) => count !== null);
  try {
    return {
      section: {
        title: "The console's figures",
        method: `The readings behind the pages of the console, ${COUNTS} times each, on its own connections, whose statements are cancelled after 5 s. A count is kept for a minute; everything else is read anew.`,
        columns: ['', 'counted', 'median ms', 'longest ms'],
        rows: [
          await measure(
            'challenges by day',
            ({ countDays }) => countDays(),
            (days) => days !== null,
          ),
          await measure(
            'how people fare',
            ({ countRecentOutcomes }) => countRecentOutcomes('live'),
            (outcomes) => outcomes !== null,
          ),
          await measure('everything held', ({ countHeld }) => countHeld(), isHeld),
          await measure('the rest of the overview', ({ countWaiting, readFigures }) =>
            Promise.all([countWaiting(), readFigures()]),
          ),
          await measure('receivers', ({ listEndpoints }) => listEndpoints()),
        ],
      },
      faults,
    };
  } finally {
    await db.destroy();
  }
}
