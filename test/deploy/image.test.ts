// The image, built from the unchanged Dockerfile, and one container of it, which has its own PostgreSQL.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildImage, IMAGE } from './build-image.ts';
import { addressOf, HARDENED, killAndStart, podman, waitForReady } from './containers.ts';
import { ROOT } from './tools.ts';

/** How often each container is killed; `KILLS=3` for a quick run. */
const KILLS = Number(process.env.KILLS ?? 50);
const NAME = 'likeness-test-single';
const KEY = Buffer.alloc(32, 7).toString('base64');

const obstacle = buildImage();
if (obstacle) console.warn(`skipped, as containers do not run here: ${obstacle}`);

beforeAll(removeLeftovers);
afterAll(removeLeftovers);

async function removeLeftovers() {
  if (obstacle) return;
  await podman('rm', '--force', '--volumes', NAME).catch(() => {});
  await podman('volume', 'rm', '--force', NAME).catch(() => {});
  await podman('network', 'rm', '--force', NAME).catch(() => {});
}

test.skipIf(obstacle)(
  'is smaller than 500 MB, and contains neither compilers nor files for other platforms',
  async () => {
    const bytes = Number(await podman('image', 'inspect', IMAGE, '--format', '{{.Size}}'));
    console.log(`image: ${Math.round(bytes / 1e6)} MB`);
    expect(bytes).toBeLessThan(500e6);
    const run = ['run', '--rm', ...HARDENED, '--entrypoint', 'sh', IMAGE, '-c'];
    const found = await podman(
      ...run,
      'find node_modules/onnxruntime-node/bin -type f; ls -d node_modules/typescript || true',
    );
    expect(found).not.toMatch(/win32|darwin|typescript$/m);
  },
);

test.skipIf(obstacle)(
  'decodes every judged codec as this machine does, by frames, sizes and a sum of pixels',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'likeness-clips-'));
    try {
      chmodSync(folder, 0o755);
      for (const [name, ...how] of CLIPS) {
        const source = ['-f', 'lavfi', '-i', 'testsrc=s=320x240:r=15:d=2', '-pix_fmt', 'yuv420p'];
        execFileSync('ffmpeg', ['-v', 'error', ...source, ...how, join(folder, name)]);
      }
      const rotated = ['-i', join(folder, 'h264.mp4'), '-c', 'copy', '-metadata:s:v', 'rotate=90'];
      execFileSync('ffmpeg', ['-v', 'error', ...rotated, join(folder, 'rotated.mp4')]);
      const script = join(ROOT, 'test/deploy/decode-clips.js');
      const here = execFileSync(process.execPath, [script, ROOT, folder], { encoding: 'utf8' });
      const there = await podman(
        'run',
        '--rm',
        ...HARDENED,
        '--network',
        'none',
        '--entrypoint',
        'node',
        '-v',
        `${folder}:/clips:ro`,
        '-v',
        `${script}:/decode-clips.js:ro`,
        IMAGE,
        '/decode-clips.js',
        '/likeness',
        '/clips',
      );
      const seen = JSON.parse(there);
      for (const [name] of [...CLIPS, ['rotated.mp4']])
        expect(seen[name!], name).toMatchObject({ status: 'decoded', sourceFrameCount: 30 });
      expect(seen['rotated.mp4']).toMatchObject({ width: 240, height: 320 });
      expect(seen).toEqual(JSON.parse(here));
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

const CLIPS: [name: string, ...how: string[]][] = [
  ['vp8.webm', '-c:v', 'libvpx'],
  ['vp9.webm', '-c:v', 'libvpx-vp9', '-deadline', 'realtime'],
  ['av1.webm', '-c:v', 'libaom-av1', '-cpu-used', '8', '-usage', 'realtime'],
  ['h264.mp4', '-c:v', 'libx264'],
  ['h264.mkv', '-c:v', 'libx264'],
  ['hevc.mp4', '-c:v', 'libx265', '-x265-params', 'log-level=none'],
  ['mpeg4.mp4', '-c:v', 'mpeg4'],
];

/** Starts decoders as a worker does, prints their process ids, and is killed while they run. */
const LEAVE_DECODERS = `
  const { spawn } = require('node:child_process');
  const decode = () => spawn('ffmpeg', ['-v', 'error', '-f', 'matroska', '-i', 'pipe:0', '-f', 'rawvideo', 'pipe:1']).pid;
  process.stdout.write([decode(), decode(), decode()].join(' '), () => setTimeout(() => process.kill(process.pid, 'SIGKILL'), 500));
`;

test.skipIf(obstacle)(
  `one container, read-only: a first account, ${KILLS} kills, and a graceful shutdown`,
  async () => {
    const settings = { MASTER_KEY: KEY, BASE_URL: 'https://likeness.example.org' };
    // Podman's default network may have a bridge of an older one in its way, with the same addresses.
    await podman('network', 'create', NAME);
    await podman(
      'run',
      '--detach',
      '--name',
      NAME,
      '--network',
      NAME,
      ...HARDENED,
      '--volume',
      `${NAME}:/var/lib/likeness`,
      ...Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
      IMAGE,
    );
    await waitForReady(NAME, ':8080/readyz', 60_000);
    // Signals reach node through tini, which reaps orphaned processes. With node as process 1 these would stay as
    // zombies.
    const first = await podman('exec', NAME, 'cat', '/proc/1/cmdline', '/proc/1/task/1/children');
    expect(first.replaceAll('\0', ' ')).toMatch(/^tini -- node dist\/cli\/program\.js serve \d+$/);
    const decoders = await podman('exec', NAME, 'sh', '-c', `node -e "${LEAVE_DECODERS}" || true`);
    const folders = decoders.split(' ').map((pid) => `/proc/${pid}`);
    expect(folders).toHaveLength(3);
    const left = () => podman('exec', NAME, 'sh', '-c', `ls -d ${folders.join(' ')} 2>/dev/null || true`);
    await expect.poll(left, { timeout: 10_000 }).toBe('');
    const made = JSON.parse(await podman('exec', NAME, 'likeness', 'accounts', 'create', 'shop', '--json'));
    const times: number[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      await killAndStart(NAME);
      times.push(await waitForReady(NAME, ':8080/readyz', 60_000));
      const answer = await fetch(`http://${await addressOf(NAME)}:8080/v1/challenges`, {
        headers: { authorization: `Basic ${made.api_key}` },
      });
      expect(answer.status).toBe(200);
    }
    console.log(`ready again after ${times.map((ms) => (ms / 1000).toFixed(1)).join(', ')} s`);
    await podman('stop', '--time', '20', NAME);
    expect(await podman('inspect', NAME, '--format', '{{.State.ExitCode}}')).toBe('0');
  },
  3_600_000,
);
