// How the laboratory makes films, on test pictures without a face.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chanceOf } from '../../../bench/attacks/random.ts';
import { fresh } from '../../../bench/attacks/shots.ts';
import { asRecorded, withinLimits } from '../../../bench/inject/species/films.ts';
import { walk } from '../../../bench/inject/species/walk.ts';
import { atOtherTimes, clusterOf, demux, signedAsBrowser } from '../../../bench/inject/webm.ts';
import { matchesDrawnScript } from '../../../src/challenge/capturing/performed-script.ts';
import type { Script } from '../../../src/contract/script.ts';
import { performedStep } from '../../../src/contract/script-steps.ts';

const FPS = 24;
const FRAMES = 48;

/** Times of the frames as the file states them, ms. */
function frameTimes(film: Uint8Array): number[] {
  let found: readonly number[] = [];
  atOtherTimes(film, (timesMs) => {
    found = timesMs;
    return timesMs;
  });
  return [...found];
}

describe('a WebM file in a forger’s hands', () => {
  let folder: string;
  let film: Buffer;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'likeness-webm-'));
    const path = join(folder, 'film.webm');
    execFileSync(
      'ffmpeg',
      [
        ['-v', 'error', '-f', 'lavfi', '-i', `testsrc=size=128x96:rate=${FPS}:duration=${FRAMES / FPS}`],
        ['-c:v', 'libvpx', '-b:v', '200k', path],
      ].flat(),
    );
    film = readFileSync(path);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const probed = (bytes: Buffer, entries: string): string[] => {
    const path = join(folder, 'probed.webm');
    writeFileSync(path, bytes);
    const of = ['-v', 'error', '-select_streams', 'v', '-show_entries', entries, '-of', 'csv=p=0', path];
    const { stdout, stderr } = spawnSync('ffprobe', of, { encoding: 'utf8' });
    // ffprobe carries on after what it cannot read. Only what it writes to stderr reveals a broken file.
    expect(stderr).toBe('');
    return stdout.trim().split('\n');
  };
  const times = (bytes: Buffer) =>
    probed(bytes, 'packet=pts_time').map((line) => 1000 * Number.parseFloat(line));

  test('is put together from pieces while it is recorded, and can be decoded', () => {
    const whole = join(folder, 'piece.webm');
    writeFileSync(whole, film);
    const copied = ['-c', 'copy', '-f', 'webm', '-live', '1', 'pipe:1'];
    const { head, frames } = demux(execFileSync('ffmpeg', ['-v', 'error', '-i', whole, ...copied]));
    expect(head.includes('Lav')).toBe(false);
    expect(frames).toHaveLength(FRAMES);
    const lastsMs = (FRAMES * 1000) / FPS;
    const again = frames.map((frame) => ({ ...frame, timeMs: frame.timeMs + lastsMs }));
    const half = FRAMES / 2;
    const clusters = [frames.slice(0, half), frames.slice(half), again.slice(0, 5), again.slice(5)].map(
      clusterOf,
    );
    const twice = Buffer.concat([head, ...clusters]);
    expect(times(twice).map(Math.round)).toEqual(
      [...frames, ...again].map(({ timeMs }) => Math.round(timeMs)),
    );
    expect(probed(twice, 'frame=pict_type')).toHaveLength(2 * FRAMES);
  });

  test('has the frames that ffprobe sees, at their times', () => {
    expect(frameTimes(film)).toHaveLength(FRAMES);
    expect(frameTimes(film)).toEqual(times(film).map(Math.round));
  });

  test('keeps every byte except the times', () => {
    const later = atOtherTimes(film, (timesMs) => timesMs.map((timeMs) => timeMs + 7));
    expect(later).toHaveLength(film.length);
    expect(frameTimes(later)).toEqual(frameTimes(film).map((timeMs) => timeMs + 7));
    expect(atOtherTimes(later, (timesMs) => timesMs.map((timeMs) => timeMs - 7)).equals(film)).toBe(true);
  });

  test('can still be decoded when its times run backwards, stand still or are uneven', () => {
    const backward = atOtherTimes(film, (timesMs) =>
      timesMs.map((timeMs, i) => (i % 6 === 5 ? timesMs[i - 2]! : timeMs)),
    );
    const told = frameTimes(backward);
    expect(told.some((timeMs, i) => i > 0 && timeMs < told[i - 1]!)).toBe(true);
    expect(probed(backward, 'packet=size')).toHaveLength(FRAMES);
  });

  test('claims that a browser wrote it, and has a camera’s jitter', () => {
    expect(probed(film, 'format_tags=encoder').join()).toContain('Lavf');
    const signed = signedAsBrowser(film);
    expect(signed).toHaveLength(film.length);
    expect(signed.includes('Lavf')).toBe(false);
    expect(probed(signed, 'format_tags=encoder').join()).toContain('Chrome');
    const intervals = times(asRecorded(film, chanceOf('tremble'))).map(
      (timeMs, i, all) => timeMs - (all[i - 1] ?? 0),
    );
    expect(intervals.slice(1).every((interval) => interval > 0)).toBe(true);
    expect(new Set(intervals.map(Math.round)).size).toBeGreaterThan(4);
  });
});

test('the service accepts a script adjusted to its limits, whatever its step lengths', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.array(fc.integer({ min: 0, max: 9000 }), { minLength: 12, maxLength: 12 }),
      (seed, lengths) => {
        const drawn = fresh(chanceOf(seed));
        let at = 0;
        const steps: Script['steps'] = drawn.steps.map((step, i) => {
          const from_ms = at;
          at += lengths[i]!;
          return performedStep(step, from_ms, at);
        });
        return matchesDrawnScript(withinLimits({ steps }, drawn), drawn);
      },
    ),
  );
});

test('a walk goes from picture to picture without a jump, and reaches the prompted movement', () => {
  const film = {
    rest: { first: 0, last: 7 },
    moves: { smile: { first: 8, heldFrom: 19, last: 29 } },
  };
  const script: Script = {
    steps: [
      { prompt: 'neutral', from_ms: 0, to_ms: 1000 },
      { prompt: 'smile', from_ms: 1000, to_ms: 3500 },
      { prompt: 'neutral', from_ms: 3500, to_ms: 6000 },
    ],
  };
  fc.assert(
    fc.property(fc.string(), (seed) => {
      const shown = walk(film, script, chanceOf(seed));
      expect(shown.every((position, i) => i === 0 || Math.abs(position - shown[i - 1]!) <= 1)).toBe(true);
      const held = shown.slice(2.6 * 25, 3.5 * 25);
      expect(held.every((position) => position >= 19)).toBe(true);
      expect(shown.at(-1)).toBeLessThan(8);
    }),
  );
});
