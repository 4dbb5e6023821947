// A library of clips whose next one is chosen once its prompt is known: pieces that were filmed and encoded beforehand
// are concatenated during the recording, with their frames unchanged, and with hard cuts.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DrawnScript, DrawnStep, Prompt, Script } from '../../../src/contract/script.ts';
import { PIECE_FPS, piece } from '../../attacks/action-libraries.ts';
import { anyCamera, record } from '../../attacks/camera.ts';
import type { Role } from '../../attacks/cast.ts';
import { rewrite } from '../../attacks/edit-attacks.ts';
import { buildHead } from '../../attacks/head.ts';
import { chanceOf } from '../../attacks/random.ts';
import { recordingOf } from '../../attacks/shots.ts';
import { inScratch } from '../client.ts';
import type { Call, InTimeAttack, Playing, Stage } from '../laboratory.ts';
import { clusterOf, demux, type Frame } from '../webm.ts';
import { open, withinLimits } from './films.ts';

const PROMPTS: readonly Prompt[] = ['neutral', 'smile', 'turn_left', 'turn_right'];
/** Clips per prompt: no script asks for one more often, and no clip is shown twice. */
const VARIANTS = 3;
/** Tries of a challenge. The clips are re-encoded for each, because frames that were sent before are recognised. */
const TRIES = 3;
/** How late a camera's frames come, ms (films.ts). */
const LATE_MS = 6;

interface Piece {
  readonly frames: readonly Frame[];
  readonly durationMs: number;
  /** Time from its beginning until its answer was held. */
  readonly answeredMs: number;
}

/** Pieces from one encoding, and the header of a file made of them. */
interface Library {
  readonly head: Buffer;
  readonly pieces: Readonly<Record<string, readonly Piece[]>>;
}

/** The attack with such a library of the person that `roleOf` names. */
export function liveLibrary(roleOf: (stage: Stage, take: number) => Role): InTimeAttack {
  const made = new Map<number, readonly Library[]>();
  return {
    prepare: async (stage, take) => {
      made.clear();
      made.set(take, await librariesOf(stage, roleOf(stage, take), take));
    },
    play: async (_, call) => playing(made.get(call.take)![call.tried]!, call),
  };
}

function librariesOf(stage: Stage, role: Role, take: number): Promise<Library[]> {
  return inScratch(async (scratch) => {
    const chance = chanceOf(`live library ${take}`);
    const actor = await open(stage, role);
    const head = buildHead(actor.neutral, actor.smiling);
    const camera = anyCamera(chance);
    const originals: { prompt: Prompt; path: string; answeredMs: number; durationMs: number }[] = [];
    for (const prompt of PROMPTS)
      for (let variant = 0; variant < VARIANTS; variant++) {
        const path = join(scratch, `${prompt}-${variant}.mp4`);
        const isFirst = prompt === 'neutral' && variant === 0;
        const { film, answeredMs } = piece(head, actor, prompt, chance, camera, isFirst);
        const pictures = [...film];
        await record(path, { codec: 'h264', fps: PIECE_FPS, kbps: 20_000 }, pictures);
        originals.push({ prompt, path, answeredMs, durationMs: (pictures.length * 1000) / PIECE_FPS });
      }
    const libraries: Library[] = [];
    for (let tried = 0; tried < TRIES; tried++) {
      const folder = join(scratch, String(tried));
      mkdirSync(folder);
      const inset = 2 * chance.integer(1, 8);
      const graph = `crop=iw-${inset}:ih-${inset}:${chance.integer(0, inset)}:${chance.integer(0, inset)}`;
      const recording = recordingOf({ fps: PIECE_FPS, chance });
      const pieces: Record<string, Piece[]> = {};
      let first: Buffer | null = null;
      for (const [i, { prompt, path, answeredMs, durationMs }] of originals.entries()) {
        const encoded = join(folder, `${i}.webm`);
        await rewrite(path, encoded, graph, recording, durationMs);
        const { head: begins, frames } = demux(asLive(encoded));
        first ??= begins;
        pieces[prompt] = [...(pieces[prompt] ?? []), { frames, answeredMs, durationMs }];
      }
      libraries.push({ head: first!, pieces });
    }
    return libraries;
  });
}

/** Rewrites the file as a recorder does that does not know its length in advance. */
function asLive(path: string): Buffer {
  const copied = ['-c', 'copy', '-f', 'webm', '-live', '1', 'pipe:1'];
  return execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-i', path, ...copied], { maxBuffer: 2 ** 26 });
}

function playing({ head, pieces }: Library, { chance }: Call): Playing {
  const steps: Script['steps'] = [];
  const shown = new Map<string, number>();
  let waiting: Frame[] = [];
  let endMs = 0;
  let hasBegun = false;
  const begin = ({ prompt }: DrawnStep) => {
    const at = shown.get(prompt) ?? 0;
    shown.set(prompt, at + 1);
    const own = pieces[prompt] ?? pieces.neutral!;
    const { frames, durationMs, answeredMs } = own[at % own.length]!;
    const beganMs = endMs;
    waiting.push(
      ...frames.map((frame, i) => {
        const late = beganMs + i === 0 ? 0 : chance.between(0, LATE_MS);
        return { ...frame, timeMs: beganMs + frame.timeMs + late };
      }),
    );
    endMs += durationMs;
    const from_ms = steps.at(-1)?.to_ms ?? 0;
    // A path is not in the library: it is played at rest, and withinLimits() corrects its times.
    steps.push({ prompt: prompt as Prompt, from_ms, to_ms: Math.round(beganMs + answeredMs) });
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
