// Measures what the liveness checks of one 6 s clip cost on one core.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Script } from '../src/contract/script.ts';
import { GATHER_STEPS, gather } from '../src/evaluation/gather.ts';
import { runChecks } from '../src/evaluation/liveness/checks.ts';
import { sequencePrints } from '../src/evaluation/liveness/sequence-prints.ts';
import { DEFAULT_SETTINGS } from '../src/evaluation/settings.ts';
import { Stopwatch } from '../src/evaluation/stopwatch.ts';
import { loadModels } from '../src/models/load.ts';
import { facePath } from '../test/support/faces.ts';
import { median, type Section } from './report.ts';

const RUNS = 9;
const SCRIPT: Script = {
  steps: [
    { prompt: 'neutral', from_ms: 0, to_ms: 900 },
    { prompt: 'turn_left', from_ms: 900, to_ms: 2300 },
    { prompt: 'smile', from_ms: 2300, to_ms: 4000 },
    { prompt: 'turn_right', from_ms: 4000, to_ms: 5700 },
  ],
};

/** Complements `bench/judgement.ts`, whose clip contains no turn. Tracking and embedding are counted there. */
export async function measureLivenessCost(modelsDir: string): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-bench-'));
  const models = await loadModels({ modelsDir, threads: 1 });
  try {
    const clip = makeTurningClip(folder);
    const gathered = await gather(clip, DEFAULT_SETTINGS, models, new Stopwatch(GATHER_STEPS));
    if (gathered.status !== 'gathered') throw new Error('the clip was not decoded');
    const { evidence } = gathered;
    const steps = {
      'all checks': cpuMs(() => runChecks({ ...evidence, script: SCRIPT, submission: null })),
      'prints of the frames': cpuMs(() => sequencePrints(evidence.clip)),
    };
    const sum = Object.values(steps).reduce((total, ms) => total + ms, 0);
    return {
      title: 'Liveness checks',
      method: `A 6 s 640×480 VP9 clip of a turning head, ${evidence.observations.length} frames judged; CPU time of the one thread that runs them, median of ${RUNS}. Without a PAD pack.`,
      columns: ['step', 'CPU ms'],
      rows: [
        ...Object.entries(steps).map(([step, ms]) => [step, ms.toFixed(0)]),
        ['**all** (aim ≤ 400)', sum.toFixed(0)],
      ],
    };
  } finally {
    await models.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A person who turns to one side and the other, filmed at arm's length, sped up 1.5 times to fit into 6 s. */
function makeTurningClip(folder: string): string {
  const clip = join(folder, 'turns.webm');
  const source = ['-ss', '1.2', '-i', facePath('spoof/video/open/real/tranvanluyt2203_real.mp4')];
  const picture = ['-vf', 'setpts=PTS/1.5,scale=-2:480,pad=640:480:(ow-iw)/2:0,fps=30', '-t', '6'];
  const codec = ['-c:v', 'libvpx-vp9', '-b:v', '2M', '-deadline', 'realtime', '-cpu-used', '8', '-an'];
  execFileSync('ffmpeg', ['-nostdin', '-v', 'error', ...source, ...picture, ...codec, clip]);
  return clip;
}

/** Measures CPU time rather than wall-clock time, so that other work on the machine does not count. */
function cpuMs(work: () => void): number {
  work();
  const runs = Array.from({ length: RUNS }, () => {
    const from = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(from);
    return (user + system) / 1000;
  });
  return median(runs);
}
