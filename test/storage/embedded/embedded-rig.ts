// One embedded server that its tests share: how it is started, asked, and looked at from outside.
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createLogger } from '../../../src/base/log.ts';
import { startEmbeddedPostgres } from '../../../src/storage/embedded/server.ts';

export const log = createLogger({ level: 'silent', process: 'test' });

export interface EmbeddedRig {
  readonly dataDir: string;
  start(): ReturnType<typeof startEmbeddedPostgres>;
  /** Pid of the server, running or not, by its pid file. */
  serverPid(): Promise<number>;
  isRunning(): Promise<boolean>;
  remove(): Promise<void>;
}

/** Makes the folder of a server; nothing runs yet. */
export async function createEmbeddedRig(): Promise<EmbeddedRig> {
  const dataDir = await mkdtemp(join(tmpdir(), 'likeness-embedded-'));
  await chmod(dataDir, 0o755);
  const serverPid = async () => {
    const text = await readFile(join(dataDir, 'postgres', 'cluster', 'data', 'postmaster.pid'), 'utf8');
    return Number(text.split('\n')[0]);
  };
  return {
    dataDir,
    start: () => startEmbeddedPostgres({ dataDir, log }),
    serverPid,
    isRunning: async () => {
      try {
        process.kill(await serverPid(), 0);
        return true;
      } catch {
        return false;
      }
    },
    remove: () => rm(dataDir, { recursive: true }),
  };
}

export async function query(url: string, text: string): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
