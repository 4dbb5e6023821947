// What the audit log records of views: each that shows something new, and every ten minutes what is still being viewed.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createViewAudit } from '../../src/console/view-audit.ts';

function createLog() {
  const lines: { actor: string; subject: string | null; detail?: object }[] = [];
  const state = { nowMs: 1, isDown: false };
  const store = {
    audit: async (line: (typeof lines)[number]) => {
      if (state.isDown) throw new Error('away');
      lines.push(line);
    },
  };
  return { lines, state, log: createViewAudit(store, () => state.nowMs) };
}

describe('the audit of views', () => {
  it('has one line for what a session keeps viewing, and another after ten minutes', async () => {
    const { lines, state, log } = createLog();
    const view = { action: 'challenge.viewed', subject: 'ch_1' };
    for (let time = 0; time < 3; time++) await log.note('ops_a', view);
    await log.note('ops_b', view);
    expect(lines.map(({ actor }) => actor)).toEqual(['ops_a', 'ops_b']);
    state.nowMs += 601_000;
    await log.note('ops_a', view);
    expect(lines).toHaveLength(3);
  });

  it('refuses the view if the line cannot be written, and writes it the next time', async () => {
    const { lines, state, log } = createLog();
    state.isDown = true;
    await expect(log.note('ops_a', { action: 'x' })).rejects.toThrow('away');
    await expect(log.noteList('ops_a', { action: 'x', filters: {}, ids: ['1'] })).rejects.toThrow('away');
    state.isDown = false;
    await log.note('ops_a', { action: 'x' });
    await log.noteList('ops_a', { action: 'x', filters: {}, ids: ['1'] });
    expect(lines).toHaveLength(2);
  });

  it('names everything that a list has shown, and a search that found nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.nat({ max: 30 }).map(String), { maxLength: 10 }), { maxLength: 20 }),
        async (pages) => {
          const { lines, log } = createLog();
          for (const ids of pages) {
            await log.noteList('ops_a', { action: 'challenges.listed', filters: { text: 'a name' }, ids });
          }
          const named = lines.flatMap(({ detail }) => (detail as { shown: string[] }).shown);
          expect(new Set(named)).toEqual(new Set(pages.flat()));
          expect(named).toHaveLength(new Set(named).size);
          expect(lines.length > 0).toBe(pages.length > 0);
        },
      ),
    );
  });

  it('has a line for each search that finds nothing, without what was searched for', async () => {
    const { lines, log } = createLog();
    for (const text of ['ada', 'bob', 'ada'])
      await log.noteList('ops_a', { action: 'featids.listed', filters: { text }, ids: [] });
    expect(lines.map(({ detail }) => detail)).toEqual(Array(2).fill({ filters: ['text'], shown: [] }));
  });
});
