// `likeness bench light` on the captures of a deployment: the command reads what is sealed in its database, as an
// operator runs it.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sealResult } from '../../src/challenge/seals.ts';
import { benchCommand } from '../../src/cli/bench.ts';
import type { JudgedLight } from '../../src/contract/judged-try.ts';
import { runCommand } from '../support/command-line.ts';
import { createTestFoundation, type TestFoundation } from '../support/foundation.ts';
import { seedChallenges } from '../support/seed-challenges.ts';

let foundation: TestFoundation;

beforeAll(async () => {
  foundation = await createTestFoundation();
  for (const [name, value] of Object.entries(foundation.environment)) vi.stubEnv(name, value);
  vi.stubEnv('BASE_URL', '');
  vi.stubEnv('LOG_LEVEL', 'silent');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await foundation.close();
});

const found = (amplitude: number, p: number): JudgedLight => ({
  ...{ required: false, shown: 'shown' },
  match: { z: 5, delay_ms: 100, p, amplitude, error: 0.001, symbols: 47 },
});

/** Creates judged challenges with these findings on the light. */
async function judged(lights: readonly { passed: boolean; light: JudgedLight | null; outcome: string }[]) {
  const account = await foundation.accounts.create({ name: 'light' }, 'test');
  if (account.status !== 'created') throw new Error('no account');
  const { db } = foundation.database;
  const made = await seedChallenges(db, foundation.keys, account.accountId, lights.length);
  for (const [i, { passed, light, outcome }] of lights.entries()) {
    const ended =
      outcome === 'passed' || outcome === 'failed'
        ? ({ status: outcome, reason: null } as const)
        : ({ status: 'notEvaluated', reason: outcome } as const);
    const cue = { cue: 'screen_light', value: light?.match?.p ?? null, threshold: 0.001, ...ended };
    const sealed = await sealResult(foundation.keys, made[i]!, {
      liveness: { face: passed, smile: passed, spoof_result: passed, overall: passed },
      ...{ liveness_featid: null, compared: null, sources: [], reasons: [] },
      cues: { cues: [cue], screen_light: light },
    });
    await db
      .updateTable('challenge')
      .set({
        status: 'completed',
        closed_reason: 'completed',
        sealed_result: sealed,
        overall_result: passed ? 'pass' : 'fail',
        closed_at: new Date(),
      })
      .where('id', '=', made[i]!.id)
      .execute();
  }
}

const bench = (...args: string[]) => runCommand([benchCommand()], ['bench', 'light', ...args]);

test('reads the light of an operator’s own captures, only those that passed unless all are requested', async () => {
  expect(JSON.parse(await bench('--json'))).toMatchObject({
    captures: 0,
    shown: 0,
    sentBackIfRequired: null,
  });
  await judged([
    { passed: true, light: found(0.03, 0.0001), outcome: 'passed' },
    { passed: true, light: found(0.001, 0.4), outcome: 'failed' },
    {
      passed: true,
      light: { required: false, shown: 'switched_off', match: null },
      outcome: 'light_not_shown',
    },
    { passed: false, light: found(0.05, 0.0001), outcome: 'passed' },
  ]);
  const passed = JSON.parse(await bench('--json'));
  expect(passed).toMatchObject({ captures: 3, shown: 2, sentBackIfRequired: 0.5 });
  expect(passed.outcomes).toMatchObject({ passed: 1, failed: 1, light_not_shown: 1 });
  expect(JSON.parse(await bench('--all', '--json'))).toMatchObject({ captures: 4, shown: 3 });
  const text = await bench();
  expect(text).toMatch(/light_not_shown/);
  expect(text).not.toMatch(/NaN|undefined|\[object/);
});
