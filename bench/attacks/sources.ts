// The photographs and clips that footage is made from: the folders of FACES_DIR, or any folder with its own list.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { Prompt, Script } from '../../src/contract/script.ts';
import type { PhotoSource } from './portraits.ts';

/** A segment of bona fide footage without any internal cut, and the prompts that the person happens to follow. */
export interface GenuineClip {
  readonly file: string;
  readonly subject: string;
  readonly fromS: number;
  readonly lastsS: number;
  /** Each prompt and the second at which it could have been shown, from the segment's beginning; empty: no prompts. */
  readonly prompts: readonly (readonly [Prompt, number])[];
}

export interface Sources {
  readonly photos: readonly PhotoSource[];
  readonly clips: readonly GenuineClip[];
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
    };
  }
  return { photos: publicPhotos(root), clips: PUBLIC_CLIPS };
}

/** A clip's script, with the prompts shown up to `earlierMs` earlier than in the list. */
export function scriptOf(clip: GenuineClip, earlierMs: number): Script | null {
  if (clip.prompts.length === 0) return null;
  const starts = clip.prompts.map(([, atS], i) => (i === 0 ? 0 : Math.round(atS * 1000 - earlierMs)));
  const endMs = Math.floor(clip.lastsS * 1000);
  return {
    steps: clip.prompts.map(([prompt], i) => ({
      prompt,
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
  prompts: readonly (readonly [Prompt, number])[] = [],
): GenuineClip => ({ file, subject, fromS, lastsS, prompts });

const LP = 'video/liveportrait';
const LUYT = 'spoof/video/open/real/tranvanluyt2203_real.mp4';
const ZUBAIR = 'spoof/video/open/real/ZubairCracksCode_real.mov';

/** The times in the public clips were read off the tracked face, frame by frame. */
const PUBLIC_CLIPS: readonly GenuineClip[] = [
  clip('lp_d0', `${LP}/d0.mp4`, 0, 2.55, [
    ['neutral', 0],
    ['smile', 0.6],
  ]),
  clip('lp_d19', `${LP}/d19.mp4`, 2.0, 1.32, [
    ['neutral', 0],
    ['smile', 0.6],
  ]),
  clip('lp_d19', `${LP}/d19.mp4`, 6.0, 2.33, [
    ['neutral', 0],
    ['smile', 1.45],
  ]),
  clip('luyt', LUYT, 0, 8.9, [
    ['neutral', 0],
    ['turn_left', 1.6],
    ['neutral', 5.4],
    ['turn_right', 7.1],
  ]),
  clip('luyt', LUYT, 5.9, 2.8, [
    ['neutral', 0],
    ['turn_right', 1.2],
  ]),
  clip('luyt', LUYT, 0, 3.6, [
    ['neutral', 0],
    ['turn_left', 1.6],
  ]),
  clip('zubair', ZUBAIR, 0, 3.4, [
    ['neutral', 0],
    ['smile', 0.9],
  ]),
  clip('zubair', ZUBAIR, 0, 7.5, [
    ['neutral', 0],
    ['smile', 0.9],
    ['neutral', 4.6],
    ['turn_right', 6.6],
  ]),
  clip('lp_d3', `${LP}/d3.mp4`, 3.5, 2.7, [
    ['neutral', 0],
    ['turn_left', 1],
  ]),
  clip('lp_d3', `${LP}/d3.mp4`, 3.5, 6.1, [
    ['neutral', 0],
    ['turn_left', 1],
    ['neutral', 2.7],
    ['turn_left', 4.5],
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
