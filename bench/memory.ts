// Resident memory of every process of a running service, by process.
import { readdirSync, readFileSync } from 'node:fs';

/** One process and its resident set. */
export interface ProcessMemory {
  pid: number;
  name: string;
  residentMb: number;
}

/** The process and all its descendants (Linux: from /proc). PostgreSQL's shared pages are counted in each backend. */
export function memoryOfTree(rootPid: number): ProcessMemory[] {
  const parents = new Map<number, number>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const status = readStatus(Number(entry));
    if (status) parents.set(Number(entry), status.parent);
  }
  const belongs = (pid: number): boolean =>
    pid === rootPid || (parents.has(pid) && belongs(parents.get(pid)!));
  return [...parents.keys()].filter(belongs).flatMap((pid) => {
    const status = readStatus(pid);
    return status ? [{ pid, name: status.name, residentMb: status.residentKb / 1024 }] : [];
  });
}

function readStatus(pid: number): { parent: number; residentKb: number; name: string } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const number = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return { parent: number('PPid'), residentKb: number('VmRSS'), name: commandLine.slice(0, 80) };
  } catch {
    return undefined; // ended between the listing and the reading
  }
}
