// What the console reads across accounts, its changes to accounts, and its audit log.

import type { AccountChange, ConsoleAuditLine } from '../../contract/console.ts';
import type { ConsoleScope } from '../../contract/console-overview.ts';
import { listMadeBy } from '../../featid/tables/made-by.ts';
import { changeAccount } from '../../keys/tables/account-store.ts';
import { type AuditEntry, writeAudit } from '../../storage/postgres/audit.ts';
import type { Database } from '../../storage/postgres/database.ts';
import { listAudit } from './audit-lines.ts';
import { challengeReadings } from './challenges.ts';
import { deliveryReadings } from './deliveries.ts';
import { countDays, countHeld, countWaiting, readFigures } from './figures.ts';
import { countOutcomes, countSentBack, listTried, type Recordings } from './outcomes.ts';
import { countRecentOutcomes } from './recent-outcomes.ts';

export type ConsoleStore = ReturnType<typeof createConsoleStore>;

/** Every method is one database access; nothing is unsealed here. */
export function createConsoleStore(db: Database) {
  return {
    ...challengeReadings(db),
    ...deliveryReadings(db),
    /** Newest first. */
    listAudit: (beforeId: string | null, limit: number): Promise<ConsoleAuditLine[]> =>
      listAudit(db, beforeId, limit),
    listMadeBy: (challengeIds: readonly string[]) => listMadeBy(db, challengeIds),
    readFigures: (scope?: ConsoleScope) => readFigures(db, scope),
    countDays: (scope?: ConsoleScope) => countDays(db, scope),
    countWaiting: () => countWaiting(db),
    countRecentOutcomes: (scope: ConsoleScope) => countRecentOutcomes(db, scope),
    countHeld: () => countHeld(db),
    countOutcomes: (since: Date | null) => countOutcomes(db, since),
    countSentBack: (since: Date | null) => countSentBack(db, since),
    listTried: (kind: Recordings, since: Date | null, limit: number) => listTried(db, kind, since, limit),
    changeAccount: (accountId: string, change: AccountChange, actor: string) =>
      db.transaction().execute((trx) => changeAccount(trx, accountId, change, actor)),
    /** Writes an audit line for a view (`best_frame.viewed`) or a sign-in (`console.login`). No personal data. */
    audit: (entry: AuditEntry) => writeAudit(db, entry),
  };
}
