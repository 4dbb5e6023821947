// Several processes with the same periodic task: one runs it at a time, and another takes over from one that died.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '../../src/base/log.ts';
import { inTurn } from '../../src/jobs/in-turn.ts';
import { startSweeper } from '../../src/jobs/sweep.ts';
import { createTaskTurns } from '../../src/storage/postgres/coordination/task-turns.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const log = createLogger({ level: 'silent', process: 'test' });
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Resolves when the condition holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await delay(5);
}

test('one of five processes runs a task at a time, no more often than it is due', async () => {
  const turns = createTaskTurns(database.db);
  const starts: number[] = [];
  let running = 0;
  let most = 0;
  const task = {
    name: 'list everything',
    everyMs: 100,
    run: async () => {
      starts.push(performance.now());
      running += 1;
      most = Math.max(most, running);
      await delay(30);
      running -= 1;
      return 1;
    },
  };
  const sweepers = Array.from({ length: 5 }, () => startSweeper([inTurn(turns, log)(task)], log));
  await until(() => starts.length >= 5);
  await Promise.all(sweepers.map((sweeper) => sweeper.stop()));
  expect(most).toBe(1);
  const gaps = starts.slice(1).map((start, index) => start - starts[index]!);
  // Timers may fire up to a millisecond early.
  expect(Math.min(...gaps)).toBeGreaterThan(125);
});

test('a failed run ends its turn', async () => {
  const turns = createTaskTurns(database.db);
  const failing = inTurn(
    turns,
    log,
  )({ name: 'fails', everyMs: 0, run: () => Promise.reject(new Error('no')) });
  await expect(failing.run()).rejects.toThrow('no');
  await expect(failing.run()).rejects.toThrow('no');
});

test('a turn is taken over when its lease has expired, and its first holder can no longer end it', async () => {
  const turns = createTaskTurns(database.db);
  const [dead, next] = [randomUUID(), randomUUID()];
  expect(await turns.take('dies', dead, 1_000)).toBe(true);
  expect(await turns.take('dies', next, 60_000)).toBe(false);
  await delay(1_010);
  expect(await turns.take('dies', next, 60_000)).toBe(true);
  await turns.extend('dies', dead, 0);
  await turns.end('dies', dead, 0);
  expect(await turns.take('dies', dead, 60_000)).toBe(false);
  await turns.end('dies', next, 60_000);
  // No longer held, and not due for a minute.
  expect(await turns.take('dies', dead, 60_000)).toBe(false);
});
