// An attacker who makes several films for one script, and needs more time for it than a recording may be late.
import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unanswered } from '../../../bench/attacks/performance.ts';
import { FilmedTooLate, presentByClient } from '../../../bench/inject/client.ts';
import type { ClientAttack, Stage } from '../../../bench/inject/laboratory.ts';
import { firstAccepted, type Judged } from '../../../bench/inject/species/offline-judge.ts';
import { ANNOUNCE_WITHIN_MS } from '../../../src/challenge/settings.ts';
import type { ReasonCode } from '../../../src/evaluation/reasons.ts';
import { withService } from '../../support/running-service.ts';

const QUICK = { LIVENESS_PROMPTS: 'neutral,smile', LIVENESS_LEVEL: 'quick' };

/** Darker with each try, because the same footage again would end the challenge. */
function filmOf(tried: number): Buffer {
  const picture = `testsrc=size=320x240:rate=24:duration=5,lutyuv=y=val*${10 - tried}/10`;
  const webm = ['-c:v', 'libvpx', '-b:v', '300k', '-f', 'webm', 'pipe:1'];
  return execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', picture, ...webm]);
}

/** Longer than the first slice may be late. */
const SEARCHED_MS = ANNOUNCE_WITHIN_MS + 2_000;

/** Reasons for what came later than it was recorded. */
const LATE: readonly ReasonCode[] = ['announced_late', 'longer_than_elapsed'];

const ATTACK: ClientAttack = {
  film: async (_, { script, tried }) => {
    await delay(SEARCHED_MS);
    return { bytes: filmOf(tried), script: unanswered(script, 1_500) };
  },
};

test('is in time while the clock stands still, and too late while it goes on', async () => {
  await withService(QUICK, async (service) => {
    const attack = { ...ATTACK, stopsClock: true };
    const ended = await presentByClient(service, {} as Stage, attack, 0, 'searching');
    expect(ended.tries.map(({ told }) => told)).toEqual(['face_missing', 'face_missing', 'done']);
    expect(ended.tries.every(({ filmedMs }) => filmedMs! > SEARCHED_MS)).toBe(true);
    expect(ended.reasons).toContain('face_missing');
    for (const reason of LATE) expect(ended.reasons).not.toContain(reason);
    const late = presentByClient(service, {} as Stage, ATTACK, 0, 'too late');
    await expect(late).rejects.toThrow(FilmedTooLate);
  });
}, 300_000);

test('sends the first film that its judge accepts, or the best, and makes none in vain', async () => {
  const judged = fc.record({ isAccepted: fc.boolean(), score: fc.double({ min: 0, max: 1, noNaN: true }) });
  const films = fc.array(
    judged.map((one): Judged => ({ ...one, score: one.score + (one.isAccepted ? 2 : 0) })),
    { minLength: 1, maxLength: 6 },
  );
  await fc.assert(
    fc.asyncProperty(films, async (all) => {
      let made = 0;
      const sent = await firstAccepted(
        async () => all[made++]!,
        async (film) => film,
        all.length,
      );
      const first = all.findIndex(({ isAccepted }) => isAccepted);
      expect(made).toBe(first < 0 ? all.length : first + 1);
      if (first >= 0) expect(sent).toBe(all[first]);
      else expect(sent.score).toBe(Math.max(...all.map(({ score }) => score)));
    }),
  );
});
