// The console's queries across accounts, its changes to accounts, and its audit log.

import { changeAccount } from '../../keys/tables/account-store.ts';
import { writeAudit } from '../../storage/postgres/audit.ts';
import type { Database } from '../../storage/postgres/database.ts';
import type { ConsoleStore } from '../store.ts';
import { challengeReadings } from './challenges.ts';
import { deliveryReadings } from './deliveries.ts';
import { countDays, countHeld, readFigures } from './figures.ts';

export function createConsoleStore(db: Database): ConsoleStore {
  return {
    ...challengeReadings(db),
    ...deliveryReadings(db),
    listAudit: async (beforeId, limit) => {
      let select = db.selectFrom('audit').selectAll().orderBy('id', 'desc').limit(limit);
      if (beforeId) select = select.where('id', '<', Number(beforeId));
      const rows = await select.execute();
      return rows.map(({ id, at, ...rest }) => ({ id: String(id), at: at.toISOString(), ...rest }));
    },
    readFigures: () => readFigures(db),
    countDays: () => countDays(db),
    countHeld: () => countHeld(db),
    changeAccount: (accountId, change, actor) =>
      db.transaction().execute((trx) => changeAccount(trx, accountId, change, actor)),
    audit: (entry) => writeAudit(db, entry),
  };
}
