// Attacks made from some seconds of one real take of the victim.
import type { DrawnScript } from '../../src/contract/script.ts';
import { record } from './camera.ts';
import type { Picture } from './draw.ts';
import type { Actor, Shot } from './film-attacks.ts';
import { assembled, type Library, PIECE_FPS } from './library.ts';
import type { Chance } from './random.ts';
import { type RealTake, takeFor, type Wanted } from './real-takes.ts';
import { recordingOf, roleFor, row, shotFor } from './shots.ts';
import type { Species } from './studio.ts';
import { cutLibrary, gridLibrary, restLibrary } from './take-libraries.ts';
import { warpedFootage } from './warped-footage.ts';

/** Libraries of a real take, and what its seconds must show. */
export const TAKE_LIBRARIES = {
  real_take_cuts: { wanted: 'answers', libraryOf: cutLibrary },
  action_library_rest: { wanted: 'answers', libraryOf: restLibrary },
  pose_grid: { wanted: 'looks', libraryOf: gridLibrary },
} as const satisfies Record<
  string,
  { wanted: Wanted; libraryOf: (take: RealTake, chance: Chance) => Library }
>;

/** The footage under a warp towards each answer, with another person's smile. */
export function warpedTake(
  take: RealTake,
  { neutral, smiling }: Actor,
  drawn: DrawnScript,
  chance: Chance,
): { shot: Shot; pictures: Iterable<Picture> } {
  const shot = shotFor(drawn, chance, {}, PIECE_FPS);
  // The footage has its own camera: noise and shake are in it.
  const camera = { noise: 0, gain: 1, shakePx: 0, zoom: 0 };
  const smile = { neutral, smiling: smiling! };
  return { shot, pictures: warpedFootage(take, smile, shot.performance, { ...shot, camera }) };
}

const LIBRARIES: readonly Species[] = Object.entries(TAKE_LIBRARIES).map(([name, { wanted, libraryOf }]) => ({
  name,
  make: async (studio, number, chance) => {
    const take = await takeFor(studio, number, wanted);
    if (!take) return;
    await studio.take(name, number, 'webm', async (path) => {
      const { pictures, script } = assembled(libraryOf(take, chance), studio.draw(chance));
      await record(path, recordingOf({ fps: PIECE_FPS, chance }), pictures);
      return [row('attack', name, take.subject, script, 'edited')];
    });
  },
}));

const WARPED: Species = {
  name: 'warped_footage',
  make: async (studio, number, chance) => {
    const take = await takeFor(studio, number, 'calm');
    if (!take) return;
    await studio.take('warped_footage', number, 'webm', async (path) => {
      const others = studio.cast.smiling.filter(({ subject }) => subject !== take.subject);
      const donor = await studio.open(roleFor(others, number));
      const { shot, pictures } = warpedTake(take, donor, studio.draw(chance), chance);
      await record(path, recordingOf(shot), pictures);
      return [row('attack', 'warped_footage', take.subject, shot.script, 'edited')];
    });
  },
};

export const TAKE_ATTACKS: readonly Species[] = [...LIBRARIES, WARPED];
