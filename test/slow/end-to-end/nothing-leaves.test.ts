// Runs the whole service where every query to a name server, every packet for another machine and every written file is
// seen. From start to stop it calls only the hosts it was told to call, and writes only to DATA_DIR.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HAS_FACES } from '../../support/faces.ts';
import { type Journey, NAMES } from './confined-journey.ts';

const ROOT = resolve(import.meta.dirname, '..', '..', '..');
const NAMESPACES = ['--net', '--mount', '--pid', '--fork', '--mount-proc', '--kill-child'];
const CONFINE = [...NAMESPACES, 'sh', resolve(import.meta.dirname, 'confine.sh')];
const canConfine = spawnSync('unshare', [...CONFINE, 'true'], { cwd: ROOT }).status === 0;

const why = [
  ...(canConfine
    ? []
    : ['namespaces and overlays cannot be made here: they want root on Linux, and iproute2']),
  ...(HAS_FACES ? [] : ['FACES_DIR is not there']),
];
const title = `nothing leaves that was not configured${why.length > 0 ? ` (skipped: ${why.join('; ')})` : ''}`;

describe.skipIf(why.length > 0)(title, () => {
  it.each([
    ['plain', 'the receiver of the webhook alone', [NAMES.receiver]],
    ['configured', 'what was configured and nobody else', Object.values(NAMES)],
  ])(
    '%s: calls %s, and writes nothing outside DATA_DIR',
    (mode, _whom, names) => {
      const journey = ['node_modules/.bin/tsx', 'test/slow/end-to-end/confined-journey.ts', mode];
      const run = spawnSync('unshare', [...CONFINE, ...journey], {
        cwd: ROOT,
        env: { PATH: process.env.PATH, TMPDIR: '/mnt/journey', FACES_DIR: process.env.FACES_DIR },
        encoding: 'utf8',
      });
      expect(run.status, run.stderr).toBe(0);
      const found: Journey = JSON.parse(run.stdout.trim().split('\n').at(-1)!);
      expect(Object.keys(found.asked).sort()).toEqual([...names].sort());
      expect(found).toMatchObject({
        packetsElsewhere: 0,
        written: [],
        exitCode: 0,
        result: 'fail',
        webhooks: 1,
      });
    },
    400_000,
  );
});
