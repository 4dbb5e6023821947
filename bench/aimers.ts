// Films rendered people who are guided: they see on the page where the dot is and where their nose points, aim with human
// error after human delays, and correct themselves until the page has seen the answer. bench/pad.ts counts the targets
// that they answer: node --import tsx bench/aimers.ts [--faces DIR] [--out DIR] [--each N] [--part i/n]. Resumable.
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { directionOf, restingFaceOf, upperFaceOf } from '../src/contract/head-direction.ts';
import type { DrawnScript, DrawnStep, Script } from '../src/contract/script.ts';
import { performedStep } from '../src/contract/script-steps.ts';
import { BASELINE_MS, baselineOf, type Direction, isOnTarget } from '../src/contract/target.ts';
import { trackFaces } from '../src/evaluation/face/track.ts';
import { loadModels } from '../src/models/load.ts';
import { aimedAt, turnedTo } from './attacks/aim.ts';
import { anyCamera, record } from './attacks/camera.ts';
import { findCast } from './attacks/cast.ts';
import type { Picture } from './attacks/draw.ts';
import { buildHead } from './attacks/head.ts';
import { alive, type Movement, type Performance } from './attacks/performance.ts';
import { type Chance, chanceOf } from './attacks/random.ts';
import { EXTRA_MS, fresh, lengthOf, recordingOf, roleFor, row } from './attacks/shots.ts';
import { findSources } from './attacks/sources.ts';
import { filmHead } from './attacks/stage.ts';
import { Studio } from './attacks/studio.ts';
import { GUIDED } from './pad-targets.ts';
import { readPart } from './parts.ts';

const { values } = parseArgs({
  options: {
    faces: { type: 'string', default: process.env.FACES_DIR ?? '../shared/faces' },
    out: { type: 'string', default: 'build/pad' },
    each: { type: 'string', default: '40' },
    part: { type: 'string', default: '0/1' },
    models: { type: 'string', default: 'build/models' },
  },
});

/** From a prompt to one person's first movement; each is up to a quarter sooner. */
const DELAY_MS = { least: 300, most: 2500 };
const MOVE_MS = { least: 280, most: 600 };
/** Until the page has seen the answer, and until the person has seen where the pointer stands. */
const SEEN_MS = { least: 80, most: 250 };
const CORRECTS_AFTER_MS = { least: 300, most: 500 };
const REST_MS = 500;
/** Share of the tolerances that the page keeps for itself (web/capture/guidance/answers.ts). */
const PAGE_STRICTER = 0.15;
const FPS = 12;
const msOf = (frame: number) => (frame * 1000) / FPS;

/** Pictures of the person at these times, whatever was done by then. */
type Look = (timesMs: readonly number[]) => Iterable<Picture>;

const [root, outDir] = [resolve(values.faces), resolve(values.out)];
mkdirSync(outDir, { recursive: true });
const models = await loadModels({ modelsDir: resolve(values.models), threads: 1 });
const sources = findSources(root);
const cast = await findCast(async () => models, root, sources, outDir);
const studio = new Studio(root, outDir, cast, sources, fresh, async () => models);
const { part, parts } = readPart(values.part);
for (let take = part; take < Number(values.each); take += parts)
  await studio.take(GUIDED, take, 'webm', (path) => filmed(path, take));
studio.writeManifests();
await models.close();

/** One take of three targets with rest between them. */
async function filmed(path: string, take: number): Promise<ReturnType<typeof row>[]> {
  const seed = `${GUIDED} ${take}`;
  const actor = await studio.open(roleFor(cast.smiling, take));
  const head = buildHead(actor.neutral, null);
  const movements: Movement[] = [];
  // The same camera, the same sway each time.
  const film = (durationMs: number, at: (performance: Performance) => Performance): Iterable<Picture> => {
    const chance = chanceOf(seed);
    const shot = { durationMs, fps: FPS, camera: anyCamera(chance), chance };
    return filmHead(head, actor.neutral, at(alive(movements, chance)), shot);
  };
  const look: Look = (timesMs) =>
    film(msOf(timesMs.length), (performance) => (t) => performance(timesMs[Math.round((t * FPS) / 1000)]!));
  const chance = chanceOf(`${seed} aims`);
  const script = await performed(
    studio.draw(chance, { allowed: ['neutral', 'target'] }),
    chance,
    movements,
    look,
  );
  const pictures = film(lengthOf(script) + EXTRA_MS, (performance) => performance);
  await record(path, recordingOf({ fps: FPS, chance }), pictures);
  return [row('attack', GUIDED, actor.subject, script, 'rendered')];
}

/** The script as it is performed; adds the movements. */
async function performed(
  drawn: DrawnScript,
  chance: Chance,
  movements: Movement[],
  look: Look,
): Promise<Script> {
  const steps: Script['steps'] = [];
  const meanMs = chance.between(DELAY_MS.least, DELAY_MS.most);
  let fromMs = 0;
  for (const step of drawn.steps) {
    const latestMs = fromMs + drawn.max_step_ms;
    const atMs = fromMs + meanMs * chance.between(0.75, 1);
    let endMs: number | null = REST_MS;
    if (steps.length > 0) endMs = await answering(step, { fromMs, atMs, latestMs }, chance, movements, look);
    const seenMs = (endMs ?? latestMs) + chance.between(SEEN_MS.least, SEEN_MS.most);
    const toMs = Math.round(Math.min(seenMs + step.hold_ms, latestMs));
    steps.push(performedStep(step, fromMs, toMs));
    fromMs = toMs;
  }
  return { steps };
}

/** When the page first saw the answer; null: never. */
async function answering(
  step: DrawnStep,
  { fromMs, atMs, latestMs }: { fromMs: number; atMs: number; latestMs: number },
  chance: Chance,
  movements: Movement[],
  look: Look,
): Promise<number | null> {
  const lastsMs = chance.between(MOVE_MS.least, MOVE_MS.most);
  const move = (to: Direction, at: number, lasts: number) =>
    movements.push({ atMs: at, lastsMs: lasts, smile: 0, ...turnedTo(to) });
  if (step.prompt !== 'target') {
    move({ x: 0, y: 0 }, atMs, lastsMs);
    return atMs + lastsMs;
  }
  let to = aimedAt(step, chance, 'blind');
  let startMs = atMs;
  let lasting = lastsMs;
  for (;;) {
    move(to, startMs, lasting);
    const endMs = startMs + lasting;
    const shown = await pointerIn(look, fromMs, endMs, endMs + step.hold_ms);
    if (shown.length > 0 && shown.every((at) => isOnTarget(at, step, PAGE_STRICTER))) return endMs;
    const wanted = aimedAt(step, chance, 'guided');
    const off = (axis: 'x' | 'y') =>
      shown.reduce((sum, at) => sum + (wanted[axis] - at[axis]) / shown.length, 0);
    to = { x: to.x + off('x'), y: to.y + off('y') };
    startMs = endMs + chance.between(CORRECTS_AFTER_MS.least, CORRECTS_AFTER_MS.most);
    lasting = 0.6 * lastsMs;
    if (startMs + lasting > latestMs) return null;
  }
}

/** Where the page sees the nose from one time to another, as the judgement measures it. */
async function pointerIn(look: Look, fromMs: number, startMs: number, endMs: number): Promise<Direction[]> {
  const every = (from: number, to: number) =>
    Array.from({ length: Math.floor(((to - from) * FPS) / 1000) }, (_, i) => from + msOf(i));
  const times = [
    every(0, REST_MS),
    every(Math.max(0, fromMs - BASELINE_MS), fromMs),
    every(startMs, endMs),
  ] as const;
  const pictures = [...look(times.flat())].map((picture, i) => ({ ...picture, timeMs: msOf(i) }));
  const faces = (await trackFaces(models, pictures)).map(({ face }) => face && upperFaceOf(face.landmarks));
  const [first, before] = times.map(({ length }) => length) as [number, number];
  const seen = (from: number, to?: number) => faces.slice(from, to).filter((face) => face !== null);
  const rest = restingFaceOf(seen(0, first));
  if (!rest) return [];
  const towards = (own: ReturnType<typeof seen>) => own.map((face) => directionOf(face, rest));
  const baseline = baselineOf(towards(seen(first, first + before)));
  return towards(seen(first + before)).map(({ x, y }) => ({ x: x - baseline.x, y: y - baseline.y }));
}
