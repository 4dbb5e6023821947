// Attacks made from some seconds of one real take of the victim.
import type { DrawnScript } from '../../src/contract/script.ts';
import { record } from './camera.ts';
import type { Picture } from './draw.ts';
import type { Actor, Shot } from './film-attacks.ts';
import { assembled, type Library, PIECE_FPS } from './library.ts';
import { type Chance, chanceOf } from './random.ts';
import { type Footage, takeFor, type Wanted } from './real-takes.ts';
import { renderedFootage } from './rendered-footage.ts';
import { recordingOf, roleFor, row, shotFor } from './shots.ts';
import type { Species, Studio } from './studio.ts';
import { cutLibrary, gridLibrary, restLibrary } from './take-libraries.ts';
import { warpedFootage } from './warped-footage.ts';

/** Libraries of a real take, and what its seconds must show. */
export const TAKE_LIBRARIES = {
  take_cuts: { wanted: 'answers', libraryOf: cutLibrary },
  action_library_rest: { wanted: 'answers', libraryOf: restLibrary },
  pose_grid: { wanted: 'looks', libraryOf: gridLibrary },
} as const satisfies Record<
  string,
  { wanted: Wanted; libraryOf: (take: Footage, chance: Chance) => Library }
>;

/** The footage under a warp towards each answer, with another person's smile. */
export function warpedTake(
  take: Footage,
  { neutral, smiling }: Actor,
  drawn: DrawnScript,
  chance: Chance,
): { shot: Shot; pictures: Iterable<Picture> } {
  const shot = shotFor(drawn, chance);
  // The footage has its own camera: noise and shake are in it.
  const camera = { noise: 0, gain: 1, shakePx: 0, zoom: 0 };
  const smile = { neutral, smiling: smiling! };
  return { shot, pictures: warpedFootage(take, smile, shot.performance, { ...shot, camera }) };
}

/** One in this many is of a real person; few of the cast's real takes show what is wanted. */
const REAL_EVERY = 3;

/** The footage of attack number `number`: a real take in turn, else a rendered person's. */
export async function footageFor(studio: Studio, number: number, wanted: Wanted): Promise<Footage> {
  const realBefore = Math.ceil(number / REAL_EVERY);
  const real = number % REAL_EVERY === 0 ? await takeFor(studio, realBefore, wanted) : null;
  if (real) return real;
  // Counted without the real ones, so that each of the cast has a turn.
  const actor = await studio.open(roleFor(studio.cast.smiling, number - realBefore));
  return renderedFootage(actor, wanted, chanceOf(`footage ${wanted} ${number}`));
}

const LIBRARIES: readonly Species[] = Object.entries(TAKE_LIBRARIES).map(([name, { wanted, libraryOf }]) => ({
  name,
  make: async (studio, number, chance) => {
    await studio.take(name, number, 'webm', async (path) => {
      const take = await footageFor(studio, number, wanted);
      const { pictures, script } = assembled(libraryOf(take, chance), studio.draw(chance));
      await record(path, recordingOf({ fps: PIECE_FPS, chance }), pictures);
      return [row('attack', name, take.subject, script, take.made)];
    });
  },
}));

const WARPED: Species = {
  name: 'warped_footage',
  make: async (studio, number, chance) => {
    await studio.take('warped_footage', number, 'webm', async (path) => {
      const take = await footageFor(studio, number, 'calm');
      const others = studio.cast.smiling.filter(({ subject }) => subject !== take.subject);
      const donor = await studio.open(roleFor(others, number));
      const { shot, pictures } = warpedTake(take, donor, studio.draw(chance), chance);
      await record(path, recordingOf(shot), pictures);
      return [row('attack', 'warped_footage', take.subject, shot.script, take.made)];
    });
  },
};

export const TAKE_ATTACKS: readonly Species[] = [...LIBRARIES, WARPED];
