// The material for measuring the PAD network: camera footage and filmed replays, recoded and degraded in named ways,
// NUAA's webcam stills, and a sample of the generator's species.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ManifestRow, readManifest } from '../src/measurement/pad-manifest.ts';
import type { Recording } from './attacks/camera.ts';
import { rewrite } from './attacks/edit-attacks.ts';

/** One capture: a clip, or stills of one person in one session in place of one. */
export interface Presentation {
  /** Stable; names the file that stores its scores. */
  readonly id: string;
  readonly files: readonly string[];
  readonly subject: string;
  /** Attack species; null: bona fide. */
  readonly species: string | null;
  /** How it was recoded or degraded. */
  readonly condition: string;
  /** Writes the file if it has to be made first. */
  readonly make?: () => Promise<void>;
}

interface Source {
  readonly subject: string;
  readonly file: string;
  readonly species: string | null;
  /** Start times of the windows, in seconds. */
  readonly fromS: readonly number[];
}

const WINDOW_S = 5;

/** People in front of their own cameras, and the two clips filmed off screens. */
const SOURCES: readonly Source[] = [
  { subject: 'luyt', file: 'spoof/video/open/real/tranvanluyt2203_real.mp4', species: null, fromS: [0] },
  { subject: 'zubair', file: 'spoof/video/open/real/ZubairCracksCode_real.mov', species: null, fromS: [0] },
  { subject: 'lp_d0', file: 'video/liveportrait/d0.mp4', species: null, fromS: [0] },
  { subject: 'lp_d3', file: 'video/liveportrait/d3.mp4', species: null, fromS: [6] },
  { subject: 'lp_d10', file: 'video/liveportrait/d10.mp4', species: null, fromS: [0] },
  { subject: 'lp_d14', file: 'video/liveportrait/d14.mp4', species: null, fromS: [9] },
  { subject: 'lp_d19', file: 'video/liveportrait/d19.mp4', species: null, fromS: [0] },
  { subject: 'lp_d20', file: 'video/liveportrait/d20.mp4', species: null, fromS: [0] },
  { subject: 'lp_s18', file: 'video/liveportrait/s18.mp4', species: null, fromS: [0] },
  { subject: 'lp_s29', file: 'video/liveportrait/s29.mp4', species: null, fromS: [0] },
  { subject: 'aoc', file: 'video/sadtalker/WDA_AlexandriaOcasioCortez_000.mp4', species: null, fromS: [0] },
  {
    ...{ subject: 'luyt', file: 'spoof/video/open/fake/tranvanluyt2203_fake.mp4', species: 'filmed_replay' },
    fromS: [0, 8, 15],
  },
  {
    ...{
      subject: 'zubair',
      file: 'spoof/video/open/fake/ZubairCracksCode_fake.mp4',
      species: 'filmed_replay',
    },
    fromS: [0, 5],
  },
];

const VP8: Recording = { codec: 'vp8', fps: 24, kbps: 2000, shortSidePx: 480 };

/** What recorder and light do to a clip: the page's codecs at their usual rate, then degradations. */
const CONDITIONS: Readonly<Record<string, { recording: Recording; filters?: string }>> = {
  vp8: { recording: VP8 },
  vp9: { recording: { codec: 'vp9', fps: 24, kbps: 2500, shortSidePx: 480 } },
  h264: { recording: { codec: 'h264', fps: 30, kbps: 2500, shortSidePx: 480 } },
  'low rate': { recording: { codec: 'vp9', fps: 24, kbps: 120, shortSidePx: 480 } },
  'small picture': { recording: { codec: 'vp8', fps: 15, kbps: 500, shortSidePx: 240 } },
  blurred: { recording: VP8, filters: 'gblur=sigma=2' },
  dim: { recording: VP8, filters: 'eq=gamma=0.6:brightness=-0.08,noise=alls=6:allf=t' },
  dark: { recording: VP8, filters: 'eq=gamma=0.35:brightness=-0.12,noise=alls=10:allf=t' },
};

/** The clips of `faces`, cut and recoded into `dir` when they are measured. */
export function recodedClips(faces: string, dir: string): Presentation[] {
  return Object.entries(CONDITIONS).flatMap(([condition, { recording, filters }]) =>
    SOURCES.flatMap(({ subject, file, species, fromS }) =>
      fromS.map((from) => {
        const id = `${species ?? 'live'}-${subject}-${from}-${condition.replaceAll(' ', '-')}`;
        const path = join(dir, `${id}.${recording.codec === 'h264' ? 'mp4' : 'webm'}`);
        const graph = [`trim=start=${from}`, 'setpts=PTS-STARTPTS', ...(filters ? [filters] : [])].join(',');
        const make = () => rewrite(join(faces, file), path, graph, recording, WINDOW_S * 1000);
        return { id, files: [path], subject, species, condition, make };
      }),
    ),
  );
}

/** Number of stills of one person and session that represent one capture, as its portraits do. */
const STILLS = 5;

/**
 * NUAA's webcam: people, and their printed photographs held in front of it. Each still of a print shows a different
 * print.
 */
export function nuaaCaptures(faces: string): Presentation[] {
  return (['real', 'fake'] as const).flatMap((label) =>
    ['nuaa', 'nuaa_seq'].flatMap((set) => {
      const folder = join(faces, 'spoof', set, 'open', label);
      return readdirSync(folder).flatMap((session) => {
        const files = readdirSync(join(folder, session))
          .filter((file) => file.endsWith('.jpg'))
          .sort()
          .map((file) => join(folder, session, file));
        const groups = Array.from({ length: Math.ceil(files.length / STILLS) }, (_, i) =>
          files.slice(i * STILLS, (i + 1) * STILLS),
        );
        return groups.map((group, i) => ({
          ...{ id: `nuaa-${label}-${set}-${session}-${i}`, files: group },
          ...{ subject: `nuaa_${session.slice(0, 4)}`, condition: 'webcam stills' },
          species: label === 'real' ? null : 'nuaa_print',
        }));
      });
    }),
  );
}

/** Species that differ in script or film but not in the origin of the face's pixels. */
const ALIKE =
  /^(old_recording_|puppet_|action_library_(black|blur|freeze)|identity_splice_(?!none)|wrong_order|loop)/;

/**
 * At most `each` clips of every species, and all bona fide ones, from a folder that bench/attacks/generate.ts filled.
 */
export async function generated(set: string, each: number): Promise<Presentation[]> {
  const lists = ['manifest-passive.csv', 'manifest.csv'].map((list) => readManifest(join(set, list)));
  const taken = new Map<string, ManifestRow>();
  const count = new Map<string, number>();
  for (const row of (await Promise.all(lists)).flat()) {
    const { file, species } = row;
    if (taken.has(file)) continue;
    if (species && (ALIKE.test(species) || (count.get(species) ?? 0) >= each)) continue;
    taken.set(file, row);
    if (species) count.set(species, (count.get(species) ?? 0) + 1);
  }
  return [...taken.values()].map(({ file, subject, species, kind }) => ({
    ...{ id: `set-${file}`, files: [join(set, file)], subject, species },
    condition: species ? 'as generated' : (kind ?? 'as generated'),
  }));
}
