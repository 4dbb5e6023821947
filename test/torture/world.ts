// The processes under torture: two of `likeness serve` with ROLE=api, two with ROLE=worker, and their embedded
// PostgreSQL. Every killed process is restarted, as an operator's supervisor does; PostgreSQL by the service itself.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { KillTarget, Ledger } from './ledger.ts';

const projectRoot = resolve(import.meta.dirname, '..', '..');
const RESTART_MS = 200;
const READY_MS = 120_000;
const STOP_MS = 60_000;

interface Slot {
  readonly name: string;
  readonly role: 'api' | 'worker';
  readonly port: number;
  child: ChildProcess | null;
  killed: boolean;
  ready: boolean;
}

export interface WorldOptions {
  readonly folder: string;
  readonly apiPorts: readonly number[];
  readonly environment: Readonly<Record<string, string>>;
  readonly ledger: Ledger;
}

export interface JudgedCounts {
  readonly all: number;
  /** Those that were judged while they were recorded. */
  readonly followed: number;
  /** Those of them that another follower began again, because the first one was killed. */
  readonly followedAgain: number;
  /** Followed at first, then judged as a whole: the follower was killed, or no bytes arrived for a while. */
  readonly judgedWhole: number;
}

export interface World {
  readonly dataDir: string;
  /** Addresses of the API processes, running or not. */
  readonly apis: readonly string[];
  /** Whether every process has begun its work since it was last killed. */
  isReady(): boolean;
  /** What the workers report about their judgements, in this part and earlier ones. */
  judged(): JudgedCounts;
  /** Sends SIGKILL; false if there was no such process. */
  kill(target: KillTarget): boolean;
  /** Sends SIGTERM to all; resolves when they have ended, the database last. */
  stop(): Promise<void>;
}

/** Starts everything and waits until all have begun their work. */
export async function startWorld(options: WorldOptions): Promise<World> {
  const dataDir = join(options.folder, 'data');
  const slots: Slot[] = [
    ...options.apiPorts.map((port, at) => slotOf(`api-${at}`, 'api', port)),
    ...[0, 1].map((at) => slotOf(`worker-${at}`, 'worker', 0)),
  ];
  let stopping = false;
  const run = (slot: Slot): void => {
    const child = spawnSlot(options, dataDir, slot);
    slot.child = child;
    slot.killed = false;
    slot.ready = false;
    // A worker reports this to its parent by a message, an API on its standard output.
    child.once('message', () => {
      slot.ready = true;
    });
    child.stdout!.once('data', () => {
      slot.ready = true;
    });
    child.once('exit', (code) => {
      const wasReady = slot.ready;
      slot.child = null;
      slot.ready = false;
      if (stopping) return;
      const kind = wasReady ? 'endedByItself' : 'couldNotStart';
      if (!slot.killed) options.ledger.append({ kind, name: slot.name, code });
      setTimeout(() => !stopping && run(slot), RESTART_MS);
    });
  };
  const apis = options.apiPorts.map((port) => `http://127.0.0.1:${port}`);
  // All at once: they must agree on one database server, one schema and one development account.
  for (const slot of slots) run(slot);
  const isReady = () => slots.every((slot) => slot.ready);
  const deadline = Date.now() + READY_MS;
  while (!isReady()) {
    if (Date.now() > deadline) throw new Error(`not every process was ready in ${READY_MS} ms`);
    await delay(100);
  }
  return {
    dataDir,
    apis,
    isReady,
    judged: () => countJudged(slots.map(({ name }) => logOf(options, name))),
    kill: (target) => (target === 'postgres' ? killPostgres(dataDir) : killSlot(slots, target)),
    stop: async () => {
      stopping = true;
      await Promise.all(slots.map(endSlot));
    },
  };
}

const slotOf = (name: string, role: Slot['role'], port: number): Slot => ({
  name,
  role,
  port,
  child: null,
  killed: false,
  ready: false,
});

function spawnSlot(options: WorldOptions, dataDir: string, slot: Slot): ChildProcess {
  const log = openSync(logOf(options, slot.name), 'a');
  const { PATH, HOME, LANG, TMPDIR } = process.env;
  const child = spawn(process.execPath, ['test/torture/serve.js'], {
    cwd: projectRoot,
    env: {
      PATH,
      HOME,
      LANG,
      TMPDIR,
      ...options.environment,
      DATA_DIR: dataDir,
      ROLE: slot.role,
      PORT: String(slot.port),
      METRICS_PORT: '0',
      // A worker logs what it judged while it was recorded.
      LOG_LEVEL: slot.role === 'worker' ? 'info' : 'warn',
      BASE_URL: `http://127.0.0.1:${options.apiPorts[0]}`,
    },
    // The channel ends them with this process, however it ends.
    stdio: ['ignore', 'pipe', log, 'ipc'],
  });
  closeSync(log);
  return child;
}

const logOf = ({ folder }: WorldOptions, name: string): string => join(folder, `${name}.log`);

function countJudged(logs: readonly string[]): JudgedCounts {
  const lines = logs.flatMap((log) => readFileSync(log, 'utf8').split('\n'));
  // The last line of a killed worker may be incomplete.
  const judged = lines.filter((line) => line.includes('"capture judged"') && line.endsWith('}'));
  const said = judged.map((line): { followed: boolean; starts: number } => JSON.parse(line));
  const count = (isFollowed: boolean, leastStarts: number) =>
    said.filter(({ followed, starts }) => followed === isFollowed && starts >= leastStarts).length;
  return {
    all: said.length,
    followed: count(true, 1),
    followedAgain: count(true, 2),
    judgedWhole: count(false, 2),
  };
}

function killSlot(slots: readonly Slot[], role: Slot['role']): boolean {
  const living = slots.filter((slot) => slot.role === role && slot.child);
  const chosen = living[Math.floor(Math.random() * living.length)];
  if (!chosen) return false;
  chosen.killed = true;
  return chosen.child!.kill('SIGKILL');
}

function killPostgres(dataDir: string): boolean {
  try {
    const pidFile = join(dataDir, 'postgres', 'cluster', 'data', 'postmaster.pid');
    const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
    return pid > 0 && process.kill(pid, 'SIGKILL');
  } catch {
    return false; // it is being restarted
  }
}

async function endSlot({ child }: Slot): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(timer);
}
