// Puppets against the screen's light: a program that reads the page's code and tints its picture by it. The service
// requires the light.

import { blankPicture, type Picture } from '../../attacks/draw.ts';
import type { Actor, Shot } from '../../attacks/film-attacks.ts';
import { buildHead } from '../../attacks/head.ts';
import { drawShares, shineOn } from '../../attacks/lit.ts';
import { recordingOf, shotFor } from '../../attacks/shots.ts';
import { filmHead, STAGE } from '../../attacks/stage.ts';
import { lightAt } from '../../light/tint.ts';
import type { LaboratorySpecies } from '../laboratory.ts';
import { pageOfPuppet, sharesOfPuppet } from '../page/films.ts';
import { filmed, inTurn, open } from './films.ts';

const REQUIRED = { LIVENESS_LIGHT: 'require' };
const DELAY_MS = 300;
/** A camera's frame rate: the code changes six times a second. */
const FPS = 24;
/** Delay from the light to the frame, as with a camera and a screen. */
const LIGHT_DELAY_MS = { least: 60, most: 150 };
/** Amplitude of ln(red / blue): an estimate of what a phone's screen gives a face indoors. */
const SWING = 0.03;

type Tint = 'none' | 'flat' | 'normals';

const TINTS: Readonly<Record<Tint, { name: string; does: string }>> = {
  none: { name: 'untinted_puppet', does: 'answers the prompts and ignores the light' },
  flat: { name: 'tinting_puppet_flat', does: 'tints its whole picture uniformly by the light’s code' },
  normals: {
    name: 'tinting_puppet_normals',
    does: 'tints the face by the light’s code as a screen would, by the direction that each part of it faces',
  },
};

export const TINTING_PUPPETS: readonly LaboratorySpecies[] = (Object.keys(TINTS) as Tint[]).map((tint) => ({
  name: TINTS[tint].name,
  label: 'attack',
  holds: `a puppet of two photographs that answers after ${DELAY_MS} ms (LIVENESS_LIGHT=require)`,
  does: TINTS[tint].does,
  environment: REQUIRED,
  subject: ({ cast }, take) => inTurn(cast.smiling, take).subject,
  client: {
    film: async (stage, call) => {
      const actor = await open(stage, inTurn(stage.cast.smiling, call.take));
      const shot = shotFor(call.script, call.chance, { delayMs: DELAY_MS }, FPS);
      const code = call.script.light?.code;
      if (!code) throw new Error('the service drew no light');
      return filmed(call, recordingOf(shot), tintedPuppet(actor, shot, code, tint), shot.script);
    },
  },
  page: {
    way: 'camera',
    plan: async (stage, take) => {
      const actor = await open(stage, inTurn(stage.cast.smiling, take));
      const shares = tint === 'normals' ? await sharesOfPuppet(actor) : undefined;
      return {
        film: await pageOfPuppet(actor),
        reactionMs: DELAY_MS,
        ...(tint !== 'none' && { tint: { swing: SWING, ...(shares && { shares }) } }),
      };
    },
  },
}));

/** The puppet under the light of a code that starts with its film. */
export function* tintedPuppet(actor: Actor, shot: Shot, code: string, tint: Tint): Generator<Picture> {
  const head = buildHead(actor.neutral, actor.smiling);
  const delayMs = shot.chance.between(LIGHT_DELAY_MS.least, LIGHT_DELAY_MS.most);
  const shares = tint === 'normals' ? blankPicture(STAGE.width, STAGE.height) : null;
  const light = (positions: Float32Array, scale: number) => {
    if (shares) drawShares(shares, head.surface, positions, scale);
  };
  let frame = 0;
  for (const picture of filmHead(head, actor.neutral, shot.performance, shot, light)) {
    const timeMs = (frame++ * 1000) / shot.fps;
    if (tint !== 'none') shineOn(picture, SWING * lightAt(code, timeMs - delayMs), shares);
    yield picture;
  }
}
