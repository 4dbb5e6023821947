// A library of actions of a rendered person.
import { type Asked, isMovement } from '../../src/contract/script.ts';
import { anyCamera } from './camera.ts';
import type { Actor } from './film-attacks.ts';
import { buildHead } from './head.ts';
import { fourSides, type Library, PIECE_FPS, type Piece } from './library.ts';
import { alive, type Movement, movementOf } from './performance.ts';
import type { Chance } from './random.ts';
import { filmHead } from './stage.ts';

const MOVE_MS = { least: 280, most: 600 };
/** A piece: at rest, the movement, the hold, and back to rest. */
const REST_MS = { least: 200, most: 500 };
const HELD_MS = { least: 500, most: 900 };
const FIRST_MS = { least: 900, most: 1400 };

/** Each action filmed separately by the same camera: nobody performs exactly the same way twice. */
export function renderedLibrary(actor: Actor, chance: Chance): Library {
  const head = buildHead(actor.neutral, actor.smiling);
  const camera = anyCamera(chance);
  const piece = (action: Asked, isFirst: boolean): Piece => {
    const atMs = chance.between(REST_MS.least, REST_MS.most);
    const lastsMs = chance.between(MOVE_MS.least, MOVE_MS.most);
    const answeredMs = isFirst
      ? chance.between(FIRST_MS.least, FIRST_MS.most)
      : atMs + lastsMs + chance.between(HELD_MS.least, HELD_MS.most);
    const movements: Movement[] = isMovement(action.prompt)
      ? [
          { atMs, lastsMs, ...movementOf(action, chance) },
          { atMs: answeredMs, lastsMs, yaw: 0, pitch: 0, smile: 0 },
        ]
      : [];
    const durationMs = answeredMs + (movements.length > 0 ? lastsMs + 100 : 0);
    const shot = { chance, camera, fps: PIECE_FPS, durationMs };
    return { pictures: filmHead(head, actor.neutral, alive(movements, chance), shot), answeredMs };
  };
  return { subject: actor.subject, actions: fourSides(chance), piece };
}
