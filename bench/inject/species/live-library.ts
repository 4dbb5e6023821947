// A library of clips whose next one is chosen once its prompt is known: pieces that were filmed and encoded beforehand
// are concatenated during the recording, with their frames unchanged, and with hard cuts.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Asked, DrawnScript, DrawnStep, Script } from '../../../src/contract/script.ts';
import { performedStep } from '../../../src/contract/script-steps.ts';
import { record } from '../../attacks/camera.ts';
import { rewrite } from '../../attacks/edit-attacks.ts';
import { type Library, nearestAction, PIECE_FPS } from '../../attacks/library.ts';
import { type Chance, chanceOf } from '../../attacks/random.ts';
import { recordingOf } from '../../attacks/shots.ts';
import { inScratch } from '../client.ts';
import type { Call, InTimeAttack, Playing, Stage } from '../laboratory.ts';
import { clusterOf, demux, type Frame } from '../webm.ts';
import { withinLimits } from './films.ts';

/** Clips per action: no script asks for one more often, and no clip is shown twice. */
const VARIANTS = 3;
/** Tries of a challenge. The clips are re-encoded for each, because frames that were sent before are recognised. */
const TRIES = 3;
/** How late a camera's frames come, ms (films.ts). */
const LATE_MS = 6;

interface EncodedPiece {
  readonly action: Asked;
  readonly frames: readonly Frame[];
  readonly durationMs: number;
  /** Time from its beginning until its answer was held. */
  readonly answeredMs: number;
}

/** Pieces from one encoding, and the header of a file made of them. */
interface Encoded {
  readonly head: Buffer;
  readonly pieces: readonly EncodedPiece[];
}

/** The attack with such a library. */
export function liveLibrary(
  libraryOf: (stage: Stage, take: number, chance: Chance) => Promise<Library>,
): InTimeAttack {
  const made = new Map<number, readonly Encoded[]>();
  return {
    prepare: async (stage, take) => {
      const chance = chanceOf(`live library ${take}`);
      made.clear();
      made.set(take, await encodedOf(await libraryOf(stage, take, chance), chance));
    },
    play: async (_, call) => playing(made.get(call.take)![call.tried]!, call),
  };
}

function encodedOf(library: Library, chance: Chance): Promise<Encoded[]> {
  return inScratch(async (scratch) => {
    const originals: (Omit<EncodedPiece, 'frames'> & { path: string })[] = [];
    for (const action of library.actions)
      for (let variant = 0; variant < VARIANTS; variant++) {
        const path = join(scratch, `${originals.length}.mp4`);
        const { pictures, answeredMs } = library.piece(action, originals.length === 0);
        const shown = [...pictures];
        await record(path, { codec: 'h264', fps: PIECE_FPS, kbps: 20_000 }, shown);
        originals.push({ action, path, answeredMs, durationMs: (shown.length * 1000) / PIECE_FPS });
      }
    const tries: Encoded[] = [];
    for (let tried = 0; tried < TRIES; tried++) {
      const folder = join(scratch, String(tried));
      mkdirSync(folder);
      const inset = 2 * chance.integer(1, 8);
      const graph = `crop=iw-${inset}:ih-${inset}:${chance.integer(0, inset)}:${chance.integer(0, inset)}`;
      const recording = recordingOf({ fps: PIECE_FPS, chance });
      const pieces: EncodedPiece[] = [];
      let first: Buffer | null = null;
      for (const [i, { path, ...original }] of originals.entries()) {
        const encoded = join(folder, `${i}.webm`);
        await rewrite(path, encoded, graph, recording, original.durationMs);
        const { head, frames } = demux(asLive(encoded));
        first ??= head;
        pieces.push({ ...original, frames });
      }
      tries.push({ head: first!, pieces });
    }
    return tries;
  });
}

/** Rewrites the file as a recorder does that does not know its length in advance. */
function asLive(path: string): Buffer {
  const copied = ['-c', 'copy', '-f', 'webm', '-live', '1', 'pipe:1'];
  return execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-i', path, ...copied], { maxBuffer: 2 ** 26 });
}

function playing({ head, pieces }: Encoded, { chance }: Call): Playing {
  const actions = pieces.map(({ action }) => action);
  const steps: Script['steps'] = [];
  const shown = new Map<Asked, number>();
  let waiting: Frame[] = [];
  let endMs = 0;
  let hasBegun = false;
  const begin = (step: DrawnStep) => {
    const action = nearestAction(actions, step);
    const at = shown.get(action) ?? 0;
    shown.set(action, at + 1);
    const own = pieces.filter((piece) => piece.action === action);
    const { frames, durationMs, answeredMs } = own[at % own.length]!;
    const beganMs = endMs;
    waiting.push(
      ...frames.map((frame, i) => {
        const late = beganMs + i === 0 ? 0 : chance.between(0, LATE_MS);
        return { ...frame, timeMs: beganMs + frame.timeMs + late };
      }),
    );
    endMs += durationMs;
    steps.push(performedStep(step, steps.at(-1)?.to_ms ?? 0, Math.round(beganMs + answeredMs)));
  };
  return {
    next: (untilMs, known) => {
      while (endMs <= untilMs && steps.length < known.length) begin(known[steps.length]!);
      const due = waiting.filter(({ timeMs }) => timeMs <= untilMs);
      waiting = waiting.filter(({ timeMs }) => timeMs > untilMs);
      if (due.length === 0 && waiting.length === 0 && hasBegun) return null;
      const begins = hasBegun ? [] : [head];
      hasBegun = true;
      return Buffer.concat([...begins, ...(due.length > 0 ? [clusterOf(due)] : [])]);
    },
    wanted: () => steps.length + 1,
    performed: (drawn: DrawnScript) => withinLimits({ steps }, drawn),
  };
}
