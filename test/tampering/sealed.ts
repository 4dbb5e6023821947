// What a row says of one kind of sealed thing: how the service's own code seals it, where it belongs, and how it is
// opened.
import { type RawBuilder, sql } from 'kysely';
import type { KeyHolder } from '../../src/keys/account-keys.ts';
import type { Database } from '../../src/storage/postgres/database.ts';
import type { Rig } from '../challenge/challenge-rig.ts';

/** Something that the service has sealed. */
export interface Sealed {
  readonly bytes: Buffer;
  /** Whose key sealed it. */
  readonly holder: KeyHolder;
  /** What the seal is bound to. */
  readonly place: string;
  /** Opens these bytes in place of its own, as the service does. Nothing, or a broken seal, if it refuses them. */
  open(bytes: Uint8Array): Promise<unknown>;
}

export interface Row {
  seal(rig: Rig): Promise<Sealed>;
  /** Whether each one is opened only once. */
  readonly once?: true;
}

/** Rows by the purpose for which they are sealed. */
export type Rows = Readonly<Record<string, Row>>;

/** A sealed column: the bytes are put into its row, and the service reads that. */
export async function inColumn(
  db: Database,
  [table, column]: readonly [string, string],
  isRow: RawBuilder<unknown>,
  read: () => Promise<unknown>,
): Promise<Pick<Sealed, 'bytes' | 'open'>> {
  const [at, name] = [sql.table(table), sql.ref(column)];
  const { rows } = await sql<{ bytes: Buffer }>`select ${name} as bytes from ${at} where ${isRow}`.execute(
    db,
  );
  return {
    bytes: rows[0]!.bytes,
    open: async (bytes) => {
      await sql`update ${at} set ${name} = ${Buffer.from(bytes)} where ${isRow}`.execute(db);
      return read();
    },
  };
}
