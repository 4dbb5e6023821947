// Vitest's global set-up: one embedded PostgreSQL per run, in a folder of its own, with a migrated template database
// from which each test file gets a fresh copy (test/support/database.ts). TEST_POSTGRES_URL names a database of another
// server to use instead, such as one of the oldest supported version. Throw that server away after the run.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { createLogger } from '../../src/base/log.ts';
import { startEmbeddedPostgres } from '../../src/storage/embedded/server.ts';
import { migrateDatabase } from '../../src/storage/postgres/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the test server; its database `template_migrated` is the template. */
    postgresUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'likeness-test-'));
  // The server runs as a different user when the tests run as root.
  await chmod(dataDir, 0o755);
  const given = process.env.TEST_POSTGRES_URL;
  const server = given
    ? { connectionString: given, stop: async () => {} }
    : await startEmbeddedPostgres({ dataDir, log: createLogger({ level: 'warn', process: 'test' }) });
  const admin = new pg.Client({ connectionString: server.connectionString });
  await admin.connect();
  // Test databases need not survive a power cut; tests that kill their server have one of their own.
  for (const setting of ['fsync', 'full_page_writes']) await admin.query(`alter system set ${setting} = off`);
  await admin.query('select pg_reload_conf()');
  await admin.query('create database template_migrated');
  await admin.end();
  const template = new URL(server.connectionString);
  template.pathname = '/template_migrated';
  await migrateDatabase(template.href);
  project.provide('postgresUrl', server.connectionString);
  return async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
