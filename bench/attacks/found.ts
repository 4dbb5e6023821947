// Footage that was not made for this: replays filmed off a screen, prints from NUAA, and people who were not asked for
// anything. Windows of it are judged against fresh scripts.
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { drawScript } from '../../src/challenge/capturing/draw-script.ts';
import { PROMPT_NAMES } from '../../src/contract/script.ts';
import { encoderArguments, USUAL } from './camera.ts';
import { rewrite } from './edit-attacks.ts';
import { unanswered } from './performance.ts';
import type { Chance } from './random.ts';
import { PUBLIC_TAKES, type Take } from './sources.ts';
import type { Row, Species } from './studio.ts';

/** A segment of a public clip. */
interface Window {
  readonly file: string;
  readonly subject: string;
  readonly fromS: number;
  readonly lastsS: number;
}

const REPLAYS: readonly Take[] = [
  ['luyt', 'spoof/video/open/fake/tranvanluyt2203_fake.mp4', 21.2],
  ['zubair', 'spoof/video/open/fake/ZubairCracksCode_fake.mp4', 10.4],
];
/** A window is at most as long as the longest script; windows start APART_S apart. */
const WINDOW_S = 12;
const APART_S = 2;
const MIN_S = 6;
const SCRIPTS = 10;
/** Nobody in the footage heard a prompt: each is claimed to have been shown for this long. */
const STEP_MS = 1500;
/** NUAA's sequences contain about every fifth frame of a webcam at some 20 frames per second. */
const NUAA_FPS = 4;

export const FOUND: readonly Species[] = [
  windows('filmed_replay', REPLAYS),
  windows('other_footage', PUBLIC_TAKES),
  sequences('nuaa_print', 'attack', 'spoof/nuaa_seq/open/fake'),
  sequences('nuaa_live', 'bona_fide', 'spoof/nuaa_seq/open/real'),
];

function windows(name: string, clips: readonly Take[]): Species {
  const all = clips.flatMap(windowsOf);
  return {
    name,
    make: async (studio, take, chance) => {
      const window = all[take];
      if (!window) return;
      await studio.take(name, take, 'webm', async (path) => {
        const graph = `trim=start=${window.fromS},setpts=PTS-STARTPTS`;
        const recording = { ...USUAL, shortSidePx: 480 };
        await rewrite(join(studio.root, window.file), path, graph, recording, window.lastsS * 1000);
        return rows('attack', name, window.subject, chance);
      });
    },
  };
}

function windowsOf([subject, file, lastsS]: Take): Window[] {
  const found: Window[] = [];
  for (let fromS = 0; fromS + MIN_S <= lastsS; fromS += APART_S)
    found.push({ subject, file, fromS, lastsS: Math.min(WINDOW_S, lastsS - fromS) });
  return found;
}

function sequences(name: string, label: Row['label'], folder: string): Species {
  return {
    name,
    make: async (studio, take, chance) => {
      const sequence = readdirSync(join(studio.root, folder)).sort()[take];
      if (!sequence) return;
      await studio.take(name, take, 'webm', async (path) => {
        const from = join(studio.root, folder, sequence);
        const number = (file: string) => Number(/_(\d+)\.jpg$/.exec(file)?.[1]);
        const files = readdirSync(from).sort((a, b) => number(a) - number(b));
        const inputs = files.flatMap((file) => [
          '-loop',
          '1',
          '-t',
          String(1 / NUAA_FPS),
          '-i',
          join(from, file),
        ]);
        const joined = ['-filter_complex', `concat=n=${files.length}:v=1[out]`, '-map', '[out]'];
        const [, , , ...encoder] = encoderArguments({ ...USUAL, fps: NUAA_FPS });
        await promisify(execFile)(
          'ffmpeg',
          [
            ['-nostdin', '-v', 'error', '-y', ...inputs, ...joined],
            [...encoder, path],
          ].flat(),
        );
        // Too short for a script: only the passive checks.
        return rows(label, name, `nuaa_${sequence.slice(0, 4)}`, chance).filter(
          ({ script }) => script === null,
        );
      });
    },
  };
}

function rows(label: Row['label'], attack: string, subject: string, chance: Chance): Row[] {
  const draw = (least: number, most: number) => chance.integer(least, most);
  const scripts = Array.from({ length: SCRIPTS }, () =>
    unanswered(drawScript('standard', PROMPT_NAMES, null, draw), STEP_MS),
  );
  return [...scripts, null].map((script) => ({ label, attack, subject, script, made: 'filmed' }));
}
