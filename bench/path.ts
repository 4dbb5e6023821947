// How often a path is followed by whom: rendered heads that follow it as people might, and what attackers have.
// node --import tsx bench/path.ts [--faces DIR] [--out DIR] [--each N] [--level quick|standard|high] [--judge]. Resumable.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { drawScript } from '../src/challenge/draw-script.ts';
import type { LivenessLevel } from '../src/challenge/settings.ts';
import type { Script } from '../src/contract/script.ts';
import { judge } from '../src/evaluation/judge.ts';
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

const level = values.level as LivenessLevel;
const [root, out] = [resolve(values.faces), resolve(values.out)];
mkdirSync(out, { recursive: true });
const models = await loadModels({ modelsDir: resolve(values.models), threads: 1 });
const cast = await findCast(models, root, findSources(root), out);
process.stderr.write(`${cast.actors.length} persons, ${cast.smiling.length} of them with a smile\n`);
for (let take = 0; take < Number(values.each); take++)
  for (const species of values.species.split(',')) await make(species, take);
await models.close();

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
  if (judged.status !== 'judged') throw new Error(`${path}: ${judged.reason}`);
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

export function readTake(file: string): Take {
  return JSON.parse(readFileSync(file, 'utf8'));
}
