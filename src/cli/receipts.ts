// `likeness receipts`: the keys that sign receipts.
import { Command } from 'commander';
import { withFoundation } from '../composition/with-foundation.ts';
import { OPERATOR } from '../keys/principal.ts';
import { alignColumns, JSON_OPTION, writeAnswer } from '../terminal/answer.ts';

interface Options {
  readonly json?: boolean;
}

/** The `receipts` command. */
export function receiptsCommand(): Command {
  return new Command('receipts')
    .description('the keys that sign receipts of results')
    .addCommand(keysCommand())
    .addCommand(rotateCommand())
    .addCommand(removeCommand());
}

function keysCommand(): Command {
  return new Command('keys')
    .description('list the keys, newest first; the first one is made with the first receipt')
    .option(...JSON_OPTION)
    .action(async ({ json }: Options) => {
      const keys = await withFoundation(({ receiptKeys }) => receiptKeys.list());
      const data = keys.map(({ id, createdAt, retiredAt }) => ({
        id,
        created_at: createdAt,
        retired_at: retiredAt,
      }));
      const rows = keys.map(({ id, createdAt, retiredAt }) => [
        id,
        createdAt.toISOString(),
        retiredAt ? `retired ${retiredAt.toISOString()}` : 'signs',
      ]);
      writeAnswer(json, { data }, alignColumns([['id', 'created', 'state'], ...rows]));
    });
}

function rotateCommand(): Command {
  return new Command('rotate')
    .description(
      'sign with a new key from now on; the old one stays published, and its receipts remain valid',
    )
    .option(...JSON_OPTION)
    .action(async ({ json }: Options) => {
      const id = await withFoundation(({ receiptKeys }) => receiptKeys.rotate(OPERATOR));
      writeAnswer(json, { id }, [`${id} signs from now on`]);
    });
}

function removeCommand(): Command {
  return new Command('remove')
    .description('stop publishing a retired key, for example a stolen one: its receipts are no longer valid')
    .argument('<key-id>', 'id of the key, as `receipts keys` shows it')
    .option(...JSON_OPTION)
    .action(async (keyId: string, { json }: Options, command: Command) => {
      const removed = await withFoundation(({ receiptKeys }) => receiptKeys.remove(keyId, OPERATOR));
      if (!removed) command.error(`error: there is no retired receipt key ${keyId}`);
      writeAnswer(json, { id: keyId, removed }, [`${keyId} is no longer published`]);
    });
}
