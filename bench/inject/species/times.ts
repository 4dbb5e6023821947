// False timestamps: a puppet's film whose frames claim to be from other moments.
import { bonaFide } from '../../attacks/film-attacks.ts';
import type { Chance } from '../../attacks/random.ts';
import { recordingOf, shotFor } from '../../attacks/shots.ts';
import type { LaboratorySpecies } from '../laboratory.ts';
import { pageOfPuppet } from '../page/films.ts';
import { atOtherTimes } from '../webm.ts';
import { filmed, inTurn, open } from './films.ts';

const DELAY_MS = 300;
const FPS = 24;

/** The claimed times of the frames, given the true ones; ms, in the order of the file. */
type Lie = (timesMs: readonly number[], chance: Chance) => number[];

const LIES: Readonly<Record<string, { does: string; lie: Lie }>> = {
  variable: {
    does: 'scales each interval between frames by 0.5 to 1.5',
    lie: (timesMs, chance) => {
      let told = 0;
      const stretched = timesMs.map((timeMs, i) => {
        told += i === 0 ? 0 : (timeMs - timesMs[i - 1]!) * chance.between(0.5, 1.5);
        return told;
      });
      const scale = (timesMs.at(-1)! - timesMs[0]!) / told;
      return stretched.map((timeMs) => timesMs[0]! + timeMs * scale);
    },
  },
  backward: {
    does: 'gives every sixth frame an earlier time than the frame before it',
    lie: (timesMs) => timesMs.map((timeMs, i) => (i % 6 === 5 ? timesMs[i - 2]! : timeMs)),
  },
  equal: {
    does: 'gives every second frame the same time as the frame before it',
    lie: (timesMs) => timesMs.map((timeMs, i) => (i % 2 === 1 ? timesMs[i - 1]! : timeMs)),
  },
  film_24_fps: {
    does: 'has the even 24 frames a second of a film without the jitter of a camera',
    lie: (timesMs) => timesMs.map((_, i) => (i * 1000) / FPS),
  },
};

export const TIME_LIES: readonly LaboratorySpecies[] = Object.entries(LIES).map(([name, { does, lie }]) => ({
  name: `time_${name}`,
  label: 'attack',
  holds: `a puppet of two photographs that answers after ${DELAY_MS} ms`,
  does,
  subject: ({ cast }, take) => inTurn(cast.smiling, take).subject,
  client: {
    film: async (stage, call) => {
      const actor = await open(stage, inTurn(stage.cast.smiling, call.take));
      const shot = shotFor(call.script, call.chance, { delayMs: DELAY_MS }, FPS);
      const film = await filmed(call, recordingOf(shot), bonaFide(actor, shot), shot.script);
      return { ...film, bytes: atOtherTimes(film.bytes, (timesMs) => lie(timesMs, call.chance)) };
    },
  },
  page: {
    way: 'recorder',
    plan: async (stage, take, chance) => ({
      film: await pageOfPuppet(await open(stage, inTurn(stage.cast.smiling, take))),
      reactionMs: DELAY_MS,
      recorder: async (recorded) => atOtherTimes(recorded, (timesMs) => lie(timesMs, chance)),
    }),
  },
}));
