// The checks of `likeness doctor`. Each tests the real part, in the environment that the service would run in.
import { createLogger } from '../base/log.ts';
import { explainFullDisk } from '../composition/data-dir.ts';
import type { Config } from '../config/config.ts';
import { findConfinement } from '../confined/confinement.ts';
import { mediaTool, type Program } from '../confined/program.ts';
import { DEFAULT_SETTINGS } from '../evaluation/settings.ts';
import { DECODER } from '../pictures/decode-picture.ts';
import { type OpenDatabase, openDatabase } from '../storage/open-database.ts';
import { checkAssets, mendAssets } from './assets.ts';
import { type Check, check, type Finding, messageOf } from './check.ts';
import { checkClock, SYNCHRONISE } from './clock.ts';
import { checkConsole } from './console.ts';
import { checkServer } from './database.ts';
import { checkDecoder, checkFfmpeg } from './decoder.ts';
import { checkErasure } from './erasure.ts';
import { checkLiveness } from './liveness.ts';
import { checkMasterKey } from './master-key.ts';
import { checkModels, checkPad, checkRecogniser, describeNetworks } from './models.ts';

const SET_UP = 'npm run setup';

/**
 * Runs every check, even if others fail; one is that the configuration can be read. Starts the embedded database for
 * the duration if it is not running.
 */
export async function runDiagnosis(read: () => Config): Promise<Check[]> {
  const ffmpeg = await check('ffmpeg', checkFfmpeg, 'apt-get update && apt-get install -y ffmpeg');
  let config: Config;
  try {
    config = read();
  } catch (error) {
    const mend = 'correct the environment variables named above; src/config/ lists every one';
    return [{ name: 'configuration', status: 'failed', detail: messageOf(error), mend }, ffmpeg];
  }
  return [
    { name: 'configuration', status: 'ok', detail: `${config.MODE}, region ${config.REGION}` },
    ffmpeg,
    await checkReach('decoder', config, mediaTool(DEFAULT_SETTINGS.video.ffmpegPath)),
    await checkReach('picture decoder', config, DECODER),
    ...(await checkModelParts(config)),
    { name: 'liveness', ...checkLiveness(config) },
    ...(await checkDatabaseParts(config)),
  ];
}

const checkReach = (name: string, config: Config, program: Program) =>
  check(
    name,
    async () => checkDecoder(config, await findConfinement(program)),
    'see docs/operations/decoder.md',
  );

async function checkModelParts(config: Config): Promise<Check[]> {
  return [
    await check('models', () => checkModels(config), SET_UP),
    await check(
      'recogniser',
      () => checkRecogniser(config),
      `see docs/recognition.md: correct RECOGNISER_PACK (for an included pack: ${SET_UP}), or calibrate the pack with likeness bench recognition`,
    ),
    await check(
      'PAD',
      () => checkPad(config),
      `see docs/liveness.md: correct PAD_PACK (for an included pack: ${SET_UP})`,
    ),
    ...(await describeNetworks(config)),
  ];
}

async function checkDatabaseParts(config: Config): Promise<Check[]> {
  const log = createLogger({ level: 'silent', process: 'doctor' });
  const mend = config.DATABASE_URL
    ? 'make DATABASE_URL reachable from this machine, with a user that may create tables'
    : `check ${config.dataDir}/postgres/cluster/server.log, and whether the disk is full; choose another DATA_DIR, or set DATABASE_URL`;
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
      'set MASTER_KEY to the key with which this database was created; without it nothing in it can be opened',
    ),
    await check('clock', () => checkClock(database), SYNCHRONISE),
    await check('erasure', () => checkErasure(database), 'see the database above'),
    await check('console', () => checkConsole(config, database), 'see the database above'),
  );
  await database?.close();
  return results;
}
