// Puppets: a program that knows the script and animates an image of the victim, or lays it over an actor.
import { bonaFide, warped } from '../../attacks/film-attacks.ts';
import { liveSwap } from '../../attacks/live-swap.ts';
import { recordingOf, shotFor } from '../../attacks/shots.ts';
import type { LaboratorySpecies } from '../laboratory.ts';
import { pageOfPuppet } from '../page/films.ts';
import { filmed, inTurn, open, otherThan } from './films.ts';

const DELAY_MS = 100;

/** Made from two photographs of the victim, one of them smiling. */
const OF_TWO: LaboratorySpecies = {
  name: `puppet_${DELAY_MS}_ms`,
  label: 'attack',
  holds: 'two photographs of the victim, one of them smiling',
  does: `warps them into a head that begins each answer ${DELAY_MS} ms after its prompt`,
  subject: ({ cast }, take) => inTurn(cast.smiling, take).subject,
  client: {
    film: async (stage, call) => {
      const actor = await open(stage, inTurn(stage.cast.smiling, call.take));
      const shot = shotFor(call.script, call.chance, { delayMs: DELAY_MS });
      return filmed(call, recordingOf(shot), bonaFide(actor, shot), shot.script);
    },
  },
  page: {
    plan: async (stage, take) => ({
      film: await pageOfPuppet(await open(stage, inTurn(stage.cast.smiling, take))),
      reactionMs: DELAY_MS,
    }),
  },
};

/** Made from one photograph, whose mouth is bent like another person's. */
const OF_ONE: LaboratorySpecies = {
  name: `warped_photo_${DELAY_MS}_ms`,
  label: 'attack',
  holds: 'one photograph of the victim',
  does: `warps it into a head that turns and into another person's smile, ${DELAY_MS} ms after each prompt`,
  subject: ({ cast }, take) => inTurn(cast.actors, 5 * take).subject,
  client: {
    film: async (stage, call) => {
      const victim = await open(stage, inTurn(stage.cast.actors, 5 * call.take));
      const donor = await open(stage, inTurn(stage.cast.smiling, call.take));
      const shot = shotFor(call.script, call.chance, { delayMs: DELAY_MS });
      return filmed(call, recordingOf(shot), warped({ ...victim, smiling: null }, donor, shot), shot.script);
    },
  },
  page: {
    plan: async (stage, take) => ({
      film: await pageOfPuppet(
        { ...(await open(stage, inTurn(stage.cast.actors, 5 * take))), smiling: null },
        await open(stage, inTurn(stage.cast.smiling, take)),
      ),
      reactionMs: DELAY_MS,
    }),
  },
};

/** A puppet of two photographs stands in for the living actor. */
const LIVE_SWAP: LaboratorySpecies = {
  name: 'live_swap',
  label: 'attack',
  holds: "one photograph of the victim, and an actor's face",
  does: "lays the victim's face over the actor, who answers, in each picture of the camera",
  subject: ({ cast }, take) => inTurn(cast.actors, 5 * take).subject,
  client: {
    film: async (stage, call) => {
      const victim = await open(stage, inTurn(stage.cast.actors, 5 * call.take));
      const actor = await otherThan(stage, victim, call.take);
      const shot = shotFor(call.script, call.chance);
      return filmed(call, recordingOf(shot), liveSwap(actor, victim, shot), shot.script);
    },
  },
};

export const PUPPETS: readonly LaboratorySpecies[] = [OF_TWO, OF_ONE, LIVE_SWAP];
