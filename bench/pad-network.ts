// Measures what the built-in PAD network says about faces and images of faces: how to pool its scores and above which
// value a face counts as live, chosen on one half of the subjects; error rates on the other half. Only the network, no
// other check.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { median, quantile } from '../src/evaluation/liveness/statistics.ts';
import { MIN_BRIGHTNESS } from '../src/evaluation/quality/pixels.ts';
import { acceptedPerChallenge, shareOf } from '../src/measurement/pad-rates.ts';
import { loadModels } from '../src/models/load.ts';
import { EvidenceStore } from './pad-evidence.ts';
import { halfOf } from './pad-fit.ts';
import { generated, nuaaCaptures, type Presentation, recodedClips } from './pad-network-material.ts';
import { ScoreKeeper, type Scores } from './pad-network-scores.ts';
import { render, type Section, writeReport } from './report.ts';

const { values } = parseArgs({
  options: {
    faces: { type: 'string', default: process.env.FACES_DIR ?? '../shared/faces' },
    models: { type: 'string', default: 'build/models' },
    /** Clips and scores are stored here, so that an interrupted run can be resumed. The clips show faces. */
    out: { type: 'string', default: 'build/pad-network' },
    /** A folder that bench/attacks/generate.ts filled, and the evidence that bench:pad stored for it. */
    set: { type: 'string', default: 'build/pad' },
    evidence: { type: 'string', default: 'build/pad-evidence' },
    /** Clips of each generated species. */
    each: { type: 'string', default: '11' },
    /** Only prints tables of what is there; nothing is measured. */
    only: { type: 'boolean', default: false },
    /** Writes bench/RESULTS-PAD-NETWORK.md. */
    write: { type: 'boolean', default: false },
  },
});

type Scored = Presentation & Scores;
type Pooling = (scores: Scores) => number;

const mean = (scores: readonly number[]) => scores.reduce((sum, score) => sum + score, 0) / scores.length;
/** Frames are stored at four a second; the product scores every second one. */
const twoASecond = (frames: readonly number[]) => frames.filter((_, i) => i % 2 === 0);

const POOLINGS: Readonly<Record<string, Pooling>> = {
  'mean of the portraits': ({ portraits }) => mean(portraits),
  'median of the portraits': ({ portraits }) => median(portraits),
  'minimum of the portraits': ({ portraits }) => Math.min(...portraits),
  'mean, four faces a second': ({ frames }) => mean(frames),
  'median, four a second': ({ frames }) => median(frames),
  'median, two a second': ({ frames }) => median(twoASecond(frames)),
  '25 % quantile, four a second': ({ frames }) => quantile(frames, 0.25),
  '10 % quantile, four a second': ({ frames }) => quantile(frames, 0.1),
};
const IN_USE: Pooling = POOLINGS['median, two a second']!;

/** Bona fide captures by picture quality; `small_clip` is a picture shrunk into a blurred one. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'usual light, the page’s codecs': ['vp8', 'vp9', 'h264', 'recoded_clip', 'webcam stills', 'nuaa_live'],
  'low bit rate': ['low rate', 'compressed_clip'],
  'small picture, 15 a second': ['small picture'],
  blurred: ['blurred'],
  'dim or backlit': ['dim', 'dark', 'dim_clip', 'backlit_clip'],
  'a picture in a picture': ['small_clip'],
};
const COLUMNS = [
  'presentations',
  'n',
  'subjects',
  'APCER / BPCER',
  '95 %',
  'in 3 tries',
  'median',
  'worst score',
];
const REAL_ATTACKS = ['nuaa_print', 'filmed_replay'];

let leftOut = 0;
const root = resolve(values.faces);
const out = resolve(values.out);
const models = await loadModels({ modelsDir: resolve(values.models), threads: 1 });
const { threshold } = models.pad!.manifest;
const scored = await measure();
await models.close();

const sections = [pooled(), ...(['fit', 'test'] as const).map(rates), species()];
for (const section of sections) process.stdout.write(`\n${render(section)}\n`);
if (values.write) {
  const path = writeReport(sections, 'RESULTS-PAD-NETWORK.md', 'node --import tsx bench/pad-network.ts');
  process.stderr.write(`written to ${path}\n`);
}

async function measure(): Promise<Scored[]> {
  const clips = join(out, 'clips');
  mkdirSync(clips, { recursive: true });
  const store = new EvidenceStore(resolve(values.evidence), models);
  const keeper = new ScoreKeeper(join(out, 'scores'), models, models.pad!, store);
  const all = [
    ...nuaaCaptures(root),
    ...recodedClips(root, clips),
    ...(await generated(resolve(values.set), Number(values.each))),
  ];
  const measured: Scored[] = [];
  for (const [i, presentation] of all.entries()) {
    if (values.only && !keeper.has(presentation)) continue;
    const scores = await keeper.of(presentation);
    // Without a portrait, or in the dark, other checks send it back whatever this network says.
    const isJudged = scores.portraits.length > 0 && (scores.light ?? MIN_BRIGHTNESS) >= MIN_BRIGHTNESS;
    if (isJudged) measured.push({ ...presentation, ...scores });
    else leftOut++;
    if (i % 25 === 0) process.stderr.write(`${i} of ${all.length}\n`);
  }
  return measured;
}

function groupOf({ condition }: Presentation): string {
  return Object.keys(GROUPS).find((name) => GROUPS[name]!.includes(condition)) ?? condition;
}

/** Compares poolings on the half used for choosing. */
function pooled(): Section {
  const half = scored.filter(({ subject }) => halfOf(subject) === 'fit');
  const attacks = half.filter(({ species }) => species && REAL_ATTACKS.includes(species));
  const live = half.filter(({ species }) => species === null);
  const names = Object.keys(GROUPS).slice(0, 5);
  const rows = Object.entries(POOLINGS).map(([name, pool]) => [
    name,
    Math.max(...attacks.map(pool)).toFixed(3),
    ...names.map((group) => {
      const own = live.filter((one) => groupOf(one) === group).map(pool);
      return `${Math.min(...own).toFixed(2)}, ${quantile(own, 0.05).toFixed(2)}`;
    }),
  ]);
  return {
    title: 'How to pool the scores',
    method:
      `The half of the subjects that the choice was made on: ${attacks.length} prints and filmed replays, ${live.length} bona fide ` +
      `captures. Left out of both halves: ${leftOut} without a portrait or too dark for \`brightness\`, which are sent back ` +
      'whatever the network says. Attacks: the highest score; bona fide captures: the lowest score and the 5 % quantile.',
    columns: ['pooling', 'prints, filmed replays', ...names],
    rows,
  };
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function between([low, high]: readonly [number, number]): string {
  return `${(100 * low).toFixed(1)}–${(100 * high).toFixed(1)}`;
}

/** Accepted at the first try and in three, where a failing one is sent back. */
function row(name: string, presentations: readonly Scored[], attack: boolean): string[] {
  const ended = presentations.map((one) => ({
    ...{ subject: one.subject, species: one.species, pool: IN_USE(one) },
    outcome: IN_USE(one) >= threshold ? ('accepted' as const) : ('sentBack' as const),
  }));
  const first = shareOf(ended, ({ outcome }) => (outcome === 'accepted') === attack);
  const tried = acceptedPerChallenge(ended).rate;
  const pools = ended.map(({ pool }) => pool);
  return [
    ...[name, String(first.n), String(first.subjects), percent(first.rate), between(first.interval)],
    ...[percent(attack ? tried : 1 - tried), median(pools).toFixed(3)],
    (attack ? Math.max(...pools) : Math.min(...pools)).toFixed(3),
  ];
}

function rates(half: 'fit' | 'test'): Section {
  const own = scored.filter(({ subject }) => halfOf(subject) === half);
  const rows = [
    ...REAL_ATTACKS.map((name) => ({
      name,
      own: own.filter(({ species }) => species === name),
      attack: true,
    })),
    ...Object.keys(GROUPS).map((name) => ({
      ...{ name: `bona fide: ${name}`, attack: false },
      own: own.filter((one) => one.species === null && groupOf(one) === name),
    })),
  ];
  return {
    title: half === 'fit' ? 'The half that the choice was made on' : 'The other half',
    method:
      `At ${threshold}, by the median of two faces a second. Attacks: share accepted; bona fide: share sent back, and share ` +
      'without acceptance in three tries. A try is drawn from the same subject’s captures.',
    columns: COLUMNS,
    rows: rows.filter((each) => each.own.length > 0).map((each) => row(each.name, each.own, each.attack)),
  };
}

function species(): Section {
  const names = [...new Set(scored.flatMap((one) => one.species ?? []))].filter(
    (name) => !REAL_ATTACKS.includes(name),
  );
  const rows = names.map((name) =>
    row(
      name,
      scored.filter((one) => one.species === name),
      true,
    ),
  );
  return {
    title: 'Rendered and edited attacks',
    method:
      'The generator’s species, both halves: camera footage or pictures rendered from photographs, presented in place of ' +
      'the camera. Share accepted by the network alone; `other_footage` is edited camera footage of people.',
    columns: COLUMNS,
    rows: rows.sort((a, b) => Number.parseFloat(b[3]!) - Number.parseFloat(a[3]!)),
  };
}
