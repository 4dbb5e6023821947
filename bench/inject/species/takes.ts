// Attacks by whoever has some seconds of one take of the victim.
import type { Picture } from '../../attacks/draw.ts';
import { assembled, PIECE_FPS } from '../../attacks/library.ts';
import type { Chance } from '../../attacks/random.ts';
import type { Footage, Wanted } from '../../attacks/real-takes.ts';
import { recordingOf } from '../../attacks/shots.ts';
import { footageFor, TAKE_LIBRARIES, warpedTake } from '../../attacks/take-attacks.ts';
import type { LaboratorySpecies, Stage } from '../laboratory.ts';
import { filmed, inTurn, open, withinLimits } from './films.ts';
import { liveLibrary } from './live-library.ts';

/** Real or rendered footage of take `take`'s victim; kept for the tries of one challenge. */
function takeOf({ old }: Pick<Stage, 'old'>, take: number, wanted: Wanted): Promise<Footage> {
  const key = `${take} ${wanted}`;
  if (kept?.key !== key) kept = { key, footage: footageFor(old, take, wanted) };
  return kept.footage;
}

let kept: { key: string; footage: Promise<Footage> } | null = null;

/** A slightly different part of each picture for each try: frames that were sent before are recognised. */
function reframed(chance: Chance): (picture: Picture) => Picture {
  const side = 2 * chance.integer(1, 8);
  const [left, top] = [chance.integer(0, side), chance.integer(0, side)];
  return ({ width, height, rgb }) => {
    const size = { width: width - side, height: height - side };
    const out = new Uint8Array(size.width * size.height * 3);
    for (let row = 0; row < size.height; row++) {
      const from = ((row + top) * width + left) * 3;
      out.set(rgb.subarray(from, from + 3 * size.width), row * size.width * 3);
    }
    return { ...size, rgb: out };
  };
}

const DOES: Readonly<Record<keyof typeof TAKE_LIBRARIES, { holds: string; does: string }>> = {
  take_cuts: {
    holds: 'seven seconds of one take of the victim, who smiles and looks about',
    does: 'cuts at each prompt to the moment that answers it best',
  },
  action_library_rest: {
    holds: 'seven seconds of one take of the victim, who smiles and looks about',
    does: 'plays at each prompt a piece that leaves one resting frame and returns to it by interpolation',
  },
  pose_grid: {
    holds: 'ten seconds of one take of the victim, who looks around',
    does: 'interpolates a way over the frames whose head is nearest to what is asked, and back to rest',
  },
};

const names = Object.keys(TAKE_LIBRARIES) as (keyof typeof TAKE_LIBRARIES)[];
const LIBRARIES: readonly LaboratorySpecies[] = names.map((name) => {
  const { wanted, libraryOf } = TAKE_LIBRARIES[name];
  return {
    name,
    label: 'attack',
    ...DOES[name],
    subject: async (stage, take) => (await takeOf(stage, take, wanted)).subject,
    client: {
      // Measuring a take for the first time takes longer than a script lasts.
      prepare: async (stage, take) => void (await takeOf(stage, take, wanted)),
      film: async (stage, call) => {
        const library = libraryOf(await takeOf(stage, call.take, wanted), call.chance);
        const { pictures, script } = assembled(library, call.script);
        const recording = recordingOf({ fps: PIECE_FPS, chance: call.chance });
        const shown = pictures.map(reframed(call.chance));
        return filmed(call, recording, shown, withinLimits(script, call.script));
      },
    },
    inTime: liveLibrary(async (stage, take, chance) => libraryOf(await takeOf(stage, take, wanted), chance)),
  };
});

const WARPED: LaboratorySpecies = {
  name: 'warped_footage',
  label: 'attack',
  holds: 'seven seconds of the victim, who sits calmly and perhaps talks',
  does: "lets them run on under a smooth warp towards each answer, with another person's smile",
  subject: async (stage, take) => (await takeOf(stage, take, 'calm')).subject,
  client: {
    prepare: async (stage, take) => void (await takeOf(stage, take, 'calm')),
    film: async (stage, call) => {
      const take = await takeOf(stage, call.take, 'calm');
      const others = stage.cast.smiling.filter(({ subject }) => subject !== take.subject);
      const donor = await open(stage, inTurn(others, call.take));
      const { shot, pictures } = warpedTake(take, donor, call.script, call.chance);
      return filmed(call, recordingOf(shot), pictures, shot.script);
    },
  },
};

export const OF_TAKES: readonly LaboratorySpecies[] = [...LIBRARIES, WARPED];
