// The laboratory's program that learns its prompts just in time, against a service that requires this, on test pictures
// without a face.
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unanswered } from '../../../bench/attacks/performance.ts';
import { presentInTime, REQUIRED } from '../../../bench/inject/in-time.ts';
import type { InTimeAttack, Stage } from '../../../bench/inject/laboratory.ts';
import { clusterOf, demux } from '../../../bench/inject/webm.ts';
import {
  newDataDir,
  type RunningService,
  removeDataDir,
  startService,
} from '../../support/running-service.ts';

let service: RunningService;
beforeAll(async () => {
  const environment = { ...REQUIRED, LIVENESS_PROMPTS: 'neutral,smile', LIVENESS_LEVEL: 'quick' };
  service = await startService({ dataDir: newDataDir(), environment, timeoutMs: 300_000 });
}, 300_000);
afterAll(async () => {
  await service.stop();
  removeDataDir(service.dataDir);
});

const STEP_MS = 1_500;

/** Darker with each try, because the same footage again would end the challenge. */
function filmOf(tried: number) {
  const picture = `testsrc=size=320x240:rate=24:duration=9,lutyuv=y=val*${10 - tried}/10`;
  const live = ['-c:v', 'libvpx', '-b:v', '300k', '-f', 'webm', '-live', '1', 'pipe:1'];
  return demux(execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', picture, ...live]));
}

test('knows two steps when it chooses, learns each further one a slice after asking, and is judged', async () => {
  // Made in advance: a program that is still encoding when a slice is due is too late.
  const films = [0, 1, 2].map(filmOf);
  const atChoice: number[] = [];
  const later: number[] = [];
  const attack: InTimeAttack = {
    play: async (_, { script, tried }) => {
      const { head, frames } = films[tried]!;
      atChoice.push(script.steps.length);
      let fromMs = 0;
      let count = script.steps.length;
      return {
        next: (untilMs, known) => {
          later.push(known.length);
          count = known.length;
          // Ends once the last step that it knows of has been shown.
          if (fromMs >= count * STEP_MS) return null;
          const due = frames.filter(({ timeMs }) => timeMs >= fromMs && timeMs < untilMs);
          const begins = fromMs === 0 ? [head] : [];
          fromMs = untilMs;
          return Buffer.concat([...begins, clusterOf(due)]);
        },
        wanted: (untilMs) => Math.floor(untilMs / STEP_MS) + 2,
        performed: (drawn) => unanswered(drawn, STEP_MS),
      };
    },
  };
  const ended = await presentInTime(service, {} as Stage, attack, 0, 'in time');
  // Every try was accepted and judged. Nothing was refused on the way, and nothing was known ahead.
  expect(ended.result).toBe('fail');
  expect(ended.tries.map(({ told }) => told)).toEqual(['face_missing', 'face_missing', 'done']);
  expect(ended.reasons).toContain('face_missing');
  expect(ended.reasons).not.toContain('prompts_ahead');
  expect(ended.reasons).not.toContain('uploaded_before');
  expect(Math.max(...atChoice)).toBeLessThanOrEqual(2);
  expect(later.every((known, i) => i === 0 || known <= later[i - 1]! + 1 || later[i - 1]! > known)).toBe(
    true,
  );
}, 300_000);
