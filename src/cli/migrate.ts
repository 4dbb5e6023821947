// `likeness migrate`: migrates the database to this version and exits. For a job that runs before processes are
// replaced.
import { Command } from 'commander';
import { withFoundation } from '../composition/with-foundation.ts';
import { JSON_OPTION, writeAnswer } from '../terminal/answer.ts';

/** The `migrate` command. */
export function migrateCommand(): Command {
  return new Command('migrate')
    .description('apply the migrations of this version, and exit')
    .option(...JSON_OPTION)
    .action(async ({ json }: { json?: boolean }) => {
      // Opening the database migrates it.
      await withFoundation(async () => {});
      writeAnswer(json, { migrated: true }, ['the database has the schema of this version']);
    });
}
