// What a decoder can reach, observed from inside with the real program, for a service run by root and by an ordinary
// user.
import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Confinement,
  confinements,
  findConfinement,
  spawnConfined,
} from '../../../src/confined/confinement.ts';
import { probeConfinement } from '../../../src/confined/confinement-probe.ts';
import { mediaTool } from '../../../src/confined/program.ts';
import { clipFolder, testPicture } from '../../evaluation/video/make-clip.ts';

const FFMPEG = mediaTool('ffmpeg');
const IS_ROOT = process.getuid?.() === 0;
const OTHER_UID = 12_345;
const AS_OTHER = ['setpriv', `--reuid=${OTHER_UID}`, `--regid=${OTHER_UID}`, '--clear-groups'];

/** How this service starts decoders, and, as root, also how an ordinary user's service would. */
const starts = [
  ...confinements(FFMPEG).map((confinement) => ({ of: IS_ROOT ? 'root' : 'a user', confinement })),
  ...(IS_ROOT ? confinements(FFMPEG, OTHER_UID) : []).map(({ by, wrapper }) => ({
    of: 'a user',
    confinement: { by, wrapper: [...AS_OTHER, ...wrapper] },
  })),
].map((start) => ({ name: `${start.confinement.by} for ${start.of}`, ...start }));

const works = ({ wrapper }: Confinement) => {
  try {
    execFileSync(wrapper[0] ?? 'true', [...wrapper.slice(1), 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

let folder: string;
let keyFile: string;
let server: Server;
let connections = 0;
let port: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'likeness-confined-'));
  keyFile = join(folder, 'master.key');
  await writeFile(keyFile, 'secret', { mode: 0o600 });
  // Only the file's own mode excludes others.
  await chmod(folder, 0o755);
  server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as { port: number }).port;
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

const run = async (confinement: Confinement, program: string, args: string[]) => {
  const child = spawnConfined(confinement, mediaTool(program), args, 'ignore');
  return new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
};

/** Whether the real tool reached a server of this machine. */
const connects = async (confinement: Confinement) => {
  const before = connections;
  await run(confinement, 'ffprobe', ['-v', 'quiet', `tcp://127.0.0.1:${port}`]);
  return connections > before;
};

describe.each(starts)('$name', ({ of, confinement }) => {
  const { by } = confinement;
  const apart = by === 'bubblewrap' || by === 'namespaces';

  it.skipIf(!works(confinement))('reaches what it claims and no more', async () => {
    const reach = await probeConfinement(confinement, [keyFile, folder]);
    expect(reach).toMatchObject({
      network: !apart,
      privileges: by === 'limits',
      variables: ['PATH', 'LC_ALL', 'PWD'],
    });
    expect(await connects(confinement)).toBe(!apart);
    if (by === 'bubblewrap') expect(reach?.files).toEqual([]);
    if (apart) expect(reach?.processes).toBe(0);
    if (of !== 'root') return;
    // Without confinement, root's decoder can read the key and the environment that contains it: the probe would detect
    // that.
    expect(reach?.files.includes(keyFile)).toBe(by === 'limits');
    // Decoders of other tests may run as the same user at that moment. Without confinement it is always this process.
    const reaches = async () => (await probeConfinement(confinement, []))!.processes > 0;
    await expect.poll(reaches).toBe(by === 'limits');
    expect(reach!.uid >= 65_520 && reach!.uid <= 65_533).toBe(by !== 'limits');
  });

  it.skipIf(!works(confinement))(
    'reports a missing program, and enforces the limit of processor time',
    async () => {
      expect(await run(confinement, join(folder, 'no-such-program'), [])).toBe(127);
      const startedAt = process.cpuUsage();
      expect(await run(confinement, '/bin/sh', ['-c', 'ulimit -t 1; while :; do :; done'])).not.toBe(0);
      expect(process.cpuUsage(startedAt).user).toBeLessThan(20e6);
    },
  );

  it.skipIf(!works(confinement))('leaves nothing running when it is killed', async () => {
    const mark = `600.0${starts.findIndex((start) => start.confinement === confinement)}${process.pid}`;
    const child = spawnConfined(confinement, mediaTool('sleep'), [mark], 'ignore');
    await expect.poll(() => running(mark)).toContain('sleep');
    child.kill('SIGKILL');
    await expect.poll(() => running(mark)).toEqual([]);
  });
});

/** Programs whose last argument is `mark`, except those that wait for another. */
async function running(mark: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
  return lines.map((line) => line.split('\0')).flatMap((args) => (args.at(-2) === mark ? [args[0]!] : []));
}

it('gives a decoder 400 MB of memory', async () => {
  const confinement = await findConfinement(FFMPEG);
  // Holds so many bytes in memory.
  const hold = (bytes: number) =>
    run(confinement, '/bin/sh', ['-c', `set -e; head -c 500000000 /dev/zero | tail -c ${bytes} >/dev/null`]);
  expect(await hold(250_000_000)).toBe(0);
  expect(await hold(450_000_000)).toBe(1);
});

it('is the strongest one in which the program runs', async () => {
  const { by } = await findConfinement(FFMPEG);
  expect(by).toBe(confinements(FFMPEG).find(works)?.by);
  expect(await findConfinement(FFMPEG)).toBe(await findConfinement(FFMPEG));
});

it.runIf(IS_ROOT)('never runs as root if it can have another user', async () => {
  expect((await findConfinement(FFMPEG)).by).not.toBe('limits');
});

it('finds a program outside the system’s folders', async () => {
  const program = join(folder, 'my-ffmpeg');
  await writeFile(program, '#!/bin/sh\nexec ffmpeg "$@"\n', { mode: 0o755 });
  expect((await findConfinement(mediaTool(program))).by).toBe((await findConfinement(FFMPEG)).by);
});

describe('a video that only its owner can read', () => {
  it('is decoded from an unnamed copy', async () => {
    const { decodeClip } = await import('../../../src/evaluation/video/decode.ts');
    const { DEFAULT_SETTINGS } = await import('../../../src/evaluation/settings.ts');
    const clips = await clipFolder();
    try {
      const path = await clips.make('own.webm', [...testPicture('160x120', 24, 2), '-c:v', 'libvpx']);
      await chmod(path, 0o600);
      const tempDir = await mkdtemp(join(folder, 'tmp-'));
      const settings = { ...DEFAULT_SETTINGS.video, tempDir };
      const result = await decodeClip(path, settings, async (frames) => {
        for await (const _ of frames);
      });
      expect(result.status).toBe('decoded');
      expect(await readdir(tempDir)).toEqual([]);
    } finally {
      await clips.remove();
    }
  });
});
