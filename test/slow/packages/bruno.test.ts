// The collection of examples/bruno, run from its first request to its last by Bruno's own command in the sandbox, beside
// the example's receiver. The command is 140 MB that nothing else needs, so only this test installs it.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { installPackages } from '../../support/own-packages.ts';
import {
  newDataDir,
  type RunningService,
  removeDataDir,
  startService,
} from '../../support/running-service.ts';

const ROOT = resolve(import.meta.dirname, '..', '..', '..');
const INSTALLED = join(ROOT, 'build', 'bruno');
const COLLECTION = join(ROOT, 'examples', 'bruno');
const TIMEOUT_MS = 300_000;

/** Whether the command is there; without a registry it cannot be installed, which CI does not let pass. */
const canRun = (() => {
  try {
    installPackages(join(import.meta.dirname, 'bruno'), INSTALLED);
    return true;
  } catch (error) {
    if (process.env.CI) throw error;
    return false;
  }
})();

interface Outcome {
  readonly results: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string; readonly lhsExpr: string }[];
  }[];
}

describe.skipIf(!canRun)(`the collection${canRun ? '' : ' (skipped: Bruno cannot be installed)'}`, () => {
  const dataDir = newDataDir();
  const folder = mkdtempSync(join(tmpdir(), 'likeness-bruno-'));
  const collection = join(folder, 'collection');
  let service: RunningService;
  let receiver: ChildProcess;
  let port: number;

  beforeAll(async () => {
    cpSync(COLLECTION, collection, { recursive: true });
    service = await startService({ dataDir });
    port = await freePort();
    const env = { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: String(port), LIKENESS_SANDBOX: '1' };
    receiver = spawn(process.execPath, ['examples/receiver/server.js'], { cwd: ROOT, env });
    // It says that it is ready.
    await once(receiver.stdout!, 'data');
  }, TIMEOUT_MS);
  afterAll(async () => {
    receiver?.kill();
    await service?.stop();
    removeDataDir(dataDir);
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs the collection; a request that fails is in its report. */
  async function run(apiKey: string): Promise<Outcome['results']> {
    const report = join(folder, 'report.json');
    const variables = {
      base_url: service.url,
      receiver_url: `http://127.0.0.1:${port}`,
      api_key: apiKey,
    };
    const given = Object.entries(variables).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]);
    const bru = join(INSTALLED, 'node_modules', '@usebruno', 'cli', 'bin', 'bru.js');
    const args = [
      bru,
      'run',
      '--sandbox',
      'developer',
      '--env',
      'local',
      ...given,
      '--output',
      report,
      '--format',
      'json',
    ];
    await promisify(execFile)(process.execPath, args, { cwd: collection }).catch(() => undefined);
    const [outcome] = JSON.parse(readFileSync(report, 'utf8')) as Outcome[];
    return outcome!.results;
  }

  it(
    'is a walk: each request takes its ids from an earlier answer, and every assertion holds',
    async () => {
      const results = await run(service.credentials.sandbox_api_key);
      const failed = results.flatMap(({ name, assertionResults }) =>
        assertionResults
          .filter(({ status }) => status !== 'pass')
          .map(({ lhsExpr }) => `${name}: ${lhsExpr}`),
      );
      expect(failed).toEqual([]);
      expect(results.map(({ status }) => status)).toEqual(results.map(() => 'pass'));
      expect(results.every(({ assertionResults }) => assertionResults.length > 0)).toBe(true);
      expect(results).toHaveLength(17);
    },
    TIMEOUT_MS,
  );

  it(
    'notices a service that answers otherwise',
    async () => {
      const [first] = await run('lk_test_wrong');
      expect(first!.assertionResults.map(({ status }) => status)).toContain('fail');
    },
    TIMEOUT_MS,
  );
});
