// Libraries of a person's actions whose pieces are joined at each prompt, with the joints covered in several ways.
import { record } from './camera.ts';
import type { Picture } from './draw.ts';
import { interpolated } from './edit-attacks.ts';
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
  await studio.take(name, take, 'webm', async (path) => {
    const real = take % REAL_EVERY === 0 ? await takeFor(studio, take / REAL_EVERY, 'answers') : null;
    const library = real
      ? cutLibrary(real, chance)
      : renderedLibrary(await studio.open(roleFor(studio.cast.smiling, take)), chance);
    const assembly = assembled(library, studio.draw(chance));
    const { least, most } = cover === 'long_fade' ? LONG_FADE_FRAMES : SEAM_FRAMES;
    const seamFrames = chance.integer(least, most);
    const recording = recordingOf({ fps: FPS, chance });
    const pictures =
      cover === 'morph'
        ? await morphed(assembly, seamFrames)
        : covering(assembly.pictures, assembly.cuts, seamOf(cover), seamFrames);
    await record(path, recording, pictures);
    return [row('attack', name, library.subject, assembly.script, real ? 'edited' : 'rendered')];
  });
}

const seamOf = (cover: Exclude<Cover, 'morph'>): Seam => (cover === 'long_fade' ? 'fade' : cover);

/** Pictures on either side of a seam, from which the motion across it is estimated. */
const AROUND_SEAM = 5;

/** Drops the frames of each seam and makes them anew from their neighbours. */
async function morphed({ pictures, cuts }: Assembly, seamFrames: number): Promise<Picture[]> {
  const shown = [...pictures];
  const seams = cuts.map(async (cut) => {
    const [first, last] = [Math.ceil(cut - seamFrames / 2), Math.ceil(cut + seamFrames / 2) - 1];
    const from = Math.max(0, first - AROUND_SEAM);
    const around = pictures.slice(from, last + 1 + AROUND_SEAM);
    const made = await interpolated(around, first - from, last - from, FPS);
    for (let i = first; i <= last; i++) shown[i] = made[i - from]!;
  });
  await Promise.all(seams);
  return shown;
}
