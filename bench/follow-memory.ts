// `npm run bench`, or alone: `node --expose-gc --import tsx bench/follow-memory.ts [JUDGEMENTS]`. Measures how much
// memory one followed capture holds, and whether anything is left behind after many.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { judge, judgeGrowing } from '../src/evaluation/judge.ts';
import { loadModels, type Models } from '../src/models/load.ts';
import { facePath } from '../test/support/faces.ts';
import { render, type Section } from './report.ts';

/** Judgements over which growth is measured, unless another number is given. */
const JUDGEMENTS = 60;
/** Meshes (one per frame) between two samples: a garbage collection takes some milliseconds. */
const SAMPLE_EVERY = 6;
/** The interval at which the page announces slices. */
const SLICE_MS = 250;
const MB = 2 ** 20;
const SIZES = [
  { name: '640×480, 6 s', size: '640:480', seconds: 6 },
  { name: '800×600, 12 s', size: '800:600', seconds: 12 },
] as const;

/** Measures in a separate process, so that nothing else is counted. */
export function measureFollowMemory(): Section {
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--expose-gc', '--import', 'tsx', import.meta.filename, String(JUDGEMENTS), '--json'],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  );
  if (status !== 0) throw new Error(`the measurement ended with ${status}`);
  return JSON.parse(stdout) as Section;
}

/** Reachable bytes: the JavaScript heap and buffers. */
function held(): number {
  // Buffers are only released by the second collection.
  globalThis.gc!();
  globalThis.gc!();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** A face as a browser records it, looped to the given length. */
function makeClip(size: string, seconds: number): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-bench-'));
  try {
    const clip = join(folder, 'clip.webm');
    const [width, height] = size.split(':');
    const picture = `scale=-2:${height},pad=${width}:${height}:(ow-iw)/2:0,fps=30`;
    const codec = ['-c:v', 'libvpx-vp9', '-b:v', '2M', '-deadline', 'realtime', '-cpu-used', '8', '-an'];
    const source = [
      '-stream_loop',
      '-1',
      '-i',
      facePath('video/liveportrait/d19.mp4'),
      '-t',
      String(seconds),
    ];
    execFileSync('ffmpeg', ['-nostdin', '-v', 'error', ...source, '-vf', picture, ...codec, clip]);
    return readFileSync(clip);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The clip in slices, each delivered when it would have been recorded. */
async function* recorded(clip: Uint8Array, seconds: number): AsyncGenerator<Uint8Array> {
  const slices = Math.ceil((seconds * 1000) / SLICE_MS);
  for (let slice = 0; slice < slices; slice++) {
    await delay(SLICE_MS);
    const at = (n: number) => Math.floor((n * clip.length) / slices);
    yield clip.subarray(at(slice), at(slice + 1));
  }
}

const context = async () => ({ script: null, references: [] });

/** The models, calling back at some of the frames, because no timer runs while frames wait for their turn. */
function withSamples(models: Models, sample: () => void): Models {
  let meshes = 0;
  const run: Models['faceMesh']['run'] = (...input) => {
    if (++meshes % SAMPLE_EVERY === 0) sample();
    return models.faceMesh.run(...input);
  };
  return { ...models, faceMesh: { ...models.faceMesh, run } };
}

/**
 * The peak of reachable memory and of resident memory during one follow, both above the level before it, in MB. The
 * second is the kernel's high-water mark, which only rises.
 */
async function peakOf(models: Models, clip: Uint8Array, seconds: number): Promise<[number, number]> {
  const heldBefore = held();
  const residentBefore = process.memoryUsage.rss();
  let mostHeld = 0;
  const sampled = withSamples(models, () => {
    mostHeld = Math.max(mostHeld, held());
  });
  const judged = await judgeGrowing({ video: recorded(clip, seconds), context }, sampled);
  if (judged.status !== 'judged') throw new Error(`the clip was not judged: ${judged.reason}`);
  const mostResident = process.resourceUsage().maxRSS * 1024;
  return [(mostHeld - heldBefore) / MB, (mostResident - residentBefore) / MB];
}

/** Least-squares line through values at 0, 1, 2, …: its slope, and half the width of the slope's 95 % interval. */
function slopeOf(values: readonly number[]): { slope: number; half: number } {
  const n = values.length;
  const meanX = (n - 1) / 2;
  const meanY = values.reduce((sum, value) => sum + value, 0) / n;
  let [xx, xy] = [0, 0];
  for (const [x, y] of values.entries()) {
    xx += (x - meanX) ** 2;
    xy += (x - meanX) * (y - meanY);
  }
  const slope = xy / xx;
  const left = values.reduce((sum, y, x) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0);
  return { slope, half: 1.96 * Math.sqrt(left / (n - 2) / xx) };
}

async function measure(judgements: number): Promise<Section> {
  const models = await loadModels({
    modelsDir: resolve(import.meta.dirname, '..', 'build', 'models'),
    threads: 1,
  });
  try {
    const rows: string[][] = [];
    const short = makeClip('320:240', 2);
    for (let warm = 0; warm < 5; warm++) await judge({ video: short, script: null, references: [] }, models);
    for (const { name, size, seconds } of SIZES) {
      const clip = makeClip(size, seconds);
      const peaks = [await peakOf(models, clip, seconds), await peakOf(models, clip, seconds)];
      const [mostHeld, mostResident] = [0, 1].map((which) => Math.max(...peaks.map((peak) => peak[which]!)));
      rows.push([name, `${mostHeld!.toFixed(0)} MB`, `${mostResident!.toFixed(0)} MB`]);
    }
    const heldMb: number[] = [];
    const residentMb: number[] = [];
    for (let judged = 0; judged < judgements; judged++) {
      await judge({ video: short, script: null, references: [] }, models);
      heldMb.push(held() / MB);
      residentMb.push(process.memoryUsage.rss() / MB);
    }
    const growth = [heldMb, residentMb].map((values) => {
      // Anything created once and kept is created during the first third.
      const { slope, half } = slopeOf(values.slice(Math.floor(values.length / 3)));
      return `${(1000 * slope).toFixed(1)} ± ${(1000 * half).toFixed(1)} MB`;
    });
    rows.push([`growth in 1,000 judgements, from the last two thirds of ${judgements}`, ...growth]);
    return {
      title: 'Memory of a followed capture',
      method:
        'A recording that arrives in slices while it is made, and is judged meanwhile, in a process that does nothing else: peak reachable memory (heap and buffers, after a collection) and peak resident memory, beyond what was in use before, without the decoder; the larger of two runs. Then judgements of a 2 s clip, one after another.',
      columns: ['recording', 'reachable', 'resident'],
      rows,
    };
  } finally {
    await models.close();
  }
}

if (process.argv[1] === import.meta.filename) {
  const section = await measure(Number(process.argv[2] ?? JUDGEMENTS));
  process.stdout.write(process.argv.includes('--json') ? JSON.stringify(section) : render(section));
}
