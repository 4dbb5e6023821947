// Backup and restore as docs/operations/backup-and-restore.md has them, on PostgreSQL from Debian and with its programs:
// the commands and the grants are read from that page.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { erasuresCommand } from '../../../src/cli/erasures.ts';
import { composeServices } from '../../../src/composition/services.ts';
import { withFoundation } from '../../../src/composition/with-foundation.ts';
import { readErasureFacts } from '../../../src/keys/tables/erasure-facts.ts';
import { runCommand } from '../../support/command-line.ts';
import { freePort } from '../../support/free-port.ts';

const PROGRAMS = '/usr/lib/postgresql';
const PAGE = readFileSync(
  join(import.meta.dirname, '../../../docs/operations/backup-and-restore.md'),
  'utf8',
).replaceAll(/\s+/g, ' ');
/** The first with the roles that the page grants. */
const OLDEST = 15;

/** Folder of the newest installed programs; null if there are none. */
function findPrograms(): string | null {
  try {
    const newest = Math.max(...readdirSync(PROGRAMS).map(Number).filter(Number.isFinite));
    const bin = join(PROGRAMS, String(newest), 'bin');
    const has = readdirSync(bin);
    return newest >= OLDEST && ['initdb', 'postgres', 'pg_dump'].every((name) => has.includes(name))
      ? bin
      : null;
  } catch {
    return null;
  }
}
const bin = findPrograms();
const why = bin ? '' : ` (skipped: no PostgreSQL of Debian's in ${PROGRAMS})`;

/** What the page has between back quotes and begins so. */
function commandOf(start: string): string {
  const found = [...PAGE.matchAll(/`([^`]+)`/g)].map(([, command]) => command!);
  return found.find((command) => command.startsWith(start))!;
}

/** A server of Debian's, with a database `likeness` of a user `likeness`, in a folder that the user can write to. */
async function startServer(programs: string) {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-restore-'));
  // PostgreSQL does not run as root.
  const owner =
    userInfo().uid === 0
      ? { uid: idOf('-u'), gid: idOf('-g') }
      : { uid: userInfo().uid, gid: userInfo().gid };
  chmodSync(folder, 0o755);
  const data = join(folder, 'data');
  execFileSync('install', ['-d', '-m', '700', '-o', String(owner.uid), '-g', String(owner.gid), data]);
  chownSync(folder, owner.uid, owner.gid);
  const options = { ...owner, cwd: folder };
  execFileSync(join(programs, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-N'], options);
  const port = await freePort();
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    `port=${port}`,
    'fsync=off',
  ].flatMap((setting) => ['-c', setting]);
  const server = spawn(join(programs, 'postgres'), ['-D', data, ...settings], {
    ...options,
    stdio: 'ignore',
  });
  const where = { PGHOST: '127.0.0.1', PGPORT: String(port), PGUSER: 'postgres' };
  const shell = (line: string, more: object = {}) =>
    execFileSync('/bin/sh', ['-c', line], {
      cwd: folder,
      env: { ...where, PATH: `${programs}:${process.env.PATH}`, ...more },
      stdio: 'pipe',
      timeout: 60_000,
    });
  shell('until pg_isready -q; do sleep 0.1; done');
  const urlOf = (user: string, database: string) => `postgres://${user}@127.0.0.1:${port}/${database}`;
  const asAdmin = async (database: string, ...statements: string[]) => {
    const client = new pg.Client({ connectionString: urlOf('postgres', database) });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  await asAdmin('postgres', 'create role likeness login');
  await asAdmin('postgres', 'create database likeness owner likeness');
  return {
    folder,
    urlOf,
    asAdmin,
    /** Runs a line as an administrator types it. */
    shell: (line: string, url: string) => shell(line, { DATABASE_URL: url }),
    stop: async () => {
      const ended = once(server, 'exit');
      server.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const idOf = (which: string) => Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }));

describe.skipIf(!bin)(`a backup of a PostgreSQL with the documented grants${why}`, () => {
  let server: Awaited<ReturnType<typeof startServer>>;
  beforeAll(async () => {
    server = await startServer(bin!);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await server?.stop();
  });

  const facts = () => withFoundation(({ database }) => readErasureFacts(database.db));
  const grants = commandOf('grant pg_checkpoint');

  it('is restored by the documented commands, and forgets again what was erased since', async () => {
    const [url, restoredUrl] = ['likeness', 'likeness_restored'].map((name) =>
      server.urlOf('likeness', name),
    ) as [string, string];
    const dataDir = mkdtempSync(join(tmpdir(), 'likeness-restored-'));
    vi.stubEnv('MODE', 'development');
    vi.stubEnv('BASE_URL', '');
    vi.stubEnv('DATABASE_URL', url);
    vi.stubEnv('DATA_DIR', dataDir);
    vi.stubEnv('LOG_LEVEL', 'silent');
    try {
      await server.asAdmin('likeness', grants);
      const made = await withFoundation(async (foundation) => {
        const account = await foundation.accounts.create({ name: 'shop' }, 'test');
        if (account.status !== 'created') throw new Error(account.status);
        const caller = { accountId: account.accountId, actor: 'test', sandbox: false };
        const services = composeServices(foundation);
        const body = { liveness_only: true, customer_reference: 'kept' };
        const ids: string[] = [];
        for (let count = 0; count < 2; count++) {
          const outcome = await services.challenges.create(caller, { body });
          if (outcome.status === 'created') ids.push(outcome.response.challenge_id);
        }
        await services.close();
        return { caller, ids };
      });
      expect((await facts()).mayDropLog).toBe(true);
      server.shell(`${commandOf('pg_dump -Fc')} "$DATABASE_URL" > likeness.dump`, url);
      await withFoundation(async (foundation) => {
        const services = composeServices(foundation);
        await services.challenges.erase(made.caller, made.ids[0]!);
        await services.close();
      });
      const erasures = join(dataDir, 'erasures.txt');
      const list = await runCommand([erasuresCommand()], ['erasures', 'list']);
      execFileSync('tee', [erasures], { input: list });

      server.shell(commandOf('createdb'), restoredUrl);
      vi.stubEnv('DATABASE_URL', restoredUrl);
      // Privileges on a function of the system are a database's own.
      expect((await facts()).mayDropLog).toBe(false);
      await server.asAdmin('likeness_restored', grants);
      expect((await facts()).mayDropLog).toBe(true);
      await runCommand([erasuresCommand()], ['erasures', 'replay', erasures]);
      const read = await withFoundation(async (foundation) => {
        const services = composeServices(foundation);
        const outcomes = [];
        for (const id of made.ids) outcomes.push(await services.challenges.read(made.caller, id));
        await services.close();
        return outcomes;
      });
      expect(read).toMatchObject([
        { status: 'not_found' },
        { status: 'ok', result: { customer_reference: 'kept' } },
      ]);
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});
