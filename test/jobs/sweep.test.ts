// Any number of tasks wait concurrently: node reports no listener leak, and all end at once.
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createLogger } from '../../src/base/log.ts';
import { startSweeper } from '../../src/jobs/sweep.ts';

test('twenty tasks run without a warning and end when told to', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on('warning', note);
  try {
    let runs = 0;
    const task = {
      name: 'count',
      everyMs: 60_000,
      run: async () => {
        runs += 1;
        return 0;
      },
    };
    const log = createLogger({ level: 'silent', process: 'test' });
    const sweeper = startSweeper(Array(20).fill(task), log);
    await delay(50);
    expect(runs).toBe(20);
    await sweeper.stop();
    expect(warnings).toEqual([]);
  } finally {
    process.off('warning', note);
  }
});

test('a repeatedly failing task is logged once, and once when it works again', async () => {
  const lines: { level: string; msg: string; failures?: number }[] = [];
  const log = pino(
    { level: 'info', formatters: { level: (level) => ({ level }) } },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  );
  let runs = 0;
  const run = async () => {
    runs += 1;
    if (runs <= 20) throw new Error('the store is away');
    return 0;
  };
  const sweeper = startSweeper([{ name: 'delete', everyMs: 1, run }], log);
  await expect.poll(() => runs).toBeGreaterThan(22);
  await sweeper.stop();
  expect(lines).toEqual([
    expect.objectContaining({ level: 'error', task: 'delete', msg: 'a sweep failed' }),
    expect.objectContaining({ level: 'info', task: 'delete', msg: 'a sweep works again', failures: 19 }),
  ]);
});
