// Measures the resident memory of every process of a running service: idle, and while it judges videos.
import { readdirSync, readFileSync } from 'node:fs';
import { TestApi } from '../test/support/api.ts';
import type { RunningService } from '../test/support/running-service.ts';
import type { Section } from './report.ts';
import { makeClip, submitClip } from './uploads.ts';

const JUDGEMENTS = 6;
const SAMPLE_MS = 100;

/** One process and its resident set. */
interface ProcessMemory {
  readonly pid: number;
  readonly name: string;
  readonly residentMb: number;
}

/** Samples all processes while several uploads are judged one after another; the highest value counts. */
export async function measureMemory(service: RunningService): Promise<Section> {
  const idle = memoryOfTree(service.process.pid!);
  const sampler = samplePeaks(service);
  try {
    await judgeSome(service);
  } finally {
    sampler.stop();
  }
  const peaks = sampler.stop();
  const names = [...new Set([...idle.map(({ name }) => name), ...peaks.keys()])];
  const idleOf = (name: string) => idle.find((each) => each.name === name)?.residentMb;
  return {
    title: 'Resident memory',
    method: `Of each process, idle after the start and at its highest while ${JUDGEMENTS} videos are uploaded and judged. PostgreSQL runs beside the service and is not counted here.`,
    columns: ['process', 'idle, MB', 'busy, MB'],
    rows: names.map((name) => [name, idleOf(name)?.toFixed(0) ?? '–', peaks.get(name)?.toFixed(0) ?? '–']),
  };
}

/** Samples every process of a service until stopped. `stop` returns the highest resident set of each kind, in MB. */
function samplePeaks(service: RunningService): { stop(): ReadonlyMap<string, number> } {
  const peaks = new Map<string, number>();
  const sampler = setInterval(() => {
    for (const { name, residentMb } of memoryOfTree(service.process.pid!)) {
      peaks.set(name, Math.max(peaks.get(name) ?? 0, residentMb));
    }
  }, SAMPLE_MS);
  return {
    stop: () => {
      clearInterval(sampler);
      return peaks;
    },
  };
}

async function judgeSome(service: RunningService): Promise<void> {
  const bytes = makeClip();
  const api = new TestApi(service);
  for (let judged = 0; judged < JUDGEMENTS; judged++) await (await submitClip(api, bytes)).outcome();
}

/** The process and all its descendants (Linux: from /proc), named by role. */
function memoryOfTree(rootPid: number): ProcessMemory[] {
  const statuses = new Map(
    readdirSync('/proc')
      .filter((entry) => /^\d+$/.test(entry))
      .flatMap((entry) => {
        const status = readStatus(Number(entry));
        return status ? [[Number(entry), status] as const] : [];
      }),
  );
  const belongs = (pid: number): boolean => {
    if (pid === rootPid) return true;
    const status = statuses.get(pid);
    return status !== undefined && belongs(status.parent);
  };
  return [...statuses].flatMap(([pid, { command, residentKb }]) =>
    // A process without a command line has ended but is not yet reaped.
    belongs(pid) && command !== ''
      ? [{ pid, name: roleOf(pid, rootPid, command), residentMb: residentKb / 1024 }]
      : [],
  );
}

function roleOf(pid: number, rootPid: number, command: string): string {
  if (pid === rootPid) return 'API';
  if (command.includes('program.js')) return 'worker';
  return /ff(mpeg|probe)/.exec(command)?.[0] ?? command.split(' ')[0]!;
}

function readStatus(pid: number): { parent: number; residentKb: number; command: string } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const number = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return { parent: number('PPid'), residentKb: number('VmRSS'), command };
  } catch {
    return undefined; // ended between the listing and the reading
  }
}
