// The short form of `npm run torture`: the same processes, kills and promises, for about a minute.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { HAS_FACES } from '../../support/faces.ts';
import { torture } from '../../torture/torture.ts';
import { openTakes } from '../../torture/videos.ts';

const folder = mkdtempSync(join(tmpdir(), 'likeness-torture-'));
const without = HAS_FACES ? '' : ' (nothing is judged: FACES_DIR is not there)';

const takes = HAS_FACES ? await openTakes() : null;

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await takes?.remove();
});

it(`nothing acknowledged is lost by kill -9 of APIs, workers and PostgreSQL${without}`, async () => {
  const options = {
    folder,
    goals: { challenges: 150, kills: 9, judged: HAS_FACES ? 3 : 0 },
    killEveryMs: 2_500,
    workerShare: 0.27,
    captures: 6,
    uploadExpirySeconds: 120,
    takes,
    // Limits for a loaded machine; an idle one is done in a minute.
    loadMs: 300_000,
    settleWithinMs: 180_000,
  };
  const outcome = await torture(options);
  expect(outcome.status).toBe('verified');
  if (outcome.status !== 'verified') return;
  expect(outcome.quiet).toBe(true);
  expect(outcome.ledger.all('endedByItself')).toEqual([]);
  const broken = outcome.checks.filter((check) => check.broken.length > 0);
  expect(broken).toEqual([]);
}, 600_000);
