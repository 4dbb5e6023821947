// One run, or one part of it: world, receiver, load, and, when the goals are met, the verification. Everything that a
// later part needs is in its folder.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLogger } from '../../src/base/log.ts';
import { deleteOrphanAssets } from '../../src/challenge/closing/retention.ts';
import { createSweepStore } from '../../src/challenge/tables/sweep-store.ts';
import { createDiskBlobs } from '../../src/storage/assets/disk-blobs.ts';
import { startEmbeddedPostgres } from '../../src/storage/embedded/server.ts';
import { createDatabase } from '../../src/storage/postgres/database.ts';
import { freePort } from '../support/free-port.ts';
import type { DevCredentials } from '../support/running-service.ts';
import { integrator } from './client.ts';
import { startFailingReceiver } from './failing-receiver.ts';
import { type Ledger, openLedger } from './ledger.ts';
import { type Goals, runLoad } from './load.ts';
import { type Check, verify } from './verify.ts';
import type { Takes } from './videos.ts';
import { startWorld, type World } from './world.ts';

export interface TortureOptions {
  readonly folder: string;
  readonly goals: Goals;
  readonly killEveryMs: number;
  /** Share of workers among the killed processes, 0–1. */
  readonly workerShare: number;
  /** Captures under way at once. */
  readonly captures: number;
  readonly uploadExpirySeconds: number;
  /** Videos for the scripts of `LIVENESS_LEVEL=quick`, `LIVENESS_PROMPTS=smile`; null if there are none. */
  readonly takes: Takes | null;
  /** Duration of this part's load. */
  readonly loadMs: number;
  readonly settleWithinMs: number;
}

export type TortureOutcome =
  | { readonly status: 'cut'; readonly ledger: Ledger; readonly judged: ReturnType<World['judged']> }
  | {
      readonly status: 'verified';
      readonly ledger: Ledger;
      readonly judged: ReturnType<World['judged']>;
      readonly quiet: boolean;
      readonly checks: Check[];
    };

const ENVIRONMENT = {
  LIVENESS_LEVEL: 'quick',
  LIVENESS_PROMPTS: 'smile',
};

/** Runs one part, and continues the folder's earlier parts. */
export async function torture(options: TortureOptions): Promise<TortureOutcome> {
  mkdirSync(options.folder, { recursive: true });
  // The database runs as another user when this runs as root.
  chmodSync(options.folder, 0o755);
  const startedAt = Date.now();
  const ports = await keptPorts(options.folder);
  const ledger = openLedger(join(options.folder, 'ledger.jsonl'));
  const world = await startWorld({ ...options, apiPorts: ports.api, environment: ENVIRONMENT, ledger });
  try {
    const credentials = readCredentials(world);
    const { api_key: apiKey, webhook_secret: webhookSecret } = credentials;
    const receiver = await startFailingReceiver({ port: ports.receiver, ledger, webhookSecret });
    try {
      const met = await runLoad({
        ...options,
        world,
        ledger,
        apiKey,
        receiverUrl: `http://127.0.0.1:${ports.receiver}/`,
        endAt: Date.now() + options.loadMs,
      });
      ledger.append({ kind: 'ran', seconds: Math.round((Date.now() - startedAt) / 1000) });
      if (!met) return { status: 'cut', ledger, judged: world.judged() };
      const verified = await verifyWorld(options, world, ledger, apiKey);
      return { status: 'verified', ledger, judged: world.judged(), ...verified };
    } finally {
      receiver.closeAllConnections();
      receiver.close();
    }
  } finally {
    await world.stop();
  }
}

/** The ports, which links and deliveries contain: the same in every part. */
async function keptPorts(folder: string): Promise<{ api: number[]; receiver: number }> {
  const file = join(folder, 'ports.json');
  if (!existsSync(file)) {
    const [first, second, receiver] = [await freePort(), await freePort(), await freePort()];
    writeFileSync(file, JSON.stringify({ api: [first, second], receiver }));
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}

function readCredentials(world: World): DevCredentials {
  return JSON.parse(readFileSync(join(world.dataDir, 'dev-credentials.json'), 'utf8'));
}

async function verifyWorld(options: TortureOptions, world: World, ledger: Ledger, apiKey: string) {
  // Joins the database's users, next to the processes, and adopts the running server.
  const log = createLogger({ level: 'silent', process: 'torture' });
  const postgres = await startEmbeddedPostgres({ dataDir: world.dataDir, log });
  const db = createDatabase(postgres.connectionString);
  const assetsFolder = join(world.dataDir, 'assets');
  mkdirSync(assetsFolder, { recursive: true });
  const blobs = createDiskBlobs(assetsFolder);
  try {
    return await verify({
      ledger,
      assetsFolder,
      settleWithinMs: options.settleWithinMs,
      connectionString: postgres.connectionString,
      // A day from now, every asset without a row is old enough.
      sweepOrphans: () =>
        deleteOrphanAssets(
          createSweepStore(db),
          { delete: blobs.remove, listOlderThan: blobs.listOlderThan } as never,
          { now: () => new Date(Date.now() + 86_400_000) },
        ),
      readResult: (id) => integrator(world.apis, apiKey).call('GET', `/v1/challenges/${id}`),
    });
  } finally {
    await db.destroy();
    await postgres.stop();
  }
}
