// Calm footage of the victim that runs on, blinks and talks, under a smooth warp towards each answer.
import { directionOfPose, turnedTo } from './aim.ts';
import { drawSurface, type Picture, type Surface } from './draw.ts';
import { AT_REST, type BorrowedSmile, buildHead, type Face } from './head.ts';
import type { Performance } from './performance.ts';
import { type Footage, TAKE_FPS } from './real-takes.ts';
import { type Film, film, frameFace, placed } from './stage.ts';

/** The warp is given on a grid of this many cells a side, and is linear within them. */
const CELLS = 24;
/** How far a point of the mesh drags the picture around it, as a share of the face's width. */
const REACH = 0.08;
/** Weight of standing still: where no point of the head is near, nothing moves. */
const STILL = 0.05;

/**
 * A smooth warp shows less than it is made of: 0.65 to 0.9 of a turn and of a widened mouth, in 8 turns and 3 smiles of
 * 4 people.
 */
const SHOWN = 0.7;

/** Films it: the footage plays forwards, then backwards, and so on. */
export function warpedFootage(
  take: Footage,
  smile: BorrowedSmile,
  performance: Performance,
  shot: Film,
): Iterable<Picture> {
  const { frames } = take;
  const start = shot.chance.integer(0, frames.length - 1);
  const framing = frameFace(frames[take.rest]!, shot.chance);
  return film(shot, (canvas, timeMs, shake) => {
    const frame = frames[backAndForth(start + Math.round((timeMs / 1000) * TAKE_FPS), frames.length)]!;
    const pose = performance(timeMs);
    const { x, y } = directionOfPose(pose);
    // What the footage turns by itself need not be added.
    const turn = turnedTo({
      x: (x - frame.direction.x) / SHOWN,
      y: (y - frame.direction.y) / SHOWN,
    });
    const head = buildHead(frame, null, smile);
    const moved = head.pose({ ...AT_REST, ...turn, smile: pose.smile / SHOWN });
    const { surface, positions } = smoothly(frame, head.pose(AT_REST), moved);
    drawSurface(canvas, surface, placed(positions, framing, shake));
  });
}

function backAndForth(at: number, count: number): number {
  const period = Math.max(1, 2 * count - 2);
  const place = at % period;
  return place < count ? place : period - place;
}

/** The picture on a grid whose nodes move as the points of the head around them do. */
function smoothly(
  { picture, landmarks }: Face,
  rest: Float32Array,
  moved: Float32Array,
): { surface: Surface; positions: Float32Array } {
  const { width, height } = picture;
  const reach =
    REACH *
    Math.hypot(landmarks[454 * 3]! - landmarks[234 * 3]!, landmarks[454 * 3 + 1]! - landmarks[234 * 3 + 1]!);
  const nodes = CELLS + 1;
  const places = new Float32Array(nodes * nodes * 2);
  const positions = new Float32Array(nodes * nodes * 3);
  for (let node = 0; node < nodes * nodes; node++) {
    const x = ((node % nodes) / CELLS) * width;
    const y = (Math.floor(node / nodes) / CELLS) * height;
    const by = dragAt(x, y, rest, moved, reach);
    places.set([x - by.x, y - by.y], node * 2);
    positions.set([x, y, 0], node * 3);
  }
  return { surface: { picture, places, triangles: TRIANGLES }, positions };
}

/** How far the picture at this place has been dragged: the mean of the points around it. */
function dragAt(
  x: number,
  y: number,
  rest: Float32Array,
  moved: Float32Array,
  reach: number,
): { x: number; y: number } {
  let [sumX, sumY, weights] = [0, 0, STILL];
  for (let i = 0; i < rest.length; i += 3) {
    const away = ((x - moved[i]!) ** 2 + (y - moved[i + 1]!) ** 2) / (2 * reach * reach);
    if (away > 8) continue;
    const weight = Math.exp(-away);
    weights += weight;
    sumX += weight * (moved[i]! - rest[i]!);
    sumY += weight * (moved[i + 1]! - rest[i + 1]!);
  }
  return { x: sumX / weights, y: sumY / weights };
}

const TRIANGLES = Uint32Array.from(
  Array.from({ length: CELLS * CELLS }, (_, cell) => {
    const at = Math.floor(cell / CELLS) * (CELLS + 1) + (cell % CELLS);
    return [at, at + 1, at + CELLS + 1, at + 1, at + CELLS + 2, at + CELLS + 1];
  }).flat(),
);
