// The photographs and clips that footage is made from: the folders of FACES_DIR, or any folder with its own list.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { Asked, Script } from '../../src/contract/script.ts';
import type { Amount } from '../../src/contract/target.ts';
import type { PhotoSource } from './portraits.ts';

/** A segment of bona fide footage without any internal cut, and the prompts that the person happens to follow. */
export interface GenuineClip {
  readonly file: string;
  readonly subject: string;
  readonly fromS: number;
  readonly lastsS: number;
  /** Each prompt and the second at which it could have been shown, from the segment's beginning; empty: no prompts. */
  readonly prompts: readonly (readonly [Asked, number])[];
}

/** People who talk, grimace, turn and laugh of their own accord in one shot, and its length in seconds. */
export type Take = readonly [subject: string, file: string, lastsS: number];

export interface Sources {
  readonly photos: readonly PhotoSource[];
  readonly clips: readonly GenuineClip[];
  readonly takes: readonly Take[];
}

/** Maximum number of photographs considered per person. */
const PHOTOS_EACH = 12;

/**
 * Reads `sources.csv` (columns file, subject, kind: photo or clip) if the folder has one, else the manifests of
 * FACES_DIR. The first frames of the clips become photographs too, written to `outDir`.
 */
export function findSources(root: string): Sources {
  const own = join(root, 'sources.csv');
  if (existsSync(own)) {
    const rows = readCsv(own);
    const of = (kind: string) =>
      rows.filter((row) => row.kind === kind).map((row) => ({ file: row.file!, subject: row.subject! }));
    return {
      photos: of('photo'),
      clips: of('clip').map((clip) => ({ ...clip, fromS: 0, lastsS: 12, prompts: [] })),
      takes: of('clip').map(({ subject, file }): Take => [subject, file, 12]),
    };
  }
  return { photos: publicPhotos(root), clips: PUBLIC_CLIPS, takes: PUBLIC_TAKES };
}

/** A clip's script, with the prompts shown up to `earlierMs` earlier than in the list. */
export function scriptOf(clip: GenuineClip, earlierMs: number): Script | null {
  if (clip.prompts.length === 0) return null;
  const starts = clip.prompts.map(([, atS], i) => (i === 0 ? 0 : Math.round(atS * 1000 - earlierMs)));
  const endMs = Math.floor(clip.lastsS * 1000);
  return {
    steps: clip.prompts.map(([asked], i) => ({
      ...asked,
      from_ms: starts[i]!,
      to_ms: starts[i + 1] ?? endMs,
    })),
  };
}

/** Extracts a photograph from the clip, for attacks on its person. */
export function pictureOf(root: string, outDir: string, { file, subject, fromS }: GenuineClip): PhotoSource {
  const to = join(outDir, 'pictures', `${subject}-${fromS}.png`);
  mkdirSync(join(outDir, 'pictures'), { recursive: true });
  if (!existsSync(to)) {
    const at = ['-ss', String(fromS + 0.2), '-i', join(root, file), '-frames:v', '1'];
    execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...at, to]);
  }
  return { file: to, subject };
}

function publicPhotos(root: string): PhotoSource[] {
  const photos = [
    ...readCsv(join(root, 'pairs', 'manifest.csv')).map((row) => ({
      file: row.file!,
      subject: row.identity!,
    })),
    ...readCsv(join(root, 'spoof', 'manifest.csv'))
      .filter((row) => row.label === 'real' && row.file!.includes('/nuaa/'))
      .map((row) => ({ file: row.file!, subject: row.identity! })),
  ];
  const taken = new Map<string, number>();
  return photos.filter(({ subject }) => {
    const count = (taken.get(subject) ?? 0) + 1;
    taken.set(subject, count);
    return count <= PHOTOS_EACH;
  });
}

function readCsv(path: string): Record<string, string>[] {
  return parse(readFileSync(path), { columns: true, bom: true, skip_empty_lines: true });
}

const clip = (
  subject: string,
  file: string,
  fromS: number,
  lastsS: number,
  prompts: readonly (readonly [Asked, number])[] = [],
): GenuineClip => ({ file, subject, fromS, lastsS, prompts });

const LP = 'video/liveportrait';
const LUYT = 'spoof/video/open/real/tranvanluyt2203_real.mp4';
const ZUBAIR = 'spoof/video/open/real/ZubairCracksCode_real.mov';

const NEUTRAL: Asked = { prompt: 'neutral' };
const SMILE: Asked = { prompt: 'smile' };
const target = (angle_deg: number, amount: Amount): Asked => ({ prompt: 'target', angle_deg, amount });

/**
 * The times in the public clips were read off the tracked face, frame by frame. Nobody in them aims at a dot: a target
 * is where the head happened to come to a hold. Turns that go beyond a far target, or never come to a hold, are left
 * out.
 */
const PUBLIC_CLIPS: readonly GenuineClip[] = [
  clip('lp_d0', `${LP}/d0.mp4`, 0, 2.55, [
    [NEUTRAL, 0],
    [SMILE, 0.6],
  ]),
  clip('lp_d19', `${LP}/d19.mp4`, 2.0, 1.32, [
    [NEUTRAL, 0],
    [SMILE, 0.6],
  ]),
  clip('lp_d19', `${LP}/d19.mp4`, 6.0, 2.33, [
    [NEUTRAL, 0],
    [SMILE, 1.45],
  ]),
  clip('luyt', LUYT, 5.9, 2.8, [
    [NEUTRAL, 0],
    [target(155, 'far'), 1.2],
  ]),
  clip('zubair', ZUBAIR, 0, 3.4, [
    [NEUTRAL, 0],
    [SMILE, 0.9],
  ]),
  clip('lp_d3', `${LP}/d3.mp4`, 3.5, 2.7, [
    [NEUTRAL, 0],
    [target(356, 'near'), 1],
  ]),
  clip('lp_d0', `${LP}/d0.mp4`, 0, 3.1),
  clip('lp_d19', `${LP}/d19.mp4`, 0, 8.3),
  clip('lp_d14', `${LP}/d14.mp4`, 0, 10),
  clip('lp_d10', `${LP}/d10.mp4`, 0, 8),
  clip('lp_d3', `${LP}/d3.mp4`, 0, 8),
  clip('lp_d20', `${LP}/d20.mp4`, 0, 7),
  clip('lp_s18', `${LP}/s18.mp4`, 0, 8),
  clip('lp_s29', `${LP}/s29.mp4`, 0, 5.3),
  clip('aoc', 'video/sadtalker/WDA_AlexandriaOcasioCortez_000.mp4', 0, 8),
  clip('luyt', LUYT, 10, 8),
  clip('zubair', ZUBAIR, 0, 6.6),
];

/** Those of the persons in these clips who wear glasses. */
export const WEAR_GLASSES: ReadonlySet<string> = new Set(['lp_d19', 'zubair']);

export const PUBLIC_TAKES: readonly Take[] = [
  ['luyt', LUYT, 20.7],
  ['zubair', ZUBAIR, 13.2],
  ['lp_d3', `${LP}/d3.mp4`, 11.8],
  ['lp_d10', `${LP}/d10.mp4`, 14.9],
  ['lp_d14', `${LP}/d14.mp4`, 17.9],
  ['lp_d19', `${LP}/d19.mp4`, 8.3],
  ['lp_d20', `${LP}/d20.mp4`, 7],
  ['lp_s18', `${LP}/s18.mp4`, 9.4],
  ['aoc', 'video/sadtalker/WDA_AlexandriaOcasioCortez_000.mp4', 8],
];
