// Makes the presentations of a plan: starts services as `npm start` runs them and booths that present to them, and adds
// a row for each.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import {
  newDataDir,
  type RunningService,
  removeDataDir,
  startService,
} from '../../test/support/running-service.ts';
import type { Answer, BoothSettings, Order } from './booth.ts';
import { REQUIRED } from './in-time.ts';
import type { LaboratorySpecies } from './laboratory.ts';
import type { Planned } from './plan.ts';
import { type Row, type RowStore, subjectOf } from './rows.ts';

const BOOTH = join(import.meta.dirname, 'booth.ts');
/** Raises the limits of a public service that a laboratory behind one address would hit. */
const RAISED = {
  ASSET_RETENTION_DAYS: '0',
  LOG_LEVEL: 'warn',
};

/** Generous: a machine that is busy with other things is slow, not broken. */
const READY_WITHIN_MS = 1_800_000;

export interface Laboratory {
  readonly species: readonly LaboratorySpecies[];
  readonly booths: BoothSettings;
  readonly parallel: number;
  readonly version: string;
  readonly store: RowStore;
  /** Checked before each presentation. */
  isTimeLeft(): boolean;
  /** Called after each one: how many of the plan are done, and a message about this one. */
  onDone(done: number, said: string): void;
}

/** The result of a run. */
export interface Ran {
  /** Number of rows added. */
  readonly made: number;
  /** Presentations whose films were never ready in time: no rows; the next run makes them. */
  readonly late: number;
  readonly failed: readonly string[];
}

export async function run(laboratory: Laboratory, plan: readonly Planned[]): Promise<Ran> {
  const services = new Services(laboratory.parallel);
  const waiting = [...plan];
  /** What failed once, usually because the machine was too busy, is retried once at the end. */
  const again = new Set<Planned>();
  const ran = { made: 0, late: 0, failed: [] as string[] };
  let done = 0;
  let isPageBusy = false;
  /** The page occupies a whole processor and answers prompts in real time, so only one runs at a time. */
  const next = (): Planned | undefined => {
    if (!laboratory.isTimeLeft()) return undefined;
    const at = waiting.findIndex(({ way }) => way !== 'camera' || !isPageBusy);
    return at < 0 ? undefined : waiting.splice(at, 1)[0];
  };
  const work = async (booth: Booth) => {
    for (let planned = next(); planned; planned = next()) {
      const isPage = planned.way === 'camera';
      if (isPage) isPageBusy = true;
      const species = laboratory.species.find(({ name }) => name === planned.species)!;
      const required = planned.way === 'in_time' ? REQUIRED : {};
      const service = await services.of({ ...species.environment, ...required });
      const { url, credentials, dataDir } = service;
      const repeated = again.has(planned);
      const answer = await ask(booth, { ...planned, url, credentials, dataDir, repeated });
      if (isPage) isPageBusy = false;
      if (answer.status !== 'ended' && !again.has(planned)) {
        again.add(planned);
        waiting.push(planned);
        laboratory.onDone(done, `${planned.species} ${planned.take}, to be repeated later: ${answer.why}`);
        continue;
      }
      done += 1;
      laboratory.onDone(done, settle(laboratory, species, planned, answer, ran));
    }
  };
  try {
    const count = Math.min(laboratory.parallel, plan.length);
    const booths = await openBooths(count, laboratory.booths);
    try {
      await Promise.all(booths.map(work));
    } finally {
      for (const { process } of booths) if (process.connected) process.disconnect();
    }
  } finally {
    await services.stop();
  }
  return ran;
}

function settle(
  { version, store }: Laboratory,
  { name, label }: LaboratorySpecies,
  { take, way }: Planned,
  answer: Answer,
  ran: { made: number; late: number; failed: string[] },
): string {
  const what = `${name} ${take} by ${way}`;
  if (answer.status === 'ended') {
    const row: Row = {
      version,
      species: name,
      label,
      take,
      way,
      subject: subjectOf(answer.subject),
      ...answer.ended,
    };
    store.add(row);
    ran.made += 1;
    return `${what}: ${row.result} after ${row.tries.length}${row.reasons.length > 0 ? `, ${row.reasons.join(' ')}` : ''}`;
  }
  if (answer.status === 'late') ran.late += 1;
  else ran.failed.push(`${what}: ${answer.why}`);
  return `${what}: ${answer.why}`;
}

/** A service for each set of settings, started on first use. */
class Services {
  readonly #workers: string;
  readonly #started = new Map<string, Promise<RunningService>>();

  /** @param parallel presentations in parallel: half of them are judged while the others are filmed */
  constructor(parallel: number) {
    this.#workers = String(Math.max(1, Math.ceil(parallel / 2)));
  }

  of(environment: Readonly<Record<string, string>>): Promise<RunningService> {
    const key = JSON.stringify(environment);
    const started = this.#started.get(key);
    if (started) return started;
    const dataDir = newDataDir();
    const service = startService({
      dataDir,
      environment: { ...RAISED, WORKER_PROCESSES: this.#workers, ...environment },
      timeoutMs: READY_WITHIN_MS,
    });
    this.#started.set(key, service);
    return service;
  }

  async stop(): Promise<void> {
    for (const started of this.#started.values()) {
      const service = await started;
      await service.stop();
      removeDataDir(service.dataDir);
    }
  }
}

interface Booth {
  readonly process: ChildProcess;
  /** Only ever rejects: a booth that ends by itself has failed. */
  readonly ended: Promise<never>;
}

/**
 * Opens the first booth alone: it measures the photographs if that was not done before, which takes minutes. The others
 * read its list.
 */
async function openBooths(count: number, settings: BoothSettings): Promise<Booth[]> {
  if (count === 0) return [];
  const first = await openBooth(settings);
  return [first, ...(await Promise.all(Array.from({ length: count - 1 }, () => openBooth(settings))))];
}

async function openBooth(settings: BoothSettings): Promise<Booth> {
  const process = fork(BOOTH, [JSON.stringify(settings)], { execArgv: ['--import', 'tsx'] });
  const ended = once(process, 'exit').then(([code]) => {
    throw new Error(`a booth ended with ${code}`);
  });
  // At the end of a run nobody awaits it any more.
  ended.catch(() => {});
  await Promise.race([once(process, 'message'), ended]);
  return { process, ended };
}

async function ask({ process, ended }: Booth, order: Order): Promise<Answer> {
  const answered = once(process, 'message');
  process.send(order);
  const [answer] = (await Promise.race([answered, ended])) as [Answer];
  return answer;
}
