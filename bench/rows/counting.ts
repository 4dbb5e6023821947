// Measures what the triggers that count for the console cost a creation: creates per second with and without them, in
// alternating rounds.
import pg from 'pg';
import { startService } from '../../test/support/running-service.ts';
import { load } from '../creates.ts';
import { median, type Section } from '../report.ts';

const ROUNDS = 9;
const START_TIMEOUT_MS = 600_000;
/** The triggers that an insert of a challenge fires. */
const TRIGGERS = [
  ['challenge', 'challenge_counted'],
  ['audit', 'audit_counted'],
] as const;

/** Measures on a filled and migrated database, which keeps what was created. */
export async function measureCounting(
  databaseUrl: string,
  dataDir: string,
  masterKey: string,
): Promise<Section> {
  const environment = {
    ...{ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    ...{ CREATE_RATE_PER_MINUTE: '10000000', MASTER_KEY: masterKey },
  };
  const service = await startService({ dataDir, environment, timeoutMs: START_TIMEOUT_MS });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const rates = { counted: [] as number[], bare: [] as number[] };
  const measure = async (which: keyof typeof rates) => {
    const state = which === 'counted' ? 'enable' : 'disable';
    for (const [table, trigger] of TRIGGERS)
      await client.query(`alter table ${table} ${state} trigger ${trigger}`);
    const headers = { authorization: `Basic ${service.credentials.api_key}` };
    rates[which].push((await load(service.url, headers)).rate);
  };
  try {
    await measure('counted');
    rates.counted.length = 0;
    // Alternate which of a pair comes first, too.
    for (let round = 0; round < ROUNDS; round++) {
      const pair = ['counted', 'bare'] as const;
      for (const which of round % 2 === 0 ? pair : pair.toReversed()) await measure(which);
    }
  } finally {
    for (const [table, trigger] of TRIGGERS)
      await client.query(`alter table ${table} enable trigger ${trigger}`);
    await client.end();
    await service.stop();
  }
  const ratios = rates.counted.map((rate, round) => rate / rates.bare[round]!);
  const row = (name: string, values: readonly number[], digits = 0) => [
    name,
    ...[median([...values]), Math.min(...values), Math.max(...values)].map((value) => value.toFixed(digits)),
  ];
  return {
    title: 'Creates per second with and without the counting triggers',
    method: `POST /v1/create-challenge with a full body, 32 connections, ${ROUNDS} pairs of rounds of 6 s, with the triggers on challenges and on the audit log switched off in one round of each pair (docs/decisions/0025-figures-kept-by-writes.md). The load generator runs on the same cores.`,
    columns: ['', 'median per second', 'min', 'max'],
    rows: [
      row('with', rates.counted),
      row('without', rates.bare),
      row('ratio of the rounds of a pair', ratios, 3),
    ],
  };
}
