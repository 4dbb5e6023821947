// Libraries of a person's actions whose pieces are joined at each prompt, with the joints covered in several ways.
import { join } from 'node:path';
import { record } from './camera.ts';
import { rewrite } from './edit-attacks.ts';
import { type Assembly, assembled, PIECE_FPS } from './library.ts';
import type { Chance } from './random.ts';
import { takeFor } from './real-takes.ts';
import { renderedLibrary } from './rendered-library.ts';
import { covering, SEAMS, type Seam } from './seams.ts';
import { recordingOf, roleFor, row } from './shots.ts';
import type { Species, Studio } from './studio.ts';
import { cutLibrary } from './take-libraries.ts';

const FPS = PIECE_FPS;
const SEAM_FRAMES = { least: 2, most: 6 };
/** Longer than any fade that the detector looks for (src/evaluation/liveness/seams.ts). */
const LONG_FADE_FRAMES = { least: 10, most: 20 };
/** One take in this many is cut from real footage. */
const REAL_EVERY = 4;

/** `morph`: the frames around a seam are dropped and re-created by motion compensation (ffmpeg's minterpolate). */
const COVERS = [...SEAMS, 'long_fade', 'morph'] as const;
type Cover = (typeof COVERS)[number];

/** One species for each way of joining the pieces. */
export const ACTION_LIBRARIES: readonly Species[] = COVERS.map((cover) => ({
  name: `action_library_${cover}`,
  make: (studio, take, chance) => makeLibrary(studio, take, chance, cover),
}));

async function makeLibrary(studio: Studio, take: number, chance: Chance, cover: Cover): Promise<void> {
  const name = `action_library_${cover}`;
  await studio.take(name, take, 'webm', async (path, scratch) => {
    const real = take % REAL_EVERY === 0 ? await takeFor(studio, take / REAL_EVERY, 'answers') : null;
    const library = real
      ? cutLibrary(real, chance)
      : renderedLibrary(await studio.open(roleFor(studio.cast.smiling, take)), chance);
    const { pictures, cuts, script } = assembled(library, studio.draw(chance));
    const { least, most } = cover === 'long_fade' ? LONG_FADE_FRAMES : SEAM_FRAMES;
    const seamFrames = chance.integer(least, most);
    const recording = recordingOf({ fps: FPS, chance });
    if (cover === 'morph') await morph(path, scratch, { pictures, cuts, seamFrames }, recording);
    else await record(path, recording, covering(pictures, cuts, seamOf(cover), seamFrames));
    return [row('attack', name, library.subject, script, real ? 'edited' : 'rendered')];
  });
}

const seamOf = (cover: Exclude<Cover, 'morph'>): Seam => (cover === 'long_fade' ? 'fade' : cover);

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
