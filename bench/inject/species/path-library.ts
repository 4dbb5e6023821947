// A library attack on the path: footage of the victim looking around, from which the frame is played at each moment
// whose head is nearest to the mark; rest and smile are separate pieces.

import { pathAt } from '../../../src/contract/path.ts';
import type { DrawnStep, Prompt, Script } from '../../../src/contract/script.ts';
import { performedStep } from '../../../src/contract/script-steps.ts';
import { PIECE_FPS, piece } from '../../attacks/action-libraries.ts';
import { anyCamera } from '../../attacks/camera.ts';
import type { Picture } from '../../attacks/draw.ts';
import { buildHead } from '../../attacks/head.ts';
import { lookAround } from '../../attacks/look-around.ts';
import { continues, type LookFrame, nearestFrames } from '../../attacks/nearest-piece.ts';
import { chanceOf } from '../../attacks/random.ts';
import { covering, type Seam } from '../../attacks/seams.ts';
import { EXTRA_MS, recordingOf } from '../../attacks/shots.ts';
import { filmHead } from '../../attacks/stage.ts';
import type { Call, ClientAttack, Film, Stage } from '../laboratory.ts';
import { filmed, inTurn, open, withinLimits } from './films.ts';

const FPS = PIECE_FPS;
/** Pieces of some 6 s in which the victim looks around: as many old captures with a path as the attacker obtained. */
const LOOK_PIECES = 3;
/** Delay from the mark to the head, like a person's. */
const DELAY_MS = 300;
/** Length of a seam in frames. */
const SEAM_FRAMES = 4;
/**
 * Tries of a challenge. Each has its own pieces of rest and smile, because frames that were sent before are recognised.
 */
const TRIES = 3;

/** A way to play the footage. */
export interface Playing {
  readonly seam: Seam;
  /** See nearestFrames(). */
  readonly cutCosts: number;
}

interface Footage {
  readonly looks: readonly LookFrame[];
  readonly lookPictures: readonly Picture[];
  /** By prompt, one per try. */
  readonly pieces: Readonly<
    Record<'neutral' | 'smile', readonly { pictures: Picture[]; answeredMs: number }[]>
  >;
}

/** The attack that plays such footage in this way. */
export function pathLibrary(playing: Playing): ClientAttack {
  const made = new Map<number, Footage>();
  return {
    prepare: async (stage, take) => {
      made.clear();
      made.set(take, await footageOf(stage, take));
    },
    film: (_, call) => play(made.get(call.take)!, call, playing),
  };
}

async function footageOf(stage: Stage, take: number): Promise<Footage> {
  const actor = await open(stage, inTurn(stage.cast.smiling, take));
  const chance = chanceOf(`path library ${take}`);
  const head = buildHead(actor.neutral, actor.smiling);
  const camera = anyCamera(chance);
  const pieceOf = (prompt: Prompt) => {
    const { film, answeredMs } = piece(head, actor, prompt, chance, camera, prompt === 'neutral');
    return { pictures: [...film], answeredMs };
  };
  const looks: LookFrame[] = [];
  const lookPictures: Picture[] = [];
  for (let i = 0; i < LOOK_PIECES; i++) {
    const { places, performance, durationMs } = lookAround(chance, FPS);
    looks.push(...places.map((place) => ({ ...place, piece: i })));
    lookPictures.push(
      ...filmHead(head, actor.neutral, performance, { chance, camera, fps: FPS, durationMs }),
    );
  }
  const each = (prompt: Prompt) => Array.from({ length: TRIES }, () => pieceOf(prompt));
  return { looks, lookPictures, pieces: { neutral: each('neutral'), smile: each('smile') } };
}

async function play(footage: Footage, call: Call, { seam, cutCosts }: Playing): Promise<Film> {
  const { chance, script, tried } = call;
  const pictures: Picture[] = [];
  const cuts: number[] = [];
  const steps: Script['steps'] = [];
  for (const step of script.steps) {
    const from_ms = steps.at(-1)?.to_ms ?? 0;
    if (pictures.length > 0) cuts.push(pictures.length);
    if (step.prompt === 'path') {
      const played = alongPath(footage.looks, step, from_ms, pictures.length, cutCosts);
      for (const [i, frame] of played.entries()) {
        if (i > 0 && !continues(footage.looks, played[i - 1]!, frame)) cuts.push(pictures.length);
        pictures.push(footage.lookPictures[frame]!);
      }
      steps.push(performedStep(step, from_ms, from_ms + step.hold_ms));
      continue;
    }
    const own = footage.pieces[step.prompt === 'smile' ? 'smile' : 'neutral'][tried % TRIES]!;
    const beganMs = (pictures.length * 1000) / FPS;
    pictures.push(...own.pictures);
    steps.push(performedStep(step, from_ms, Math.round(beganMs + own.answeredMs)));
  }
  const performed = withinLimits({ steps }, script);
  padTo(pictures, performed.steps.at(-1)!.to_ms + EXTRA_MS);
  const inset = { side: 2 * chance.integer(1, 8), x: chance.between(0, 1), y: chance.between(0, 1) };
  const shown = [...covering(pictures, cuts, seam, SEAM_FRAMES)].map((picture) => cropped(picture, inset));
  return filmed(call, recordingOf({ fps: FPS, chance }), shown, performed);
}

/** The frames of the footage to play from the next frame until the path's end. */
function alongPath(
  looks: readonly LookFrame[],
  step: Extract<DrawnStep, { prompt: 'path' }>,
  fromMs: number,
  nextPicture: number,
  cutCosts: number,
): number[] {
  const end = Math.round(((fromMs + step.hold_ms) / 1000) * FPS);
  const goals = Array.from({ length: Math.max(0, end - nextPicture) }, (_, i) =>
    pathAt(step.path, ((nextPicture + i) * 1000) / FPS - fromMs - DELAY_MS),
  );
  return nearestFrames(looks, goals, cutCosts);
}

/** Repeats the last frames back and forth until the film is long enough. */
function padTo(pictures: Picture[], durationMs: number): void {
  const last = pictures.length - 1;
  for (let i = 0; pictures.length < (durationMs / 1000) * FPS; i++)
    pictures.push(pictures[last - 1 - (i % Math.min(4, last))]!);
}

/** Crops a frame, making it `side` pixels smaller. */
function cropped({ width, height, rgb }: Picture, inset: { side: number; x: number; y: number }): Picture {
  const [left, top] = [Math.floor(inset.x * inset.side), Math.floor(inset.y * inset.side)];
  const size = { width: width - inset.side, height: height - inset.side };
  const out = new Uint8Array(size.width * size.height * 3);
  for (let row = 0; row < size.height; row++) {
    const from = ((row + top) * width + left) * 3;
    out.set(rgb.subarray(from, from + 3 * size.width), row * size.width * 3);
  }
  return { ...size, rgb: out };
}
