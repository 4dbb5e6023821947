// A library of a person's actions, filmed beforehand, and how it answers a script: at each prompt the piece whose
// answer comes nearest is played. Whoever has one needs no advance knowledge of the script.
import type { Asked, DrawnScript, Script } from '../../src/contract/script.ts';
import { performedStep } from '../../src/contract/script-steps.ts';
import type { Picture } from './draw.ts';
import { answersHow } from './fitted.ts';
import { wayOf } from './performance.ts';
import type { Chance } from './random.ts';

/** Frames per second of the pieces. */
export const PIECE_FPS = 24;
export const REST: Asked = { prompt: 'neutral' };
export const SMILE: Asked = { prompt: 'smile' };

/** One action. */
export interface Piece {
  readonly pictures: Iterable<Picture>;
  /** Time from its beginning until its answer was held. */
  readonly answeredMs: number;
}

export interface Library {
  readonly subject: string;
  /** What was filmed; rest is among it. */
  readonly actions: readonly Asked[];
  /** A piece of this action, different each time. `isFirst`: the film begins with it. */
  piece(action: Asked, isFirst: boolean): Piece;
}

/** The head turned to four sides, as ordinary footage shows it, and not equally far; besides rest and a smile. */
export function fourSides(chance: Chance): Asked[] {
  const turns = [0, 90, 180, 270].map(
    (angle_deg): Asked => ({ prompt: 'target', angle_deg, amount: chance.pick(['near', 'far']) }),
  );
  return [REST, SMILE, ...turns];
}

/** Of actions, the one that answers best. */
export function nearestAction(actions: readonly Asked[], asked: Asked): Asked {
  return actions.reduce((best, action) =>
    answersHow(action, asked) > answersHow(best, asked) ? action : best,
  );
}

/** Consecutive pieces, and the script that the attacker claims was performed. */
export interface Assembly {
  readonly pictures: readonly Picture[];
  /** Indices of the frames at which a piece begins. */
  readonly cuts: readonly number[];
  readonly script: Script;
}

export function assembled(library: Library, drawn: DrawnScript): Assembly {
  const pictures: Picture[] = [];
  const cuts: number[] = [];
  const steps: Script['steps'] = [];
  for (const step of drawn.steps) {
    if (pictures.length > 0) cuts.push(pictures.length);
    const beganMs = (pictures.length * 1000) / PIECE_FPS;
    const { pictures: own, answeredMs } = library.piece(
      nearestAction(library.actions, step),
      steps.length === 0,
    );
    for (const picture of own) pictures.push(picture);
    steps.push(performedStep(step, steps.at(-1)?.to_ms ?? 0, Math.round(beganMs + answeredMs)));
  }
  return { pictures, cuts, script: { steps, ...wayOf(drawn) } };
}
