// Some seconds of a rendered person who looks about and smiles, for a cast with few such takes of real people.

import { LANDMARK_COUNT } from '../../src/contract/face-landmarks.ts';
import { AMOUNTS, type Direction } from '../../src/contract/target.ts';
import { directionOfPose, turnedTo } from './aim.ts';
import { anyCamera } from './camera.ts';
import { drawSurface } from './draw.ts';
import type { Actor } from './film-attacks.ts';
import { buildHead } from './head.ts';
import { alive, type Movement } from './performance.ts';
import type { Chance } from './random.ts';
import { type Footage, SECONDS, type Shown, TAKE_FPS, type Wanted } from './real-takes.ts';
import { film, frameFace, placed } from './stage.ts';

const REST_MS = 600;
const MOVE_MS = { least: 280, most: 600 };
const HELD_MS = { least: 150, most: 350 };

/** The person smiles, looks to four sides (`looks`: around), and back. */
export function renderedFootage(actor: Actor, wanted: Wanted, chance: Chance): Footage {
  const durationMs = SECONDS[wanted] * 1000;
  const head = buildHead(actor.neutral, actor.smiling);
  const performance = alive(wanted === 'calm' ? [] : lookingAbout(wanted, durationMs, chance), chance);
  const framing = frameFace(actor.neutral, chance);
  const meshes: Float32Array[] = [];
  const shot = { durationMs, fps: TAKE_FPS, camera: anyCamera(chance), chance };
  const pictures = [
    ...film(shot, (canvas, timeMs, shake) => {
      const pose = performance(timeMs);
      const positions = placed(head.pose(pose), framing, shake);
      meshes.push(positions.slice(0, LANDMARK_COUNT * 3));
      drawSurface(canvas, head.surface, positions, { mix: pose.smile });
    }),
  ];
  const frames = pictures.map((picture, i): Shown => {
    const pose = performance((i * 1000) / TAKE_FPS);
    return { picture, landmarks: meshes[i]!, direction: directionOfPose(pose), smile: pose.smile };
  });
  return { subject: actor.subject, made: 'rendered', frames, rest: Math.round((REST_MS / 2000) * TAKE_FPS) };
}

/** One movement after another: a smile first, then turns of random size, each of which begins in the middle or not. */
function lookingAbout(wanted: Wanted, durationMs: number, chance: Chance): Movement[] {
  const movements: Movement[] = [];
  let atMs = REST_MS;
  const move = (to: Direction, smile = 0) => {
    const lastsMs = chance.between(MOVE_MS.least, MOVE_MS.most);
    movements.push({ atMs, lastsMs, smile, ...turnedTo(to) });
    atMs += lastsMs + chance.between(HELD_MS.least, HELD_MS.most);
  };
  const ahead = { x: 0, y: 0 };
  move(ahead, 1);
  move(ahead);
  for (let i = 0; atMs < durationMs; i++) {
    const angle = wanted === 'looks' ? chance.between(0, 2 * Math.PI) : (i * Math.PI) / 2;
    const turn = chance.between(AMOUNTS.near.least, AMOUNTS.far.most - 4);
    move({ x: turn * Math.cos(angle), y: turn * Math.sin(angle) });
    if (wanted === 'answers') move(ahead);
  }
  return movements;
}
