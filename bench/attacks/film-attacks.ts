// Rendered attacks: photographs that lie still, are panned, waved, steered or swapped; heads that are exchanged or
// warped.
import type { Script } from '../../src/contract/script.ts';
import { sway } from './camera.ts';
import { drawSurface, type Picture } from './draw.ts';
import { buildHead, type Face } from './head.ts';
import { eased, type Performance } from './performance.ts';
import type { Chance } from './random.ts';
import {
  buildSheet,
  type Film,
  film,
  filmHead,
  frameFace,
  placed,
  SHEET_AT_REST,
  type SheetPose,
} from './stage.ts';

/** A person with available photographs. */
export interface Actor {
  readonly subject: string;
  readonly neutral: Face;
  readonly smiling: Face | null;
}

/** What an attack is filmed with, the script as performed, and how a person who hears the prompts moves. */
export interface Shot extends Film {
  readonly script: Script;
  readonly performance: Performance;
}

/** One photograph, unmoved; only the camera's noise changes. */
export function still({ neutral }: Actor, shot: Shot): Iterable<Picture> {
  return photograph(
    [neutral],
    shot,
    () => SHEET_AT_REST,
    () => 0,
    1,
  );
}

/** One photograph, moved about in front of the camera as a hand would. */
export function panned({ neutral }: Actor, shot: Shot): Iterable<Picture> {
  const { chance } = shot;
  const reach = chance.between(0.02, 0.06);
  const [x, y, scale, roll] = [sway(chance), sway(chance), sway(chance), sway(chance)];
  const pose = (timeMs: number) => ({
    ...SHEET_AT_REST,
    shiftX: reach * x(timeMs),
    shiftY: reach * y(timeMs),
    scale: 1 + 0.04 * scale(timeMs),
    roll: 0.04 * roll(timeMs),
  });
  return photograph([neutral], shot, pose, () => 0, 1.25);
}

/** A print held by its edges, slanted, bent and waved. */
export function waved({ neutral }: Actor, shot: Shot): Iterable<Picture> {
  return photograph([neutral], shot, waving(shot.chance), () => 0, shot.chance.between(0.8, 1.15));
}

function waving(chance: Chance): (timeMs: number) => SheetPose {
  const [yaw, pitch, roll] = [sway(chance, 0.2, 1.5), sway(chance, 0.2, 1.5), sway(chance)];
  const [x, y, bend] = [sway(chance), sway(chance), sway(chance, 0.2, 1)];
  const reach = chance.between(0.1, 0.3);
  return (timeMs) => ({
    yaw: reach * yaw(timeMs),
    pitch: 0.6 * reach * pitch(timeMs),
    roll: 0.05 * roll(timeMs),
    shiftX: 0.03 * x(timeMs),
    shiftY: 0.03 * y(timeMs),
    scale: 1,
    bend: 0.08 * bend(timeMs),
  });
}

/** A neutral and a smiling photograph, exchanged when a smile is asked for: with a hard cut or a fade. */
export function twoStills(actor: Actor, shot: Shot): Iterable<Picture> {
  return exchanged(actor, shot, shot.chance.pick([0, 0, 250, 600]));
}

/** The same, always faded as slowly as a face smiles: nothing jumps. */
export function fadedStills(actor: Actor, shot: Shot): Iterable<Picture> {
  return exchanged(actor, shot, shot.chance.between(250, 600));
}

function exchanged({ neutral, smiling }: Actor, shot: Shot, fadeMs: number): Iterable<Picture> {
  const { chance } = shot;
  const smile = smileOf(shot.script, chance, fadeMs);
  const [x, y] = [sway(chance), sway(chance)];
  const pose = (timeMs: number) => ({ ...SHEET_AT_REST, shiftX: 0.02 * x(timeMs), shiftY: 0.02 * y(timeMs) });
  return photograph([neutral, smiling!], shot, pose, smile, 1.15);
}

/** Two prints held by a person who hears the prompts: slanted for each turn, and exchanged for each smile. */
export function steered({ neutral, smiling }: Actor, shot: Shot): Iterable<Picture> {
  const { chance, script } = shot;
  const person = shot.performance;
  const idle = waving(chance);
  const slant = chance.between(1.2, 2);
  const pose = (timeMs: number) => {
    const rest = idle(timeMs);
    const head = person(timeMs);
    const pitch = 0.2 * rest.pitch + slant * head.pitch;
    return { ...rest, yaw: 0.2 * rest.yaw + slant * head.yaw, pitch, bend: 0.3 * rest.bend };
  };
  const faces = smiling ? [neutral, smiling] : [neutral];
  return photograph(
    faces,
    shot,
    pose,
    smileOf(script, chance, chance.pick([0, 250, 600])),
    chance.between(0.85, 1.1),
  );
}

/** One photograph warped by a program that knows the prompts: it turns, and bends its mouth as `donor` smiles. */
export function warped({ neutral }: Actor, donor: Actor, shot: Shot): Iterable<Picture> {
  const head = buildHead(neutral, null, donor.smiling && { neutral: donor.neutral, smiling: donor.smiling });
  return filmHead(head, neutral, shot.performance, shot);
}

/** Two people share the answers: the second takes the first one's place in front of a camera that stays where it is. */
export function swapped(first: Actor, second: Actor, shot: Shot): Iterable<Picture> {
  const { chance, script } = shot;
  const changeAt = script.steps[chance.integer(1, script.steps.length - 1)]!;
  const changeMs = changeAt.from_ms + chance.between(-200, 250);
  const { performance } = shot;
  const heads = [first, second].map(({ neutral, smiling }) => {
    const framing = frameFace(neutral, chance);
    return { ...buildHead(neutral, smiling), framing };
  });
  return film(shot, (canvas, timeMs, shake) => {
    const { surface, pose, framing } = heads[timeMs < changeMs ? 0 : 1]!;
    const now = performance(timeMs);
    drawSurface(canvas, surface, placed(pose(now), framing, shake), { mix: now.smile });
  });
}

/** A bona fide person, as far as rendering goes: turns, smiles and blinks at the prompts. */
export function bonaFide({ neutral, smiling }: Actor, shot: Shot): Iterable<Picture> {
  return filmHead(buildHead(neutral, smiling), neutral, shot.performance, shot);
}

/** How far the smiling photograph is shown, 0–1. */
function smileOf(script: Script, chance: Chance, fadeMs: number): (timeMs: number) => number {
  const delays = script.steps.map(() => chance.between(250, 700));
  const shown = (timeMs: number): number => {
    let smile = 0;
    for (const [i, { prompt, from_ms }] of script.steps.entries()) {
      if (i === 0) continue;
      const done =
        fadeMs === 0
          ? Number(timeMs >= from_ms + delays[i]!)
          : eased((timeMs - from_ms - delays[i]!) / fadeMs);
      smile += done * (Number(prompt === 'smile') - smile);
    }
    return smile;
  };
  return shown;
}

/** One or two photographs on a sheet; both are framed around their faces, so that they coincide. */
function photograph(
  faces: readonly Face[],
  shot: Shot,
  pose: (timeMs: number) => SheetPose,
  mix: (timeMs: number) => number,
  fill: number,
): Iterable<Picture> {
  const sheets = faces.map((face) => buildSheet(face.picture, frameFace(face, shot.chance), fill));
  const [first, second] = sheets;
  return film(shot, (canvas, timeMs, shake) => {
    const share = second ? mix(timeMs) : 0;
    if (share < 1) drawSurface(canvas, first!.surface, first!.pose(pose(timeMs), shake));
    if (share <= 0) return;
    drawSurface(canvas, second!.surface, second!.pose(pose(timeMs), shake), { opacity: share });
  });
}
