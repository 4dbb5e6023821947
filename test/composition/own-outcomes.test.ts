// Section 3 of the assurance report over a database that answers too slowly: it says what was not counted, and never 0.
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { countOwn } from '../../src/composition/own-outcomes.ts';
import { createConsoleStore } from '../../src/console/tables/store.ts';
import type { Custody } from '../../src/keys/account-keys.ts';
import { createDatabase } from '../../src/storage/postgres/database.ts';
import { createTestDatabase } from '../support/database.ts';

/** Nothing is opened: no row is read. */
const CUSTODY = {} as Custody;

it('has null in place of what takes longer than a statement may', async () => {
  const database = await createTestDatabase();
  const impatient = createDatabase(database.url, { statementTimeoutMs: 50 });
  const lock = await database.db.startTransaction().execute();
  try {
    await sql`lock table challenge in access exclusive mode`.execute(lock);
    expect(await countOwn(createConsoleStore(impatient), CUSTODY, null)).toMatchObject({
      rates: null,
      sent_back: null,
      spreads: { measured: null },
      sealed: null,
    });
  } finally {
    await lock.rollback().execute();
    await impatient.destroy();
    await database.drop();
  }
});
