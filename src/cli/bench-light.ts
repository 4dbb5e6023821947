// `likeness bench light`: what the captures in this deployment's database say about the screen's light.
import { Command } from 'commander';
import { openJudged } from '../console/describe-challenge.ts';
import { screenLight } from '../evaluation/liveness/screen-light.ts';
import { observedOutcome } from '../jobs/observed-outcome.ts';
import { type LightRow, lightReport, lightTables } from '../measurement/light-report.ts';
import { createConsoleStore } from '../storage/postgres/console/store.ts';
import { alignColumns, JSON_OPTION, writeAnswer } from './answer.ts';
import { withFoundation } from './with-foundation.ts';

/** Maximum number of captures to open, newest first. Each is a row with its keys and takes about 20 kB of memory. */
const MAX_CAPTURES = 10_000;

/** The `bench light` command. */
export function benchLightCommand(): Command {
  return new Command('light')
    .description(
      'report how strongly the light of the screen shows on the skin, from the captures in the database',
    )
    .option('--all', 'include captures that were refused: attacks may be among them')
    .option(...JSON_OPTION)
    .action(benchLight);
}

async function benchLight({ all, json }: { readonly all?: boolean; readonly json?: boolean }): Promise<void> {
  const rows = await readRows();
  const report = lightReport(all ? rows : rows.filter(({ passed }) => passed));
  const lines = lightTables(report).flatMap(({ heading, rows }) => [
    ...(heading ? ['', heading] : []),
    ...alignColumns(rows),
  ]);
  writeAnswer(json, report, lines);
}

function readRows(): Promise<LightRow[]> {
  return withFoundation(async ({ database, keys }) => {
    const rows: LightRow[] = [];
    const store = createConsoleStore(database.db);
    for (const challenge of await store.readJudged(await store.listJudgedIds(MAX_CAPTURES))) {
      const judged = await openJudged(keys, challenge);
      if (!judged) continue;
      const { cues = [], screen_light: light = null } = judged.cues;
      const outcome = observedOutcome(cues, screenLight.cue);
      rows.push({ passed: judged.liveness.overall, light, outcome });
    }
    return rows;
  });
}
