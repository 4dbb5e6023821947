// How often a path is followed by whom: rendered heads that follow it as people might, and what attackers have.
// node --import tsx bench/path.ts [--faces DIR] [--out DIR] [--each N] [--level quick|standard|high] [--paths N]. Resumable.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { drawScript } from '../src/challenge/draw-script.ts';
import type { LivenessLevel } from '../src/challenge/settings.ts';
import { drawPath } from '../src/contract/path.ts';
import type { Script } from '../src/contract/script.ts';
import { pathSteps } from '../src/contract/script-steps.ts';
import { judge } from '../src/evaluation/judge.ts';
import { headCurve } from '../src/evaluation/liveness/path.ts';
import { matchPath } from '../src/evaluation/liveness/path-match.ts';
import { loadModels } from '../src/models/load.ts';
import { record } from './attacks/camera.ts';
import { findCast, openRole } from './attacks/cast.ts';
import { steered, warped } from './attacks/film-attacks.ts';
import { buildHead } from './attacks/head.ts';
import { chanceOf } from './attacks/random.ts';
import { recordingOf, roleFor, shotFor } from './attacks/shots.ts';
import { findSources } from './attacks/sources.ts';
import { filmHead } from './attacks/stage.ts';

const { values } = parseArgs({
  options: {
    faces: { type: 'string', default: process.env.FACES_DIR ?? '../shared/faces' },
    out: { type: 'string', default: 'build/path' },
    each: { type: 'string', default: '30' },
    level: { type: 'string', default: 'standard' },
    models: { type: 'string', default: 'build/models' },
    /** Fresh paths that each kept head of a person is held against, as an old recording. */
    paths: { type: 'string', default: '20' },
    species: { type: 'string', default: 'person,steered_print,warped_photo' },
  },
});

/** What is kept of a take: its judgement, and the head for holding it against other paths. */
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

const level = values.level as LivenessLevel;
const [root, out] = [resolve(values.faces), resolve(values.out)];
mkdirSync(out, { recursive: true });
const models = await loadModels({ modelsDir: resolve(values.models), threads: 1 });
const cast = await findCast(async () => models, root, findSources(root), out);
process.stderr.write(`${cast.actors.length} persons, ${cast.smiling.length} of them with a smile\n`);
for (let take = 0; take < Number(values.each); take++)
  for (const species of values.species.split(',')) await make(species, take);
await models.close();
for (const species of values.species.split(',')) summarise(species);
replay();

function takesOf(species: string): Take[] {
  return readdirSync(out)
    .filter((file) => file.startsWith(`${species}-${level}-`) && file.endsWith('.json'))
    .map((file) => JSON.parse(readFileSync(join(out, file), 'utf8')) as Take);
}

function summarise(species: string): void {
  const takes = takesOf(species);
  const followed = takes.filter(({ cues }) => cues.path?.status === 'passed').length;
  const passed = takes.filter(({ overall }) => overall).length;
  const subjects = new Set(takes.map(({ subject }) => subject)).size;
  process.stdout.write(
    `${species}: ${takes.length} takes of ${subjects} subjects, path passed ${followed}, overall ${passed}\n`,
  );
}

/** Old recordings under paths of other challenges, at the time of their own and at the best of all times. */
function replay(): void {
  const draw = chanceOf('path replay');
  let held = 0;
  let plain = 0;
  let chosen = 0;
  for (const { head, script } of takesOf('person')) {
    const seen = head.map(([timeMs, yaw, pitch]) => ({ timeMs, face: { yaw, pitch } }));
    const [own] = pathSteps(script);
    if (!own) continue;
    const movingMs = own.path.at(-2)!.at_ms - own.path[1]!.at_ms;
    for (let i = 0; i < Number(values.paths); i++) {
      const fresh = drawPath(movingMs, (least, most) => draw.integer(least, most));
      const passes = (fromMs: number) =>
        (matchPath(headCurve(seen), fresh, fromMs, REPLAY_FRESH)?.p ?? 1) <= REPLAY_MAX_P;
      held++;
      if (passes(own.from_ms)) plain++;
      const times = Array.from({ length: 6 }, (_, k) => k * 1000);
      if (times.some(passes)) chosen++;
    }
  }
  process.stdout.write(
    `old recordings: ${held} held, ${plain} pass at their own time, ${chosen} at the best time\n`,
  );
}

async function make(species: string, take: number): Promise<void> {
  const name = join(out, `${species}-${level}-${String(take).padStart(4, '0')}`);
  if (existsSync(`${name}.json`)) return;
  const chance = chanceOf(`path ${species} ${level} ${take}`);
  const drawn = drawScript(level, ['neutral', 'smile', 'path'], (least, most) => chance.integer(least, most));
  // Whoever follows a mark begins within .15 to .6 s.
  const shot = shotFor(drawn, chance, { delayMs: chance.between(150, 600) });
  const actor = await openRole(root, roleFor(cast.smiling, take));
  const film = {
    person: () => filmHead(buildHead(actor.neutral, actor.smiling), actor.neutral, shot.performance, shot),
    steered_print: () => steered(actor, shot),
    warped_photo: () => warped(actor, donorOf(actor), shot),
  }[species];
  if (!film) throw new Error(`no species ${species}`);
  const donors = species === 'warped_photo' ? await openRole(root, roleFor(cast.smiling, take + 1)) : null;
  function donorOf<Own>(own: Own) {
    return donors ?? own;
  }
  const path = `${name}.webm`;
  await record(path, recordingOf(shot), film());
  const judged = await judge({ video: path, script: shot.script, references: [] }, models);
  if (judged.status !== 'judged') {
    // On a loaded machine the decoder may run out of its time; the next run makes the take again.
    process.stderr.write(`${path}: ${judged.reason}\n`);
    return;
  }
  const kept: Take = {
    subject: actor.subject,
    script: shot.script,
    overall: judged.liveness.overall,
    retryable: judged.retryable?.reason ?? null,
    reasons: judged.reasons,
    cues: Object.fromEntries(judged.cues.map(({ cue, status, value }) => [cue, { status, value }])),
    head: judged.timeline.flatMap(({ timeMs, face }) =>
      face ? [[timeMs, face.yaw, face.pitch] as const] : [],
    ),
  };
  writeFileSync(`${name}.part`, JSON.stringify(kept));
  renameSync(`${name}.part`, `${name}.json`);
  const { path: p } = kept.cues;
  process.stderr.write(
    `${species} ${take}: ${kept.overall} p ${p?.value?.toFixed(4)} ${kept.reasons.join(' ')}\n`,
  );
}
