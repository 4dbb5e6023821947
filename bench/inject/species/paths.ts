// Species for the path: following a mark with another person's head, with old footage, and with one's own head.

import { drawScript } from '../../../src/challenge/capturing/draw-script.ts';
import type { DrawnScript } from '../../../src/contract/script.ts';
import { bonaFide, steered, warped } from '../../attacks/film-attacks.ts';
import type { Chance } from '../../attacks/random.ts';
import { EXTRA_MS, lengthOf, recordingOf, shotFor } from '../../attacks/shots.ts';
import type { LaboratorySpecies } from '../laboratory.ts';
import { pageOfFollower, pageOfLibrary } from '../page/films.ts';
import { filmed, inTurn, open, withinLimits } from './films.ts';
import { pathLibrary } from './path-library.ts';

const ALLOWED = ['neutral', 'smile', 'path'] as const;
const WITH_PATH = { LIVENESS_PROMPTS: ALLOWED.join(',') };
const DELAY_MS = 300;
/** Delay from the mark to a person's head (bench/attacks/performance.ts). */
const HUMAN_DELAY_MS = { least: 150, most: 600 };
const PAGE_SEAM_FRAMES = 4;

type Own = Pick<LaboratorySpecies, 'name' | 'holds' | 'does' | 'client' | 'page'> &
  Partial<Pick<LaboratorySpecies, 'subject'>>;

const attack = (own: Own): LaboratorySpecies => ({
  label: 'attack',
  environment: WITH_PATH,
  subject: ({ cast }, take) => inTurn(cast.smiling, take).subject,
  ...own,
});

/** `cutCosts`: see nearestFrames() of bench/attacks; with 0.5 a path of 4 s is cut about four times. */
const LIBRARIES = [
  { name: 'cut', seam: 'none', cutCosts: 0.5, joined: 'hard cuts' },
  { name: 'fade', seam: 'fade', cutCosts: 0.5, joined: 'cross-fades' },
  {
    name: 'uncut',
    seam: 'none',
    cutCosts: Number.POSITIVE_INFINITY,
    joined: 'one piece for the whole path, played forwards and backwards, slower and faster',
  },
] as const;

const OF_LIBRARY: readonly LaboratorySpecies[] = LIBRARIES.map(({ name, seam, cutCosts, joined }) =>
  attack({
    name: `path_library_${name}`,
    holds: 'three videos of the victim following other paths, and one of the victim resting and smiling',
    does: `plays at each moment the frame whose head is nearest to the mark: ${joined}`,
    client: pathLibrary({ seam, cutCosts }),
    // A camera does not know the path's course in advance, so only a cut leads from one piece to another.
    ...(name !== 'uncut' && { page: beforeCamera(seam) }),
  }),
);

type Page = NonNullable<LaboratorySpecies['page']>;

function beforeCamera(seam: 'none' | 'fade'): Page {
  return {
    way: 'camera',
    plan: async (stage, take, chance) => ({
      film: await pageOfLibrary(await open(stage, inTurn(stage.cast.smiling, take)), chance),
      reactionMs: DELAY_MS,
      jumps: { seam, frames: PAGE_SEAM_FRAMES },
    }),
  };
}

/** A rendered head in the real page that follows the mark with this delay. */
function follower(reactionMs: (chance: Chance) => number): Page {
  return {
    way: 'camera',
    plan: async (stage, take, chance) => ({
      film: await pageOfFollower(await open(stage, inTurn(stage.cast.smiling, take))),
      reactionMs: reactionMs(chance),
    }),
  };
}

function humanDelayMs(chance: Chance): number {
  return chance.between(HUMAN_DELAY_MS.least, HUMAN_DELAY_MS.most);
}

/** A script of the same steps in the same order, with another path. */
function another(drawn: DrawnScript, chance: Chance): DrawnScript {
  for (;;) {
    const other = drawScript('standard', ALLOWED, null, (least, most) => chance.integer(least, most));
    if (other.steps.every(({ prompt }, i) => prompt === drawn.steps[i]!.prompt)) return other;
  }
}

export const PATH_ATTACKS: readonly LaboratorySpecies[] = [
  ...OF_LIBRARY,
  attack({
    name: 'path_old_recording',
    holds: 'a video of the victim following another path and smiling when this script asks for it',
    does: 'sends it unchanged',
    client: {
      film: async (stage, call) => {
        const person = await open(stage, inTurn(stage.cast.smiling, call.take));
        const shot = shotFor(another(call.script, call.chance), call.chance);
        const script = withinLimits(shot.script, call.script);
        const durationMs = Math.max(lengthOf(script), lengthOf(shot.script)) + EXTRA_MS;
        return filmed(call, recordingOf(shot), bonaFide(person, { ...shot, durationMs }), script);
      },
    },
  }),
  attack({
    name: 'path_puppet',
    holds: 'two photographs of the victim, one of them smiling',
    does: `warps them into a head that follows the mark with a delay of ${DELAY_MS} ms`,
    client: {
      film: async (stage, call) => {
        const actor = await open(stage, inTurn(stage.cast.smiling, call.take));
        const shot = shotFor(call.script, call.chance, { delayMs: DELAY_MS });
        return filmed(call, recordingOf(shot), bonaFide(actor, shot), shot.script);
      },
    },
    page: follower(() => DELAY_MS),
  }),
  attack({
    name: 'path_warped_photo',
    holds: 'one photograph of the victim',
    does: `warps it into a head that follows the mark and into another person's smile, with a delay of ${DELAY_MS} ms`,
    subject: ({ cast }, take) => inTurn(cast.actors, 5 * take).subject,
    client: {
      film: async (stage, call) => {
        const victim = await open(stage, inTurn(stage.cast.actors, 5 * call.take));
        const donor = await open(stage, inTurn(stage.cast.smiling, call.take));
        const shot = shotFor(call.script, call.chance, { delayMs: DELAY_MS });
        return filmed(
          call,
          recordingOf(shot),
          warped({ ...victim, smiling: null }, donor, shot),
          shot.script,
        );
      },
    },
  }),
  attack({
    name: 'path_steered_print',
    holds: 'two prints of the victim, one of them smiling',
    does: 'tilts them after the mark, and swaps them for the smile',
    client: {
      film: async (stage, call) => {
        const actor = await open(stage, inTurn(stage.cast.smiling, call.take));
        const shot = shotFor(call.script, call.chance, { delayMs: DELAY_MS });
        return filmed(call, recordingOf(shot), steered(actor, shot), shot.script);
      },
    },
  }),
];

export const PATH_PEOPLE: readonly LaboratorySpecies[] = [
  {
    name: 'rendered_person_path',
    label: 'bona_fide',
    holds:
      'a rendered person whose nose follows the mark with a delay of 0.15 to 0.6 s, and who is never quite still',
    does: 'in usual light, at 24 frames a second',
    environment: WITH_PATH,
    subject: ({ cast }, take) => inTurn(cast.smiling, take).subject,
    client: {
      film: async (stage, call) => {
        const person = await open(stage, inTurn(stage.cast.smiling, call.take));
        const delayMs = humanDelayMs(call.chance);
        const shot = shotFor(call.script, call.chance, { delayMs }, 24);
        return filmed(call, recordingOf(shot), bonaFide(person, shot), shot.script);
      },
    },
    page: follower(humanDelayMs),
  },
];
