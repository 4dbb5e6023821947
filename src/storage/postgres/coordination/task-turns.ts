// Which process may run a periodic task (port: TaskTurns in src/jobs/in-turn.ts): one row per task, held by a lease.
import { sql } from 'kysely';
import { clockIn } from '../clock.ts';
import type { Database } from '../database.ts';

/** Structurally the port of src/jobs, which this room does not import. */
export function createTaskTurns(db: Database) {
  return {
    async take(task: string, holder: string, leaseMs: number): Promise<boolean> {
      const taken = await db
        .insertInto('task_turn')
        .values({ task, holder, held_until: clockIn(leaseMs) })
        .onConflict((conflict) =>
          conflict
            .column('task')
            .doUpdateSet({ holder, held_until: clockIn(leaseMs) })
            .where('task_turn.due_at', '<=', sql<Date>`clock_timestamp()`)
            .where(sql<boolean>`coalesce(task_turn.held_until <= clock_timestamp(), true)`),
        )
        .executeTakeFirst();
      return taken.numInsertedOrUpdatedRows === 1n;
    },
    async extend(task: string, holder: string, leaseMs: number): Promise<void> {
      await db
        .updateTable('task_turn')
        .set({ held_until: clockIn(leaseMs) })
        .where('task', '=', task)
        .where('holder', '=', holder)
        .execute();
    },
    async end(task: string, holder: string, nextInMs: number): Promise<void> {
      await db
        .updateTable('task_turn')
        .set({ holder: null, held_until: null, due_at: clockIn(nextInMs) })
        .where('task', '=', task)
        .where('holder', '=', holder)
        .execute();
    },
  };
}
