// Long measurements use every core: the script runs itself once per core, each with its own part of the work.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';

/** Runs this process's script again with `--part i/n` for each core; rejects if one of them fails. */
export async function runInParts(): Promise<void> {
  const parts = availableParallelism();
  const [script, ...options] = process.argv.slice(1);
  const ended = Array.from({ length: parts }, async (_, part) => {
    const own = [...process.execArgv, script!, ...options, '--part', `${part}/${parts}`];
    const child = spawn(process.execPath, own, { stdio: ['ignore', 'ignore', 'inherit'] });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`part ${part} of ${parts} ended with ${code}`);
  });
  await Promise.all(ended);
}

/** Parses `--part i/n`, with 0 ≤ i < n. @throws RangeError if it is not */
export function readPart(text: string): { part: number; parts: number } {
  const [part, parts] = text.split('/').map(Number);
  if (!(part! >= 0 && part! < parts!))
    throw new RangeError(`${text} is not a part: expected i/n with 0 ≤ i < n`);
  return { part: part!, parts: parts! };
}
