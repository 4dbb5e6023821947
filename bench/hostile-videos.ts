// Measures how long an honest person waits behind another account's videos of maximum length and size, and how much
// memory the worker holds meanwhile. `npx tsx bench/hostile-videos.ts [COUNT…]`.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { TestApi } from '../test/support/api.ts';
import { facePath } from '../test/support/faces.ts';
import { type RunningService, withService } from '../test/support/running-service.ts';
import { samplePeaks } from './memory.ts';
import { render } from './report.ts';
import { makeClip, submitClip } from './uploads.ts';

const COUNTS = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [4, 40];
const WAIT_MS = 30 * 60_000;

/** 29 seconds of a face at the largest accepted frame size. */
function makeHostileClip(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-bench-'));
  const clip = join(folder, 'hostile.webm');
  const source = ['-stream_loop', '-1', '-i', facePath('video/liveportrait/d19.mp4')];
  const picture = ['-vf', 'scale=1440:1440,pad=1920:1440:240:0', '-r', '30', '-t', '29'];
  const codec = ['-c:v', 'libvpx-vp9', '-b:v', '4M', '-deadline', 'realtime', '-cpu-used', '8', '-an'];
  execFileSync('ffmpeg', ['-v', 'error', ...source, ...picture, ...codec, clip]);
  const bytes = readFileSync(clip);
  rmSync(folder, { recursive: true, force: true });
  return bytes;
}

/** An API client of a second account, besides the development account. */
function anotherAccount(service: RunningService): TestApi {
  const likeness = resolve(import.meta.dirname, '..', 'bin', 'likeness');
  const environment = { ...process.env, DATA_DIR: service.dataDir, LOG_LEVEL: 'error' };
  const made = execFileSync(likeness, ['accounts', 'create', `hostile-${Date.now()}`, '--json'], {
    env: environment,
  });
  const { api_key } = JSON.parse(made.toString());
  return new TestApi({ url: service.url, credentials: { ...service.credentials, api_key } });
}

async function measure(
  service: RunningService,
  hostile: Buffer,
  honest: Buffer,
  count: number,
): Promise<string[]> {
  const attacker = anotherAccount(service);
  const pages = await Promise.all(Array.from({ length: count }, () => submitClip(attacker, hostile)));
  const from = performance.now();
  const peaks = samplePeaks(service);
  const person = await submitClip(new TestApi(service), honest);
  const estimateMs: number = (await person.call('GET', '/outcome')).body.estimate_ms;
  const outcome = await person.outcome(WAIT_MS);
  const waitedS = (performance.now() - from) / 1000;
  await Promise.all(pages.map((page) => page.outcome(WAIT_MS)));
  const allS = (performance.now() - from) / 1000;
  const memory = peaks.stop();
  return [
    ...[String(count), waitedS.toFixed(1), (estimateMs / 1000).toFixed(1), outcome.status, allS.toFixed(1)],
    ...[memory.get('worker')!.toFixed(0), (memory.get('ffmpeg') ?? 0).toFixed(0)],
  ];
}

const environment = {
  LOG_LEVEL: 'warn',
  LIVENESS_PROMPTS: 'smile,neutral',
};
await withService(environment, async (service) => {
  const [hostile, honest] = [makeHostileClip(), makeClip()];
  const rows: string[][] = [];
  for (const count of [0, ...COUNTS]) rows.push(await measure(service, hostile, honest, count));
  const section = {
    title: 'One account against another',
    method: `Uploads of another account, 29 s at 1920 × 1440 (${(hostile.length / 1e6).toFixed(0)} MB), are waiting for judgement when one honest clip arrives, 6 s at 640 × 480. One worker.`,
    columns: [
      ...[
        'hostile uploads',
        'the honest clip waits, s',
        'estimate given, s',
        'told',
        'until all are judged, s',
      ],
      ...['worker peak RSS, MB', 'ffmpeg peak RSS, MB'],
    ],
    rows,
  };
  process.stdout.write(`${render(section)}\n`);
});
