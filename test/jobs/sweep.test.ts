// Any number of tasks wait side by side: node sees no leak in them, and all end at once.
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLogger } from '../../src/base/log.ts';
import { startSweeper } from '../../src/jobs/sweep.ts';

test('twenty tasks run without a warning and end when they are told to', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on('warning', note);
  try {
    let runs = 0;
    const task = {
      ...{ name: 'count', everyMs: 60_000 },
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
