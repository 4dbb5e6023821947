// `likeness featids`: reports the figures needed before a change of recogniser, and makes FeatureIDs from pictures.
import { Command } from 'commander';
import { withFoundation } from '../composition/with-foundation.ts';
import { createFeatidUpkeepStore } from '../featid/tables/upkeep.ts';
import { alignColumns, JSON_OPTION, writeAnswer } from '../terminal/answer.ts';
import { requireAccount } from '../terminal/find-account.ts';
import { featidsImportCommand } from './featids-import.ts';

/** The `featids` command. */
export function featidsCommand(): Command {
  const report = new Command('report')
    .description(
      'report how many FeatureIDs each recogniser pack has made, and when they were last used in a comparison',
    )
    .option('--account <name>', 'only of this account, by name or id')
    .option(...JSON_OPTION)
    .action(async ({ account: name, json }: { account?: string; json?: boolean }, command: Command) => {
      const packs = await withFoundation(async ({ accounts, database }) => {
        const store = createFeatidUpkeepStore(database.db);
        if (name === undefined) return store.countByPack();
        const account = await requireAccount(accounts, name, command);
        return store.countByPack(account.id);
      });
      const rows = packs.map(({ pack, inForce, neverUsed, tombstones, lastUsedAt }) => [
        pack,
        String(inForce),
        String(neverUsed),
        lastUsedAt?.toISOString() ?? 'never',
        String(tombstones),
      ]);
      const heading = ['pack', 'in force', 'never compared', 'last compared', 'erased'];
      const data = packs.map((row) => ({
        pack: row.pack,
        in_force: row.inForce,
        never_compared: row.neverUsed,
        last_compared_at: row.lastUsedAt,
        erased: row.tombstones,
      }));
      writeAnswer(json, { data }, alignColumns([heading, ...rows]));
    });
  return new Command('featids')
    .description('the FeatureIDs of this region')
    .addCommand(report)
    .addCommand(featidsImportCommand());
}
