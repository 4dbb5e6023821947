// Judges the films of the open laboratory (bench/inject) in this process, without a service, its clock and its upload,
// so what those would detect goes undetected. For a machine that is too busy to film in time, and to see what each
// check says about a film. node --import tsx bench/inject-offline.ts [--species NAMES] [--each N] [--level
// quick|standard|high]. Resumable.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { drawScript } from '../src/challenge/draw-script.ts';
import type { LivenessLevel } from '../src/challenge/settings.ts';
import { drawPath } from '../src/contract/path.ts';
import { type DrawnScript, PROMPT_NAMES, type Script, type StepPrompt } from '../src/contract/script.ts';
import { pathSteps } from '../src/contract/script-steps.ts';
import { judge } from '../src/evaluation/judge.ts';
import { headCurve } from '../src/evaluation/liveness/path.ts';
import { matchPath } from '../src/evaluation/liveness/path-match.ts';
import { quantile } from '../src/evaluation/liveness/statistics.ts';
import { shareOf } from '../src/measurement/pad-rates.ts';
import { loadModels } from '../src/models/load.ts';
import { findCast } from './attacks/cast.ts';
import { chanceOf } from './attacks/random.ts';
import { fresh } from './attacks/shots.ts';
import { findSources } from './attacks/sources.ts';
import { Studio } from './attacks/studio.ts';
import type { LaboratorySpecies, Stage } from './inject/laboratory.ts';
import { LABORATORY } from './inject/species/table.ts';
import { codeOf } from './light/takes.ts';
import { render, type Section } from './report.ts';

const { values } = parseArgs({
  options: {
    faces: { type: 'string', default: process.env.FACES_DIR ?? '../shared/faces' },
    out: { type: 'string', default: 'build/inject-offline' },
    /** The folder of old footage, as for bench:inject. */
    set: { type: 'string', default: 'build/pad' },
    each: { type: 'string', default: '30' },
    level: { type: 'string', default: 'standard' },
    models: { type: 'string', default: 'build/models' },
    /** Comma-separated names or prefixes. */
    species: { type: 'string', default: 'path_,rendered_person_path,tinting_,untinted_' },
    /** Number of fresh paths that the head of each person who follows one is compared with, as an old recording. */
    paths: { type: 'string', default: '20' },
    /** Only prints the tables of the existing takes. */
    only: { type: 'boolean', default: false },
  },
});

/** What is stored of a take: its judgement, and the head's movement to compare with other paths. */
interface Take {
  readonly subject: string;
  readonly script: Script;
  readonly overall: boolean;
  readonly retryable: string | null;
  readonly reasons: readonly string[];
  readonly cues: Readonly<Record<string, { readonly status: string; readonly value: number | null }>>;
  /** Milliseconds, yaw, pitch. */
  readonly head: readonly (readonly [number, number, number])[];
}

/** Fewer fresh paths than in production, at the same rate: twice as coarse as the threshold. */
const REPLAY_FRESH = 1999;
const REPLAY_MAX_P = 0.001;
/** Checks whose values are printed for each species. */
const SHOWN_CUES = [
  'path',
  'screen_light',
  'pad_pack',
  'rigid',
  'parallax',
  'surround',
  'loop',
  'cut',
  'hard_cut',
  'cut_at_prompts',
];

const level = values.level as LivenessLevel;
const [root, out, setDir] = [resolve(values.faces), resolve(values.out), resolve(values.set)];
mkdirSync(out, { recursive: true });
mkdirSync(setDir, { recursive: true });
const wanted = values.species.split(',');
const all = LABORATORY.filter(({ name, client }) => client && wanted.some((begin) => name.startsWith(begin)));
if (!values.only) await makeAll();
for (const section of [acceptedTable(), cueTable()]) process.stdout.write(`\n${render(section)}\n`);
replay();

async function makeAll(): Promise<void> {
  const models = await loadModels({ modelsDir: resolve(values.models), threads: 1 });
  const sources = findSources(root);
  const open = async () => models;
  const cast = await findCast(open, root, sources, setDir);
  const old = new Studio(root, setDir, cast, sources, fresh, open);
  const stage: Stage = { root, cast, sources, old, models: open, keepDir: out };
  for (let take = 0; take < Number(values.each); take++)
    for (const species of all) await make(species, take, stage);
  await models.close();

  async function make(species: LaboratorySpecies, take: number, on: Stage): Promise<void> {
    const kept = join(out, `${species.name}-${level}-${String(take).padStart(4, '0')}.json`);
    if (existsSync(kept)) return;
    const chance = chanceOf(`offline ${species.name} ${level} ${take}`);
    const script = scriptFor(species, chance);
    await species.client!.prepare?.(on, take);
    const scratch = mkdtempSync(join(tmpdir(), 'likeness-offline-'));
    try {
      const film = await species.client!.film(on, { script, take, tried: 0, chance, scratch, before: null });
      if (!film) return;
      const light = script.light && { ...script.light, shown: null };
      const judged = await judge(
        { video: film.bytes, script: film.script, references: [], ...(light && { light }) },
        models,
      );
      if (judged.status !== 'judged') {
        // On a loaded machine the decoder may time out; the next run makes the take again.
        process.stderr.write(`${species.name} ${take}: ${judged.reason}\n`);
        return;
      }
      const own: Take = {
        subject: species.subject(on, take),
        script: film.script,
        overall: judged.liveness.overall,
        retryable: judged.retryable?.reason ?? null,
        reasons: judged.reasons,
        cues: Object.fromEntries(judged.cues.map(({ cue, status, value }) => [cue, { status, value }])),
        head: judged.timeline.flatMap(({ timeMs, face }) =>
          face ? [[timeMs, face.yaw, face.pitch] as const] : [],
        ),
      };
      writeFileSync(`${kept}.part`, JSON.stringify(own));
      renameSync(`${kept}.part`, kept);
      process.stderr.write(`${species.name} ${take}: ${own.overall} ${own.reasons.join(' ')}\n`);
    } finally {
      rmSync(scratch, { recursive: true });
    }
  }
}

/** Draws a script as the service does under the species' settings. */
function scriptFor({ environment }: LaboratorySpecies, chance: ReturnType<typeof chanceOf>): DrawnScript {
  const allowed = (environment?.LIVENESS_PROMPTS?.split(',') ?? PROMPT_NAMES) as StepPrompt[];
  const drawn = drawScript(level, allowed, (least, most) => chance.integer(least, most));
  const required = environment?.LIVENESS_LIGHT === 'require';
  return { ...drawn, ...(required && { light: { code: codeOf(chance), required } }) };
}

function takesOf({ name }: LaboratorySpecies): Take[] {
  return readdirSync(out)
    .filter((file) => file.startsWith(`${name}-${level}-`) && file.endsWith('.json'))
    .map((file) => JSON.parse(readFileSync(join(out, file), 'utf8')) as Take);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function acceptedTable(): Section {
  const rows = all.flatMap((species) => {
    const takes = takesOf(species);
    if (takes.length === 0) return [];
    const { count, rate, interval, subjects } = shareOf(takes, ({ overall }) => overall);
    const reasons = new Map<string, number>();
    for (const { overall, reasons: own } of takes)
      if (!overall) for (const reason of own) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    const commonest = [...reasons].sort(([, one], [, other]) => other - one).slice(0, 3);
    return [
      [
        ...[species.name, species.label, String(takes.length), String(subjects), String(count)],
        ...[percent(rate), interval.map((end) => (100 * end).toFixed(1)).join('–')],
        commonest.map(([reason, times]) => `${reason} ${times}`).join(', '),
      ],
    ];
  });
  return {
    title: `Judged in this process, level ${level}, first try`,
    method:
      'The laboratory’s films of freshly drawn scripts, judged without a service: earlier uploads, elapsed time and announcements are not ' +
      'checked. 95 % intervals as in RESULTS-INJECT.md.',
    columns: ['species', 'label', 'n', 'subjects', 'accepted', 'share', '95 %', 'commonest reasons'],
    rows,
  };
}

/**
 * What each check says about the takes: how many failed of those that it could evaluate, and the range of its value.
 */
function cueTable(): Section {
  const rows = all.flatMap((species) => {
    const takes = takesOf(species);
    return takes.length === 0 ? [] : [[species.name, ...SHOWN_CUES.map((cue) => cellOf(takes, cue))]];
  });
  return {
    title: 'Results of single checks',
    method: 'Failed/evaluated, then the 5 %, 50 % and 95 % quantiles of the value.',
    columns: ['species', ...SHOWN_CUES],
    rows,
  };
}

function cellOf(takes: readonly Take[], cue: string): string {
  const own = takes.flatMap(({ cues }) =>
    cues[cue] && cues[cue].status !== 'notEvaluated' ? [cues[cue]] : [],
  );
  if (own.length === 0) return '–';
  const failed = own.filter(({ status }) => status === 'failed').length;
  const at = own.flatMap(({ value }) => (value === null ? [] : [value]));
  const shares = at.length === 0 ? [] : [0.05, 0.5, 0.95].map((share) => quantile(at, share).toPrecision(2));
  return `${failed}/${own.length}: ${shares.join(' ')}`;
}

/**
 * Replays people who followed a path as old recordings under the paths of other challenges, at their own time and at
 * the best of several times.
 */
function replay(): void {
  const draw = chanceOf('path replay');
  let [held, plain, chosen] = [0, 0, 0];
  for (const { head, script } of all.filter(({ label }) => label === 'bona_fide').flatMap(takesOf)) {
    const seen = head.map(([timeMs, yaw, pitch]) => ({ timeMs, face: { yaw, pitch } }));
    const [own] = pathSteps(script);
    if (!own) continue;
    const movingMs = own.path.at(-2)!.at_ms - own.path[1]!.at_ms;
    for (let i = 0; i < Number(values.paths); i++) {
      const other = drawPath(movingMs, (least, most) => draw.integer(least, most));
      const passes = (fromMs: number) =>
        (matchPath(headCurve(seen), other, fromMs, REPLAY_FRESH)?.p ?? 1) <= REPLAY_MAX_P;
      held++;
      if (passes(own.from_ms)) plain++;
      const times = Array.from({ length: 6 }, (_, k) => k * 1000);
      if (times.some(passes)) chosen++;
    }
  }
  process.stdout.write(
    `\nold recordings: ${held} compared, ${plain} pass at their own time, ${chosen} at the best time\n`,
  );
}
