// `likeness purge`: applies retention now instead of waiting for the sweeps.
import { Command } from 'commander';
import { composeRetention } from '../composition/sweeps.ts';
import { withServices } from '../composition/with-services.ts';
import { rewriteErased } from '../keys/tables/rewrite.ts';
import { alignColumns, JSON_OPTION, writeAnswer } from '../terminal/answer.ts';
import { withProgress } from './progress.ts';

/** The `purge` command. */
export function purgeCommand(): Command {
  return new Command('purge')
    .description(
      'delete everything past its retention now: results, videos, unused FeatureIDs, old lines of the audit log',
    )
    .option(...JSON_OPTION)
    .action(async ({ json }: { json?: boolean }) => {
      const done = await withServices((services, foundation) => {
        const tasks = composeRetention(foundation, services);
        return withProgress('tasks', tasks.length, async (report) => {
          const counts: [name: string, count: number][] = [];
          // Order matters: results release their assets, which are deleted afterwards.
          for (const task of tasks) {
            counts.push([task.name, await task.run()]);
            report(counts.length);
          }
          const { rewritten } = await rewriteErased(foundation.database.db, 'all', foundation.log);
          return [...counts, ['rewrite keys', rewritten] as const];
        });
      });
      const rows = done.map(([name, count]) => [name, String(count)]);
      const keyed = done.map(([name, count]) => [name.replaceAll(' ', '_'), count]);
      writeAnswer(json, Object.fromEntries(keyed), alignColumns([['task', 'done'], ...rows]));
    });
}
