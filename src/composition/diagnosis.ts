// The checks of `likeness doctor`: each tries the real thing, in the environment that the service would run in.
import { execFile } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { Fault } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { createLogger } from '../base/log.ts';
import { collectBytes } from '../base/sized-bytes.ts';
import type { Config } from '../config.ts';
import type { MasterKeys } from '../keys/master-key-ring.ts';
import { describeSource, openMasterKeys } from '../keys/master-key-source.ts';
import { readConfig } from '../read-config.ts';
import { diskFolder, openBlobStore, openMarkedBlobs } from '../storage/assets/open-blob-store.ts';
import { type OpenDatabase, openDatabase } from '../storage/open-database.ts';
import { createStoreMarks } from '../storage/postgres/asset-store-marks.ts';
import { DEFAULT_QUOTA_SHARE } from '../storage/storage-room.ts';
import type { Check, Finding } from './check.ts';
import { explainFullDisk } from './data-dir.ts';
import { checkDecoder } from './decoder-check.ts';
import { checkErasure } from './erasure-diagnosis.ts';
import { checkLiveness } from './liveness-diagnosis.ts';
import { checkModels, checkPad, checkRecogniser, describeNetworks } from './models-diagnosis.ts';

/** Below this a few thousand videos fill the disk. */
const LOW_DISK_BYTES = 2_000_000_000;
const SET_UP = 'npm run setup';
const FREE_SPACE = 'free some space, or move DATA_DIR to a larger disk';
/** Asset links, expiry and webhook signatures are in seconds; Standard Webhooks receivers allow five minutes. */
const MAX_CLOCK_DIFFERENCE_MS = 2_000;

/** Runs every check, also when others fail. Starts the embedded database for the duration if it is not running. */
export async function runDiagnosis(environment: NodeJS.ProcessEnv): Promise<Check[]> {
  const ffmpeg = await check('ffmpeg', checkFfmpeg, 'apt-get update && apt-get install -y ffmpeg');
  let config: Config;
  try {
    config = readConfig(environment);
  } catch (error) {
    const mend = 'correct the environment variables that are named; the documentation lists every one';
    return [{ name: 'configuration', status: 'failed', detail: messageOf(error), mend }, ffmpeg];
  }
  const configuration: Check = {
    name: 'configuration',
    status: 'ok',
    detail: `${config.MODE}, region ${config.REGION}`,
  };
  const decoder = await check('decoder', () => checkDecoder(config), 'see docs/operations/decoder.md');
  const models = await check('models', () => checkModels(config), SET_UP);
  const recogniser = await check(
    'recogniser',
    () => checkRecogniser(config),
    `see docs/recognition.md: correct RECOGNISER_PACK (a pack in the box: ${SET_UP}), or calibrate the pack with likeness bench recognition`,
  );
  const pad = await check(
    'PAD',
    () => checkPad(config),
    `see docs/liveness.md: correct PAD_PACK (a pack in the box: ${SET_UP})`,
  );
  const networks = await describeNetworks(config);
  const liveness: Check = { name: 'liveness', ...checkLiveness(config) };
  const console: Check = { name: 'console', ...checkConsole(config) };
  const ofModels = [models, recogniser, pad, ...networks];
  return [
    configuration,
    ffmpeg,
    decoder,
    ...ofModels,
    liveness,
    console,
    ...(await checkDatabaseParts(config)),
  ];
}

async function checkDatabaseParts(config: Config): Promise<Check[]> {
  const log = createLogger({ level: 'silent', process: 'doctor' });
  const mend = config.DATABASE_URL
    ? 'make DATABASE_URL reachable from this machine, with a user who may create tables'
    : `see ${config.dataDir}/postgres/cluster/server.log, and whether the disk is full; choose another DATA_DIR, or set DATABASE_URL`;
  let database: OpenDatabase | undefined;
  const open = async (): Promise<Finding> => {
    const options = { maxConnections: 2, applicationName: 'likeness doctor' };
    database = await openDatabase(config, log, options).catch(async (error) => {
      throw await explainFullDisk(config, error);
    });
    return checkServer(database);
  };
  const results = [await check('database', open, mend)];
  results.push(
    await check('asset store', () => checkAssets(config, database), mendAssets(config)),
    await check(
      'master key',
      () => checkMasterKey(config, database),
      'set MASTER_KEY to the key that this database was made with; without it nothing in it can be opened',
    ),
    await check(
      'clock',
      () => checkClock(database),
      'switch time synchronisation on, e.g. timedatectl set-ntp true',
    ),
    await check('erasure', () => checkErasureOn(database), 'see the database above'),
  );
  await database?.close();
  return results;
}

async function checkFfmpeg(): Promise<Finding> {
  const { stdout } = await promisify(execFile)('ffmpeg', ['-hide_banner', '-version']);
  return { status: 'ok', detail: stdout.split(' Copyright')[0]! };
}

async function checkAssets(config: Config, database: OpenDatabase | undefined): Promise<Finding> {
  // Only the database knows whether it is its own store.
  const blobs = database ? openMarkedBlobs(config, createStoreMarks(database.db)) : openBlobStore(config);
  await blobs.check();
  const [id, bytes] = [newId('asset'), Buffer.from('likeness doctor')];
  await blobs.write(id, bytes);
  const stored = await blobs.read(id);
  const same = stored && (await collectBytes(stored)).equals(bytes);
  await blobs.remove(id);
  if (!same) throw new Fault('ASSET_STORE_FAILED', 'what was written did not come back');
  if (config.ASSET_STORE !== 'disk') return { status: 'ok', detail: `${config.ASSET_STORE} is writable` };
  const { bavail, bsize, blocks } = await statfs(diskFolder(config) ?? config.dataDir);
  const [free, size] = [bavail * bsize, blocks * bsize];
  const quota = config.ACCOUNT_STORAGE_BYTES ?? size * DEFAULT_QUOTA_SHARE;
  const detail = `${config.dataDir} is writable, ${gigabytes(free)} free; one account may fill ${gigabytes(quota)}`;
  const mend = FREE_SPACE;
  if (free < config.MIN_FREE_DISK_BYTES) {
    const least = gigabytes(config.MIN_FREE_DISK_BYTES);
    return { status: 'failed', detail: `${detail}; below ${least} no video is taken`, mend };
  }
  return free >= LOW_DISK_BYTES ? { status: 'ok', detail } : { status: 'warning', detail, mend };
}

/** Anyone who gets into the console sees every account's results and videos. */
function checkConsole(config: Config): Finding {
  if (!config.CONSOLE_PASSWORD) return { status: 'ok', detail: 'off' };
  const isPublic = config.CONSOLE_PORT === 0;
  const place = isPublic
    ? `at ${config.baseUrl}/console`
    : `at ${config.CONSOLE_HOST}:${config.CONSOLE_PORT}`;
  const factor = config.CONSOLE_TOTP_SECRET ? 'with a second factor' : 'by a password alone';
  const detail = `${place}, ${factor}`;
  if (config.CONSOLE_TOTP_SECRET || config.MODE === 'development') return { status: 'ok', detail };
  const mend = 'make a second factor with likeness console new-totp-secret, and set CONSOLE_PORT';
  return { status: 'warning', detail, mend };
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

async function checkServer({ db }: OpenDatabase): Promise<Finding> {
  const { rows } = await sql<{ version: string; fsync: string; commits: string }>`
    select current_setting('server_version') as version, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as commits`.execute(db);
  const { version, fsync, commits } = rows[0]!;
  const detail = `PostgreSQL ${version}, migrated`;
  if (fsync === 'on' && commits !== 'off') return { status: 'ok', detail };
  const mend = 'set fsync and synchronous_commit to on: a power cut would lose acknowledged challenges';
  return { status: 'warning', detail: `${detail}, fsync ${fsync}, synchronous_commit ${commits}`, mend };
}

async function checkMasterKey(config: Config, database: OpenDatabase | undefined): Promise<Finding> {
  const masterKeys = await openMasterKeys(config);
  const source = describeSource(config);
  if (!database)
    return { status: 'notEvaluated', detail: `${source} is well-formed; no database to try it on` };
  const opened = await openAnAccount(database, masterKeys);
  return { status: 'ok', detail: opened ? `${source} opens the accounts` : `${source}; no accounts yet` };
}

/** Tries one account of every master key that wraps any. */
async function openAnAccount({ db }: OpenDatabase, masterKeys: MasterKeys): Promise<boolean> {
  const rows = await db
    .selectFrom('account')
    .distinctOn('master_key_id')
    .select(['id', 'wrapped_key', 'master_key_id'])
    .orderBy('master_key_id')
    .execute();
  for (const row of rows) {
    await masterKeys.unwrap(row.id, { wrapped: row.wrapped_key, masterKeyId: row.master_key_id });
  }
  return rows.length > 0;
}

async function checkClock(database: OpenDatabase | undefined): Promise<Finding> {
  if (!database) return { status: 'notEvaluated', detail: 'no database to compare with' };
  const before = Date.now();
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database.db);
  const after = Date.now();
  const difference = Math.round(rows[0]!.now.getTime() - (before + after) / 2);
  if (Math.abs(difference) > MAX_CLOCK_DIFFERENCE_MS + (after - before)) {
    throw new Error(`this machine and the database are ${difference} ms apart`);
  }
  const detail = `${new Date(after).toISOString()}, ${Math.abs(difference)} ms from the database`;
  if ((await isSynchronised()) !== false) return { status: 'ok', detail };
  const mend = 'switch time synchronisation on, e.g. timedatectl set-ntp true';
  return { status: 'warning', detail: `${detail}; not synchronised`, mend };
}

async function checkErasureOn(database: OpenDatabase | undefined): Promise<Finding> {
  return database ? checkErasure(database.db) : { status: 'notEvaluated', detail: 'no database to ask' };
}

/** Undefined when it cannot be determined. */
async function isSynchronised(): Promise<boolean | undefined> {
  try {
    const { stdout } = await promisify(execFile)('timedatectl', ['show', '-p', 'NTPSynchronized', '--value']);
    return stdout.trim() === 'yes';
  } catch {
    return undefined;
  }
}

async function check(name: string, run: () => Promise<Finding>, mend: string): Promise<Check> {
  try {
    return { name, ...(await run()) };
  } catch (error) {
    return { name, status: 'failed', detail: messageOf(error), mend: isDiskFull(error) ? FREE_SPACE : mend };
  }
}

function mendAssets(config: Config): string {
  return config.ASSET_STORE === 'disk'
    ? `make ${config.dataDir} writable for this user, or choose another DATA_DIR`
    : 'check bucket, S3_ENDPOINT, and the credentials (AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a role)';
}

/** The store's faults carry the system's error as their cause. */
function isDiskFull(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: string; cause?: { code?: string } };
  return code === 'ENOSPC' || cause?.code === 'ENOSPC';
}

function messageOf(error: unknown): string {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'not found on the PATH';
  return error instanceof Error ? error.message : String(error);
}
