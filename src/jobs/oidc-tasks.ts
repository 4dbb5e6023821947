// Periodic work of the OpenID Provider. Thin: src/oidc does the work. What is past its time is deleted whether or not the
// provider is on, so that nothing stays behind where it was switched off.
import { repeatInBatches } from '../base/repeat-in-batches.ts';
import type { LoginStore, RecordStore } from '../oidc/ports.ts';
import type { SigningKeys } from '../oidc/signing-keys.ts';
import type { PeriodicTask } from './sweep.ts';

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

/** Of services that are a login: makes the next key in time, and removes those whose time is over. */
export const signingKeyTask = (keys: Pick<SigningKeys, 'keep'>): PeriodicTask => ({
  name: 'keep OpenID keys',
  everyMs: KEYS_EVERY_MS,
  run: () => keys.keep(),
});
