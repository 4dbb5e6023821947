// Periodic work of the OpenID Provider; src/oidc does the work. Expired data is deleted whether or not the provider is
// on, so that none is left after it is switched off.
import { repeatInBatches } from '../base/repeat-in-batches.ts';
import type { PeriodicTask } from '../jobs/sweep.ts';
import type { SigningKeys } from './signing-keys.ts';
import type { LoginStore, RecordStore } from './tables/records.ts';

const BATCH = 500;
const EXPIRED_EVERY_MS = 60_000;
const KEYS_EVERY_MS = 10 * 60_000;

export function oidcTasks(records: RecordStore, logins: LoginStore): PeriodicTask[] {
  return [
    {
      name: 'delete OpenID records',
      everyMs: EXPIRED_EVERY_MS,
      run: () => repeatInBatches(BATCH, () => records.deleteExpired(BATCH)),
    },
    {
      name: 'delete OpenID logins',
      everyMs: EXPIRED_EVERY_MS,
      run: () => repeatInBatches(BATCH, () => logins.deleteExpired(BATCH)),
    },
  ];
}

/** For services that act as a login: makes the next key in time, and removes expired ones. */
export const signingKeyTask = (keys: Pick<SigningKeys, 'keep'>): PeriodicTask => ({
  name: 'keep OpenID keys',
  everyMs: KEYS_EVERY_MS,
  run: () => keys.keep(),
});
