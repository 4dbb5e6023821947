// `likeness keys rotate-master`: wraps every account key under the current master key.
import { Command } from 'commander';
import { withFoundation } from '../composition/with-foundation.ts';
import { OPERATOR } from '../keys/principal.ts';
import { type RewrapStore, rotateMaster } from '../keys/rotate-master.ts';
import { createAccountStore } from '../keys/tables/account-store.ts';
import { dropOldWraps, type OldWraps } from '../keys/tables/old-wraps.ts';
import { createReceiptKeyStore } from '../keys/tables/receipt-key-store.ts';
import { JSON_OPTION, writeAnswer } from '../terminal/answer.ts';
import { EXIT } from './exit-codes.ts';
import { withProgress } from './progress.ts';

const OLD_WRAPS: Readonly<Record<OldWraps, string>> = {
  dropped: "keys wrapped under the old master key are no longer on the database's disk",
  inUse:
    "keys wrapped under the old master key are still in the database's files, because an old transaction can see them. Run this again when it has ended",
  kept: 'keys wrapped under the old master key stay in the write-ahead log for a while: see *erasure* in `likeness doctor`',
  notPermitted:
    'keys wrapped under the old master key stay in the write-ahead log for a while: see *erasure* in `likeness doctor`',
};

/** The `rotate-master` subcommand of `keys`. */
export function rotateMasterCommand(): Command {
  return new Command('rotate-master')
    .description(
      'wrap every account key and receipt key under the first master key; FeatureIDs stay as they are',
    )
    .addHelpText(
      'after',
      '\nFirst give every process both keys, the old one first (MASTER_KEY=old,new, or two lines in its file), so that all\ncan open either. Then give every process the new one first. Then run this, as often as you like: a run that was\ninterrupted can be run again. Then remove the old key.',
    )
    .option(...JSON_OPTION)
    .action(async ({ json }: { json?: boolean }) => {
      const { currentId, rewrapped, failed, oldWraps } = await withFoundation(({ masterKeys, database }) =>
        withProgress('account keys', null, async (report) => {
          const rotate = (store: RewrapStore) => rotateMaster({ masterKeys, store }, OPERATOR, report);
          const accounts = await rotate(createAccountStore(database.db));
          const receipts = await rotate(createReceiptKeyStore(database.db));
          return {
            currentId: accounts.currentId,
            rewrapped: accounts.rewrapped + receipts.rewrapped,
            failed: [...accounts.failed, ...receipts.failed],
            // Also done if nothing was rewrapped, because an earlier run may have been interrupted here.
            oldWraps: await dropOldWraps(database.db),
          };
        }),
      );
      const failures = failed.map((one) => ({
        account: one.accountId,
        master_key_id: one.masterKeyId,
        code: one.code,
      }));
      const answer = { master_key_id: currentId, rewrapped, failed: failures, old_wraps: oldWraps };
      writeAnswer(json, answer, [
        `${rewrapped} keys re-wrapped; all but ${failed.length} are under master key ${currentId}`,
        ...failed.map((one) => `  ${one.accountId} stays under ${one.masterKeyId}: ${one.code}`),
        OLD_WRAPS[oldWraps],
      ]);
      if (failed.length > 0) process.exitCode = EXIT.fault;
    });
}
