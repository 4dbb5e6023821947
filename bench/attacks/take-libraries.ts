// Libraries of actions made from some seconds of one real take: cut out as they are, or each leaving one resting frame
// and returning to it.
import type { Asked } from '../../src/contract/script.ts';
import {
  AMOUNT_NAMES,
  AMOUNTS,
  angleErrorDeg,
  dotOf,
  isOnTarget,
  type Target,
  turnOf,
} from '../../src/contract/target.ts';
import type { Picture } from './draw.ts';
import { type Library, PIECE_FPS, type Piece, REST, SMILE } from './library.ts';
import { between } from './morph.ts';
import { eased } from './performance.ts';
import type { Chance } from './random.ts';
import type { Footage, Shown } from './real-takes.ts';

/** How long an answer is shown: its hold, and the time that a page needs to see it. */
const HELD_MS = { least: 800, most: 1000 };
const FIRST_MS = { least: 900, most: 1400 };
/** Scaled degrees of turn that are accepted for as much smile as a smile needs. */
const SMILE_IS_WORTH = 30;
/** A held answer plays the frames around it back and forth, this many to either side. */
const AROUND = 4;

const framesIn = (durationMs: number) => Math.round((durationMs / 1000) * PIECE_FPS);
const msOf = (frames: number) => (frames * 1000) / PIECE_FPS;

/** The pieces as they are in the take: the attacker cuts from one to the next. */
export function cutLibrary(take: Footage, chance: Chance): Library {
  return libraryOf(take, fourOf(take), chance, (at, heldFrames) => {
    const before = framesIn(chance.between(250, 450));
    const onset = take.frames.slice(Math.max(0, at - before), at);
    return { before: pictures(onset), after: [], held: around(take, at, heldFrames, chance) };
  });
}

/**
 * Each piece leaves the resting frame and returns to it by pictures that are interpolated beforehand, so that nothing
 * has to be joined when the prompt is known.
 */
export function restLibrary(take: Footage, chance: Chance): Library {
  const both = fourOf(take).flatMap(({ angle_deg, amount }): Target[] =>
    amount === 'far'
      ? [
          { angle_deg, amount },
          { angle_deg, amount: 'near' },
        ]
      : [{ angle_deg, amount }],
  );
  return returning(take, both, chance, (at) => [at]);
}

/** Pieces are made for directions this far apart, where the take shows them. */
const GRID_DEG = 30;

/** Frames by where the head points: whatever is asked, a way over the nearest of them is interpolated. */
export function gridLibrary(take: Footage, chance: Chance): Library {
  const targets = Array.from({ length: 360 / GRID_DEG }, (_, i) => i * GRID_DEG).flatMap((angle_deg) =>
    AMOUNT_NAMES.map((amount): Target => ({ angle_deg, amount })),
  );
  const shown = targets.filter((target) => {
    const action: Asked = { prompt: 'target', ...target };
    const frame = take.frames[frameOf(take, action)]!;
    const share = shareOf(frame, action);
    return isOnTarget({ x: share * frame.direction.x, y: share * frame.direction.y }, target);
  });
  return returning(take, shown, chance, (at, action) => {
    if (action.prompt !== 'target') return [at];
    const { x, y } = dotOf(action);
    const half = nearestFrame(take, ({ direction }) => Math.hypot(direction.x - x / 2, direction.y - y / 2));
    return half === take.rest || half === at ? [at] : [half, at];
  });
}

/** Pieces that go from rest over some frames of the take, the last of which answers, and the same way back. */
function returning(
  take: Footage,
  targets: readonly Target[],
  chance: Chance,
  overOf: (at: number, action: Asked) => number[],
): Library {
  return libraryOf(take, targets, chance, (at, heldFrames, action) => {
    const rest = take.frames[take.rest]!;
    const share = shareOf(take.frames[at]!, action);
    const way: Picture[] = [];
    let from = rest;
    for (const over of overOf(at, action).map((frame) => take.frames[frame]!)) {
      way.push(
        ...morphed(from, over, framesIn(chance.between(200, 350)), over === take.frames[at] ? share : 1),
      );
      from = over;
    }
    const held = walk(take, at, heldFrames, chance).map((frame) =>
      share < 1 ? between(rest, take.frames[frame]!, share) : take.frames[frame]!.picture,
    );
    return { before: way, after: way.toReversed(), held };
  });
}

/** How much of the way to a frame is gone: no farther than the dot. */
function shareOf({ direction }: Shown, action: Asked): number {
  return action.prompt === 'target' ? Math.min(1, turnOf(dotOf(action)) / turnOf(direction)) : 1;
}

function libraryOf(
  take: Footage,
  targets: readonly Target[],
  chance: Chance,
  partsOf: (
    at: number,
    heldFrames: number,
    action: Asked,
  ) => { before: Picture[]; held: Picture[]; after: Picture[] },
): Library {
  const piece = (action: Asked, isFirst: boolean): Piece => {
    const lasts = isFirst ? FIRST_MS : HELD_MS;
    const heldFrames = framesIn(chance.between(lasts.least, lasts.most));
    if (action.prompt === 'neutral')
      return { pictures: around(take, take.rest, heldFrames, chance), answeredMs: msOf(heldFrames) };
    const { before, held, after } = partsOf(frameOf(take, action), heldFrames, action);
    return { pictures: [...before, ...held, ...after], answeredMs: msOf(before.length + held.length) };
  };
  const turns = targets.map((target): Asked => ({ prompt: 'target', ...target }));
  return { subject: take.subject, actions: [REST, SMILE, ...turns], piece };
}

/** Of each of four sides, the farthest that the head turns to it within what a target asks. */
function fourOf(take: Footage): Target[] {
  return [0, 90, 180, 270].flatMap((side): Target[] => {
    const near = take.frames.filter(
      ({ direction }) =>
        angleErrorDeg(direction, { angle_deg: side }) <= 45 &&
        turnOf(direction) >= AMOUNTS.near.least &&
        turnOf(direction) <= AMOUNTS.far.most,
    );
    if (near.length === 0) return [];
    const far =
      take.frames[nearestFrame(take, (frame) => (near.includes(frame) ? -turnOf(frame.direction) : 1e3))]!;
    const { x, y } = far.direction;
    const angle_deg = (Math.round((Math.atan2(y, x) * 180) / Math.PI) + 360) % 360;
    return [{ angle_deg, amount: turnOf(far.direction) >= AMOUNTS.far.least ? 'far' : 'near' }];
  });
}

/** The frame that answers best. */
function frameOf(take: Footage, action: Asked): number {
  if (action.prompt !== 'target')
    return nearestFrame(take, ({ smile, direction }) => turnOf(direction) - SMILE_IS_WORTH * smile);
  // A turn that goes on in the same direction can be shown in part.
  const { x, y } = dotOf(action);
  return nearestFrame(take, (frame) => {
    const share = shareOf(frame, action);
    return Math.hypot(share * frame.direction.x - x, share * frame.direction.y - y);
  });
}

/** The cheapest frame; one in which the head moves costs more, because it is blurred and cannot be held. */
function nearestFrame({ frames }: Footage, costs: (frame: Shown) => number): number {
  const all = frames.map((frame, i) => costs(frame) + MOVES_COSTS * movedAt(frames, i));
  return all.reduce((best, cost, i) => (cost < all[best]! ? i : best), 0);
}

/** Costs of each scaled degree that the head turns around a frame. */
const MOVES_COSTS = 0.5;

function movedAt(frames: readonly Shown[], at: number): number {
  const one = frames[Math.max(0, at - AROUND)]!.direction;
  const other = frames[Math.min(frames.length - 1, at + AROUND)]!.direction;
  return Math.hypot(one.x - other.x, one.y - other.y);
}

function around(take: Footage, at: number, count: number, chance: Chance): Picture[] {
  return walk(take, at, count, chance).map((frame) => take.frames[frame]!.picture);
}

/** Frames around one, back and forth from it at random, as a living face never repeats itself. */
function walk({ frames }: Footage, at: number, count: number, chance: Chance): number[] {
  const [least, most] = [Math.max(0, at - AROUND), Math.min(frames.length - 1, at + AROUND)];
  let position = at;
  return Array.from({ length: count }, () => {
    const shown = position;
    position = Math.max(least, Math.min(most, position + chance.integer(-1, 1)));
    return shown;
  });
}

/** Interpolated pictures from one frame towards another, with neither of them. */
function morphed(one: Shown, other: Shown, count: number, share: number): Picture[] {
  return Array.from({ length: count }, (_, i) => between(one, other, share * eased((i + 1) / (count + 1))));
}

const pictures = (frames: readonly Shown[]): Picture[] => frames.map(({ picture }) => picture);
