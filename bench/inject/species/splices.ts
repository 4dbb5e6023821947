// Spliced footage: pieces of one person chosen for each prompt, and two people in one video.
import { readFile } from 'node:fs/promises';
import { bonaFide, still } from '../../attacks/film-attacks.ts';
import { renderedLibrary } from '../../attacks/rendered-library.ts';
import { SEAMS, type Seam } from '../../attacks/seams.ts';
import { recordingOf, shotFor } from '../../attacks/shots.ts';
import { SPECIES } from '../../attacks/species.ts';
import { Studio } from '../../attacks/studio.ts';
import type { Call, Film, LaboratorySpecies, Stage } from '../laboratory.ts';
import { pageOfPuppet, stillOf } from '../page/films.ts';
import { asRecorded, filmed, inTurn, open, otherThan, withinLimits } from './films.ts';
import { liveLibrary } from './live-library.ts';

/** Length of a seam in frames, in the page. */
const SEAM_FRAMES = 4;

/**
 * Takes of bench/attacks alternate with public clips, whose prompts are fixed; only the rendered ones answer any
 * script.
 */
export const renderedTake = (take: number): number => 4 * take + 1 + 2 * (take % 2);

/** A take from that generator for the script that the service drew. */
async function generated(name: string, stage: Stage, call: Call): Promise<Film> {
  const species = SPECIES.find((one) => one.name === name)!;
  const studio = new Studio(
    stage.root,
    call.scratch,
    stage.cast,
    stage.sources,
    () => call.script,
    stage.models,
  );
  const take = renderedTake(call.take);
  await species.make(studio, take, call.chance);
  const { path, script } = studio.find(name, take)!;
  return { bytes: asRecorded(await readFile(path), call.chance), script: withinLimits(script, call.script) };
}

/** Other ways of joining are measured from files (bench/attacks/action-libraries.ts). */
const joinedBy = (joint: 'none' | 'morph', how: string): LaboratorySpecies => ({
  name: `action_library_${joint}`,
  label: 'attack',
  holds: 'a clip of the victim for each prompt',
  does: `plays the right one at each prompt, joined by ${how}`,
  subject: ({ cast }, take) => inTurn(cast.smiling, renderedTake(take)).subject,
  client: { film: (stage, call) => generated(`action_library_${joint}`, stage, call) },
});

const LIBRARIES: readonly LaboratorySpecies[] = [
  {
    ...joinedBy('none', 'hard cuts'),
    inTime: liveLibrary(async (stage, take, chance) =>
      renderedLibrary(await open(stage, inTurn(stage.cast.smiling, renderedTake(take))), chance),
    ),
    page: {
      plan: async (stage, take) => ({
        film: await pageOfPuppet(await open(stage, inTurn(stage.cast.smiling, renderedTake(take)))),
        reactionMs: 100,
        jumps: { seam: 'none', frames: SEAM_FRAMES },
      }),
    },
  },
  // Both pieces are needed in advance, which is impossible in front of a camera.
  joinedBy('morph', 'pictures interpolated by motion compensation'),
];

const seamOf = (take: number): Seam => SEAMS[take % SEAMS.length]!;
const victimOf = ({ cast }: Pick<Stage, 'cast'>, take: number) =>
  inTurn(cast.actors, 7 * renderedTake(take) + SEAMS.indexOf(seamOf(take)));

const IDENTITY_SPLICE: LaboratorySpecies = {
  name: 'identity_splice',
  label: 'attack',
  holds: "one photograph of the victim, and the attacker's own face",
  does: 'shows the photograph at rest and acts out the prompts, with cut, faded, blurred, black and frozen seams in turn',
  subject: (stage, take) => victimOf(stage, take).subject,
  client: { film: (stage, call) => generated(`identity_splice_${seamOf(call.take)}`, stage, call) },
  page: {
    plan: async (stage, take) => ({
      film: await pageOfPuppet(await open(stage, inTurn(stage.cast.smiling, take))),
      reactionMs: 300,
      atRest: await stillOf(await open(stage, victimOf(stage, take))),
      jumps: { seam: seamOf(take), frames: SEAM_FRAMES },
    }),
  },
};

const FPS = 24;
const SWAPPED_MS = 500;

const HALF_SECOND: LaboratorySpecies = {
  name: 'half_second_swapped',
  label: 'attack',
  holds: "one photograph of the victim, and the attacker's own face",
  does: 'acts out every prompt; half a second of the rest before them is replaced by the photograph',
  subject: ({ cast }, take) => inTurn(cast.actors, 11 * take).subject,
  client: {
    film: async (stage, call) => {
      const victim = await open(stage, inTurn(stage.cast.actors, 11 * call.take));
      const attacker = await otherThan(stage, victim, call.take);
      const shot = shotFor(call.script, call.chance, {}, FPS);
      const photograph = [...still(victim, { ...shot, durationMs: 2 * SWAPPED_MS })];
      const first = Math.round((call.chance.between(100, 400) / 1000) * FPS);
      const count = Math.round((SWAPPED_MS / 1000) * FPS);
      const shown = [...bonaFide(attacker, shot)].map((picture, i) =>
        i >= first && i < first + count ? photograph[i - first]! : picture,
      );
      return filmed(call, recordingOf(shot), shown, shot.script);
    },
  },
};

export const SPLICES: readonly LaboratorySpecies[] = [...LIBRARIES, IDENTITY_SPLICE, HALF_SECOND];
