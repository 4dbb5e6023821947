// A library of a person's actions, filmed beforehand: at each prompt the matching piece is played. An attacker who has
// one needs no advance knowledge of the script.
import { join } from 'node:path';
import { isMovement, type Prompt, type Script } from '../../src/contract/script.ts';
import { promptSteps } from '../../src/contract/script-steps.ts';
import { anyCamera, record } from './camera.ts';
import type { Picture } from './draw.ts';
import { readPictures, rewrite } from './edit-attacks.ts';
import type { Actor } from './film-attacks.ts';
import { buildHead, type Head } from './head.ts';
import { alive, type Movement, movementOf } from './performance.ts';
import type { Chance } from './random.ts';
import { covering, SEAMS, type Seam } from './seams.ts';
import { recordingOf, roleFor, row } from './shots.ts';
import type { GenuineClip } from './sources.ts';
import { filmHead } from './stage.ts';
import type { Species, Studio } from './studio.ts';

/** Frames per second of the pieces. */
export const PIECE_FPS = 24;
const FPS = PIECE_FPS;
const SEAM_FRAMES = { least: 2, most: 6 };
/** Longer than any fade that the detector looks for (src/evaluation/liveness/seams.ts). */
const LONG_FADE_FRAMES = { least: 10, most: 20 };
const MOVE_MS = { least: 280, most: 600 };
/** A piece: at rest, the movement, the hold, and back to rest. */
const REST_MS = { least: 200, most: 500 };
const HELD_MS = { least: 500, most: 900 };
const FIRST_MS = { least: 900, most: 1400 };

/** `morph`: the frames around a seam are dropped and re-created by motion compensation (ffmpeg's minterpolate). */
const COVERS = [...SEAMS, 'long_fade', 'morph'] as const;
type Cover = (typeof COVERS)[number];

/** One species for each way of joining the pieces. */
export const ACTION_LIBRARIES: readonly Species[] = COVERS.map((cover) => ({
  name: `action_library_${cover}`,
  make: (studio, take, chance) => makeLibrary(studio, take, chance, cover),
}));

/** Consecutive pieces, and the script that the attacker claims was performed. */
interface Assembly {
  readonly pictures: readonly Picture[];
  readonly cuts: readonly number[];
  readonly script: Script;
  readonly subject: string;
}

async function makeLibrary(studio: Studio, take: number, chance: Chance, cover: Cover): Promise<void> {
  const name = `action_library_${cover}`;
  await studio.take(name, take, 'webm', async (path, scratch) => {
    const clips = studio.sources.clips.filter(({ prompts }) => isLibrary(prompts));
    const clip = take % 4 === 0 ? clips[(take / 4) % clips.length] : undefined;
    const { pictures, cuts, script, subject } = clip
      ? await fromCamera(studio, clip, chance)
      : await rendered(studio, take, chance);
    const { least, most } = cover === 'long_fade' ? LONG_FADE_FRAMES : SEAM_FRAMES;
    const seamFrames = chance.integer(least, most);
    const recording = recordingOf({ fps: FPS, chance });
    if (cover === 'morph') await morph(path, scratch, { pictures, cuts, seamFrames }, recording);
    else await record(path, recording, covering(pictures, cuts, seamOf(cover), seamFrames));
    return [row('attack', name, subject, script, clip ? 'edited' : 'rendered')];
  });
}

const seamOf = (cover: Exclude<Cover, 'morph'>): Seam => (cover === 'long_fade' ? 'fade' : cover);

/** Whether the footage rests and moves more than once, so that it contains separate pieces. */
function isLibrary(prompts: GenuineClip['prompts']): boolean {
  return new Set(prompts.map(([prompt]) => prompt)).size > 2;
}

async function rendered(studio: Studio, take: number, chance: Chance): Promise<Assembly> {
  const actor = await studio.open(roleFor(studio.cast.smiling, take));
  const head = buildHead(actor.neutral, actor.smiling);
  const camera = anyCamera(chance);
  const pictures: Picture[] = [];
  const cuts: number[] = [];
  const steps: Script['steps'] = [];
  for (const { prompt } of promptSteps(studio.draw(chance))) {
    if (pictures.length > 0) cuts.push(pictures.length);
    const beganMs = (pictures.length * 1000) / FPS;
    const { film, answeredMs } = piece(head, actor, prompt, chance, camera, steps.length === 0);
    pictures.push(...film);
    const from_ms = steps.at(-1)?.to_ms ?? 0;
    steps.push({ prompt, from_ms, to_ms: Math.round(beganMs + answeredMs) });
  }
  return { pictures, cuts, script: { steps }, subject: actor.subject };
}

/** One action, filmed separately: nobody performs exactly the same way twice. */
export function piece(
  head: Head,
  { neutral }: Actor,
  prompt: Prompt,
  chance: Chance,
  camera: ReturnType<typeof anyCamera>,
  isFirst: boolean,
): { film: Iterable<Picture>; answeredMs: number } {
  const atMs = chance.between(REST_MS.least, REST_MS.most);
  const lastsMs = chance.between(MOVE_MS.least, MOVE_MS.most);
  const answeredMs = isFirst
    ? chance.between(FIRST_MS.least, FIRST_MS.most)
    : atMs + lastsMs + chance.between(HELD_MS.least, HELD_MS.most);
  const movements: Movement[] = isMovement(prompt)
    ? [
        { atMs, lastsMs, ...movementOf(prompt, chance) },
        { atMs: answeredMs, lastsMs, yaw: 0, smile: 0 },
      ]
    : [];
  const durationMs = answeredMs + (movements.length > 0 ? lastsMs + 100 : 0);
  return {
    film: filmHead(head, neutral, alive(movements, chance), { chance, camera, fps: FPS, durationMs }),
    answeredMs,
  };
}

/** Pieces cut from a public clip, in the order that the script asks for. */
async function fromCamera(studio: Studio, clip: GenuineClip, chance: Chance): Promise<Assembly> {
  const all = await readPictures(join(studio.root, clip.file), FPS);
  const known = [...new Set(clip.prompts.map(([prompt]) => prompt))];
  const pictures: Picture[] = [];
  const cuts: number[] = [];
  const steps: Script['steps'] = [];
  for (const { prompt } of promptSteps(studio.draw(chance, { allowed: known }))) {
    if (pictures.length > 0) cuts.push(pictures.length);
    const at = clip.prompts.findIndex(([name]) => name === prompt);
    const fromS = clip.fromS + Math.max(0, clip.prompts[at]![1] - (at === 0 ? 0 : 0.25));
    const untilS = Math.min(clip.fromS + (clip.prompts[at + 1]?.[1] ?? clip.lastsS), fromS + 1.9);
    pictures.push(...all.slice(Math.round(fromS * FPS), Math.round(untilS * FPS)));
    const from_ms = steps.at(-1)?.to_ms ?? 0;
    steps.push({ prompt, from_ms, to_ms: Math.round((pictures.length * 1000) / FPS) });
  }
  return { pictures, cuts, script: { steps }, subject: clip.subject };
}

/** Drops the frames of each seam, at near-lossless quality, and re-creates them from their neighbours. */
async function morph(
  path: string,
  scratch: string,
  { pictures, cuts, seamFrames }: Pick<Assembly, 'pictures' | 'cuts'> & { seamFrames: number },
  recording: ReturnType<typeof recordingOf>,
): Promise<void> {
  const half = seamFrames / 2;
  const seams = cuts.map((cut) => `between(n,${Math.ceil(cut - half)},${Math.ceil(cut + half) - 1})`);
  const whole = join(scratch, 'whole.mp4');
  await record(whole, { codec: 'h264', fps: FPS, kbps: 20_000 }, pictures);
  const graph = `select='not(${seams.join('+')})',minterpolate=fps=${FPS}:mi_mode=mci:mc_mode=aobmc:scd=none`;
  await rewrite(whole, path, graph, recording, (pictures.length * 1000) / FPS);
}
