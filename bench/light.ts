// The light code in the laboratory: measures how weak a light is found on moving faces after a browser's codec, how
// often a code is found that was not shown, and that a program which tints the picture passes. The light is added to
// public footage; no screen was involved.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { matchCode } from '../src/evaluation/light/match-code.ts';
import { median, quantile } from '../src/evaluation/liveness/statistics.ts';
import { loadModels } from '../src/models/load.ts';
import { chanceOf } from './attacks/random.ts';
import { findSources } from './attacks/sources.ts';
import { ClipStage, codeOf, type Take } from './light/takes.ts';
import { render, type Section, writeReport } from './report.ts';

const { values } = parseArgs({
  options: {
    faces: { type: 'string', default: process.env.FACES_DIR ?? '../shared/faces' },
    models: { type: 'string', default: 'build/models' },
    /** Takes are stored here, so that an interrupted run can be resumed. */
    out: { type: 'string', default: 'build/light' },
    /** Number of codes that were not shown, per take. */
    codes: { type: 'string', default: '200' },
    /** Writes bench/RESULTS-LIGHT.md. */
    write: { type: 'boolean', default: false },
  },
});

const SWINGS = [0.0025, 0.005, 0.01, 0.02] as const;
/** A program's tint: as strong as a screen's light at best. */
const FLAT_SWING = 0.03;
const RECORDINGS = [
  { codec: 'vp8', kbps: 1000 },
  { codec: 'vp9', kbps: 2500 },
] as const;
const MAX_P = 0.001;
/** Shorter segments are skipped. */
const MIN_S = 5;

const root = resolve(values.faces);
const models = await loadModels({ modelsDir: resolve(values.models), threads: 1 });
const takes = await takeAll();
await models.close();
const sections = [found(), notShown(), puppets()];
for (const section of sections) process.stdout.write(`\n${render(section)}\n`);
if (values.write) {
  const path = writeReport(sections, 'RESULTS-LIGHT.md', 'node --import tsx bench/light.ts');
  process.stderr.write(`written to ${path}\n`);
}

async function takeAll(): Promise<Take[]> {
  const clips = findSources(root).clips.filter(({ lastsS }) => lastsS >= MIN_S);
  const taken: Take[] = [];
  for (const [i, clip] of clips.entries()) {
    const stage = new ClipStage(root, clip, join(resolve(values.out), 'takes'), models);
    for (const recording of RECORDINGS) {
      for (const swing of [0, ...SWINGS]) taken.push(await stage.take(recording, swing));
      taken.push(await stage.take(recording, FLAT_SWING, true));
    }
    process.stderr.write(`${i + 1} of ${clips.length} clips\n`);
  }
  return taken;
}

function percent(share: number, digits = 2): string {
  return `${(100 * share).toFixed(digits)} %`;
}

function subjectsOf(own: readonly Take[]): string {
  return String(new Set(own.map(({ subject }) => subject)).size);
}

/** z, delay, swing and share found, for some takes. */
function row(name: string, own: readonly Take[]): string[] {
  const seen = own.flatMap((take) => (take.match ? [{ ...take, match: take.match }] : []));
  const passed = seen.filter(({ match }) => match.p <= MAX_P).length;
  const ofMatch = (of: (match: NonNullable<Take['match']>) => number) => seen.map(({ match }) => of(match));
  const lags = seen
    .filter(({ match }) => match.p <= MAX_P)
    .map(({ match, delayMs }) => Math.abs(match.delayMs - delayMs));
  return [
    ...[name, String(own.length), subjectsOf(own), `${passed} (${percent(passed / own.length, 0)})`],
    ...[median(ofMatch(({ z }) => z)).toFixed(1), Math.min(...ofMatch(({ z }) => z)).toFixed(1)],
    ...[
      percent(median(ofMatch(({ amplitude }) => amplitude))),
      percent(median(ofMatch(({ error }) => error))),
    ],
    lags.length > 0 ? `${median(lags).toFixed(0)}, ${quantile(lags, 0.95).toFixed(0)} ms` : '–',
  ];
}

const COLUMNS = [
  ...[
    'light',
    'n',
    'subjects',
    `found (p ≤ ${MAX_P})`,
    'z, median',
    'z, minimum',
    'swing found',
    'its error',
  ],
  'delay error (median, 95 %)',
];

function found(): Section {
  const own = takes.filter(({ flat }) => !flat);
  return {
    title: 'Light on a moving face',
    method:
      'Public clips of moving faces, 5 to 8 s, 25 frames a second, short side 480 pixels, noise of 1.5 grey levels; ln(red / blue) ' +
      'of the face’s light rises and falls by the swing with a random code, 60 to 300 ms late. Recorded by ffmpeg’s ' +
      'real-time encoders, and judged like every capture.',
    columns: COLUMNS,
    rows: RECORDINGS.flatMap(({ codec, kbps }) =>
      [0, ...SWINGS].map((swing) =>
        row(
          `${codec} ${kbps} kbit/s, ± ${percent(swing)}`,
          own.filter((take) => take.codec === codec && take.swing === swing),
        ),
      ),
    ),
  };
}

/** Matches every take against codes that were not shown. */
function notShown(): Section {
  const codes = Number(values.codes);
  const rows = [0, 0.02].map((swing) => {
    const own = takes.filter((take) => !take.flat && take.swing === swing);
    const ps = own.flatMap(({ clip, codec, steps }) => {
      const chance = chanceOf(`other-${clip}-${codec}-${swing}`);
      return Array.from({ length: codes }, () => matchCode(steps, codeOf(chance))?.p ?? 1);
    });
    const share = (limit: number) => percent(ps.filter((p) => p <= limit).length / ps.length, 3);
    const name = swing === 0 ? 'no light' : `another code, ± ${percent(swing)}`;
    return [name, String(ps.length), String(own.length), ...[0.001, 0.01, 0.1].map(share)];
  });
  return {
    title: 'Codes that were not shown',
    method:
      `The same recordings, each compared with ${codes} fresh codes: how often p is that low by chance. A video that was ` +
      'made before its code is such a case.',
    columns: ['recording shows', 'n', 'recordings', 'p ≤ 0.001', 'p ≤ 0.01', 'p ≤ 0.1'],
    rows,
  };
}

function puppets(): Section {
  return {
    title: 'A program that knows the code',
    method: `The whole picture tinted uniformly by the code, ± ${percent(FLAT_SWING, 0)}: what a virtual camera that reads the page can do. It passes.`,
    columns: COLUMNS,
    rows: RECORDINGS.map(({ codec, kbps }) =>
      row(
        `${codec} ${kbps} kbit/s, flat tint`,
        takes.filter((take) => take.flat && take.codec === codec),
      ),
    ),
  };
}
