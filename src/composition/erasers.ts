// How each erasure that the audit log records is repeated in a database that was restored from an older backup.
import { createFeatidStore } from '../featid/tables/store.ts';
import { OPERATOR } from '../keys/principal.ts';
import { createSubjectStore } from '../oidc/tables/subjects.ts';
import { createPasskeyStore } from '../passkeys/tables/store.ts';
import type { Erasure } from '../storage/postgres/audit.ts';
import type { Foundation } from './foundation.ts';
import type { Services } from './services.ts';

/** Repeats an erasure; false if there was nothing left to erase. */
type Eraser = (
  parts: Pick<Services, 'challengeParts'> & Pick<Foundation, 'database'>,
  erasure: Omit<Erasure, 'at'>,
) => Promise<boolean>;

/** By the action of the audit line. */
export const ERASERS: Readonly<Record<string, Eraser>> = {
  // The sweep deletes the files of its assets.
  'challenge.erased': async ({ challengeParts }, { accountId, subject }) =>
    (await challengeParts.store.erase(accountId, subject, OPERATOR)) !== null,
  'featid.revoked': ({ database }, { accountId, subject }) =>
    createFeatidStore(database.db).revoke(accountId, subject, OPERATOR),
  'device.erased': ({ database }, { accountId, subject }) =>
    createPasskeyStore(database.db).erase(accountId, subject, OPERATOR),
  'oidc_subject.erased': ({ database }, { subject }) =>
    createSubjectStore(database.db).erase(subject, OPERATOR),
};
