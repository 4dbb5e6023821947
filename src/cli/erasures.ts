// `likeness erasures`: lists erasures, and repeats them on a database restored from an earlier backup.
import { readFile } from 'node:fs/promises';
import { Command, InvalidArgumentError } from 'commander';
import { ERASERS } from '../composition/erasers.ts';
import { withFoundation } from '../composition/with-foundation.ts';
import { withServices } from '../composition/with-services.ts';
import { rewriteErased } from '../keys/tables/rewrite.ts';
import { type Erasure, listErasures } from '../storage/postgres/audit.ts';
import { JSON_OPTION, writeAnswer } from '../terminal/answer.ts';
import { withProgress } from './progress.ts';

/** The `erasures` command. */
export function erasuresCommand(): Command {
  return new Command('erasures')
    .description('list erasures, and repeat them after a restore')
    .addCommand(listCommand())
    .addCommand(replayCommand());
}

function listCommand(): Command {
  return new Command('list')
    .description(
      'list erased challenges, revoked FeatureIDs and people whom clients forgot, by their ids, oldest first; keep it with the backups',
    )
    .option('--since <time>', 'start at this time (ISO 8601)', readTime)
    .option(...JSON_OPTION)
    .action(async ({ since, json }: { since?: Date; json?: boolean }) => {
      const erasures = await withFoundation(({ database }) =>
        listErasures(database.db, since ?? new Date(0)),
      );
      const data = erasures.map(({ at, action, accountId, subject }) => ({
        at: at.toISOString(),
        action,
        account_id: accountId,
        subject,
      }));
      const lines = data.map(
        ({ at, action, account_id, subject }) => `${at} ${action} ${account_id} ${subject}`,
      );
      writeAnswer(json, { data }, lines);
    });
}

function replayCommand(): Command {
  return new Command('replay')
    .description('erase again what a list names, in a database that was restored from an older backup')
    .argument('<file>', 'output of `erasures list`')
    .option(...JSON_OPTION)
    .action(async (file: string, { json }: { json?: boolean }, command: Command) => {
      const erasures = readList(await readFile(file, 'utf8'));
      if (typeof erasures === 'string') return command.error(`error: ${file}: ${erasures}`);
      const done = await withServices(async ({ challengeParts }, { database, log }) => {
        let erased = 0;
        await withProgress('erasures', erasures.length, async (report) => {
          for (const [index, erasure] of erasures.entries()) {
            if (await ERASERS[erasure.action]!({ challengeParts, database }, erasure)) erased += 1;
            report(index + 1);
          }
        });
        return { erased, waiting: (await rewriteErased(database.db, 'due', log)).waiting };
      });
      const answer = { named: erasures.length, ...done };
      writeAnswer(json, answer, [
        `${done.erased} of ${erasures.length} were found and erased`,
        ...(done.waiting > 0
          ? ['an old transaction still reads their keys: the service will finish the erasure']
          : []),
      ]);
    });
}

/** Parses the erasures in a list file; returns a message if it is invalid. */
function readList(text: string): Omit<Erasure, 'at'>[] | string {
  const found: Omit<Erasure, 'at'>[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const [, action, accountId, subject] = LINE.exec(line.trim()) ?? [];
    if (!action || !accountId || !subject || !Object.hasOwn(ERASERS, action))
      return `line ${index + 1} is not from \`likeness erasures list\``;
    found.push({ action, accountId, subject });
  }
  return found;
}

const LINE = /^\S+ ([a-z_.]+) (acct_[0-9a-z]{26}) ([0-9A-Za-z_-]{3,64})$/;

function readTime(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('a time such as 2026-01-31T09:30:00Z is required');
  return time;
}
