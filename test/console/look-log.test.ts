// What is noted of looks: every one that shows something new, and what goes on being shown every ten minutes.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLookLog } from '../../src/console/look-log.ts';

function createLog() {
  const lines: { actor: string; subject: string | null; detail?: object }[] = [];
  const state = { nowMs: 1, isAway: false };
  const store = {
    audit: async (line: (typeof lines)[number]) => {
      if (state.isAway) throw new Error('away');
      lines.push(line);
    },
  };
  return { lines, state, log: createLookLog(store, () => state.nowMs) };
}

describe('the log of looks', () => {
  it('has one line for what a session goes on looking at, and another after ten minutes', async () => {
    const { lines, state, log } = createLog();
    const look = { action: 'challenge.viewed', subject: 'ch_1' };
    for (let time = 0; time < 3; time++) await log.note('ops_a', look);
    await log.note('ops_b', look);
    expect(lines.map(({ actor }) => actor)).toEqual(['ops_a', 'ops_b']);
    state.nowMs += 601_000;
    await log.note('ops_a', look);
    expect(lines).toHaveLength(3);
  });

  it('refuses the look where the line cannot be written, and writes it the next time', async () => {
    const { lines, state, log } = createLog();
    state.isAway = true;
    await expect(log.note('ops_a', { action: 'x' })).rejects.toThrow('away');
    await expect(log.noteList('ops_a', { action: 'x', filters: [], ids: ['1'] })).rejects.toThrow('away');
    state.isAway = false;
    await log.note('ops_a', { action: 'x' });
    await log.noteList('ops_a', { action: 'x', filters: [], ids: ['1'] });
    expect(lines).toHaveLength(2);
  });

  it('names everything that a list ever showed, and a search that found nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.nat({ max: 30 }).map(String), { maxLength: 10 }), { maxLength: 20 }),
        async (pages) => {
          const { lines, log } = createLog();
          for (const ids of pages) {
            await log.noteList('ops_a', { action: 'challenges.listed', filters: ['text'], ids });
          }
          const named = lines.flatMap(({ detail }) => (detail as { shown: string[] }).shown);
          expect(new Set(named)).toEqual(new Set(pages.flat()));
          expect(named).toHaveLength(new Set(named).size);
          expect(lines.length > 0).toBe(pages.length > 0);
        },
      ),
    );
  });
});
