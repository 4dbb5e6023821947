// A fresh, migrated database for one test file.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { createDatabase, type Database } from '../../src/storage/postgres/database.ts';

export interface TestDatabase {
  readonly url: string;
  readonly db: Database;
  /** Closes the pool and drops the database, even if others are still connected to it. */
  drop(): Promise<void>;
}

/** Copies the migrated template. Call in `beforeAll`, and `drop` in `afterAll`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = inject('postgresUrl');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(serverUrl, `create database ${name} template template_migrated strategy file_copy`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const db = createDatabase(url.href);
  return {
    url: url.href,
    db,
    drop: async () => {
      await db.destroy();
      await administer(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

async function administer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
