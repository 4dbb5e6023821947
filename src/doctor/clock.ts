// The doctor's check of this machine's clock: its difference from the database's, and whether it is synchronised.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { OpenDatabase } from '../storage/open-database.ts';
import { readClock } from '../storage/postgres/clock.ts';
import type { Finding } from './check.ts';

/** Asset links, expiry and webhook signatures count in seconds; Standard Webhooks receivers tolerate five minutes. */
const MAX_CLOCK_DIFFERENCE_MS = 2_000;

/** The remedy if the clock is wrong. */
export const SYNCHRONISE = 'switch time synchronisation on, e.g. timedatectl set-ntp true';

/** Compares the clocks of this machine and the database. @throws Error if they differ too much */
export async function checkClock(database: OpenDatabase | undefined): Promise<Finding> {
  if (!database) return { status: 'notEvaluated', detail: 'no database to compare with' };
  const before = Date.now();
  const now = await readClock(database.db);
  const after = Date.now();
  const difference = Math.round(now.getTime() - (before + after) / 2);
  if (Math.abs(difference) > MAX_CLOCK_DIFFERENCE_MS + (after - before)) {
    throw new Error(`this machine and the database are ${difference} ms apart`);
  }
  const detail = `${new Date(after).toISOString()}, ${Math.abs(difference)} ms from the database`;
  if ((await isSynchronised()) !== false) return { status: 'ok', detail };
  return { status: 'warning', detail: `${detail}; not synchronised`, mend: SYNCHRONISE };
}

/** Undefined if it cannot be determined. */
async function isSynchronised(): Promise<boolean | undefined> {
  try {
    const { stdout } = await promisify(execFile)('timedatectl', ['show', '-p', 'NTPSynchronized', '--value']);
    return stdout.trim() === 'yes';
  } catch {
    return undefined;
  }
}
