// Time of one judgement of a 6 s 640×480 clip, step by step, compared with stock human on its wasm backend for the same
// frames.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judge } from '../src/evaluation/judge.ts';
import { DEFAULT_SETTINGS } from '../src/evaluation/settings.ts';
import { decodeClip } from '../src/evaluation/video/decode.ts';
import type { Frame } from '../src/evaluation/video/frame.ts';
import { loadModels } from '../src/models/load.ts';
import { facePath } from '../test/support/faces.ts';
import { timeStockHuman } from './baseline/stock-human.ts';
import { median, type Section } from './report.ts';

const RUNS = 9;
const SCRIPT = {
  steps: [
    { prompt: 'neutral', from_ms: 0, to_ms: 900 },
    { prompt: 'smile', from_ms: 900, to_ms: 3000 },
    { prompt: 'neutral', from_ms: 3000, to_ms: 6000 },
  ],
} as const;

/** Measures in this process, with the models loaded and warm, as in a worker. */
export async function measureJudgement(modelsDir: string): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-bench-'));
  const models = await loadModels({ modelsDir, threads: 1 });
  try {
    const clip = makeClip(folder);
    const script = { steps: [...SCRIPT.steps] };
    const runs: Record<string, number>[] = [];
    await judge({ video: clip, script, references: [] }, models);
    for (let run = 0; run < RUNS; run++) {
      const judgement = await judge({ video: clip, script, references: [] }, models);
      if (judgement.status !== 'judged') throw new Error(`the clip was not judged: ${judgement.reason}`);
      runs.push({ ...judgement.timingsMs });
    }
    const frames = await framesOf(clip);
    const stockMs = await timeStockHuman(frames);
    return report(runs, frames.length, stockMs);
  } finally {
    await models.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The first frame of the clip that is judged. */
export async function recordedFrame(): Promise<Frame> {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-bench-'));
  try {
    const [frame] = await framesOf(makeClip(folder));
    return frame!;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A clip as a browser would have recorded it: VP9 in WebM at about 2 Mbit/s. */
function makeClip(folder: string): string {
  const clip = join(folder, 'clip.webm');
  const picture = ['-vf', 'scale=480:480,pad=640:480:80:0,fps=30', '-t', '6'];
  const codec = ['-c:v', 'libvpx-vp9', '-b:v', '2M', '-deadline', 'realtime', '-cpu-used', '8', '-an'];
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-i',
    facePath('video/liveportrait/d19.mp4'),
    ...picture,
    ...codec,
    clip,
  ]);
  return clip;
}

async function framesOf(clip: string): Promise<Frame[]> {
  const decoded = await decodeClip(clip, DEFAULT_SETTINGS.video, async (frames) => {
    const kept: Frame[] = [];
    for await (const frame of frames) kept.push(frame);
    return kept;
  });
  if (decoded.status !== 'decoded') throw new Error('the clip was not decoded');
  return decoded.value;
}

function report(runs: Record<string, number>[], frames: number, stockMs: number): Section {
  const steps = Object.keys(runs[0]!).filter((step) => step !== 'total' && step !== 'rest');
  const of = (step: string) => runs.map((run) => run[step]!);
  const totalMs = median(of('total'));
  return {
    title: 'One judgement',
    method: `A 6 s 640×480 VP9 clip, ${frames} frames judged, ${RUNS} runs alone after a warm-up; networks on one thread, beside the decoder's process. \`decode\` is the time that tracking waited for frames.`,
    columns: ['step', 'median ms', 'share', 'min', 'max'],
    rows: [
      ...steps.map((step) => row(step, of(step), totalMs)),
      row('**total** (aim ≤ 1000)', of('total'), totalMs),
      [`stock human, wasm, same ${frames} frames`, stockMs.toFixed(0), '', '', ''],
      ['**ratio** (aim ≤ 0.3)', (totalMs / stockMs).toFixed(2), '', '', ''],
    ],
  };
}

function row(name: string, values: number[], totalMs: number): string[] {
  const share = `${((median(values) / totalMs) * 100).toFixed(0)} %`;
  return [
    name,
    median(values).toFixed(0),
    share,
    Math.min(...values).toFixed(0),
    Math.max(...values).toFixed(0),
  ];
}
