// What every species starts from: a script, a person, a camera, and the recording's length.
import { drawScript } from '../../src/challenge/capturing/draw-script.ts';
import { type DrawnScript, PROMPT_NAMES, type Script } from '../../src/contract/script.ts';
import { anyCamera, type Recording, USUAL } from './camera.ts';
import type { Role } from './cast.ts';
import type { Shot } from './film-attacks.ts';
import { live, type Manner } from './performance.ts';
import type { Chance } from './random.ts';
import type { DrawScript, Row } from './studio.ts';

/** Recorded after the script's end, in milliseconds. */
export const EXTRA_MS = 120;

/** A script as the service draws it. */
export const fresh: DrawScript = (chance, { allowed = PROMPT_NAMES, level = 'standard', way = null } = {}) =>
  drawScript(level, allowed, way, (least, most) => chance.integer(least, most));

/** A shot of a person who hears the prompts and answers them in time. */
export function shotFor(drawn: DrawnScript, chance: Chance, manner: Manner = {}, fps = 12): Shot {
  const performed = live(drawn, chance, manner);
  return {
    ...performed,
    chance,
    camera: anyCamera(chance),
    fps,
    durationMs: lengthOf(performed.script) + EXTRA_MS,
  };
}

export function lengthOf({ steps }: Script): number {
  return steps.at(-1)!.to_ms;
}

export function recordingOf(shot: Pick<Shot, 'fps' | 'chance'>): Recording {
  return { ...USUAL, fps: shot.fps, kbps: Math.round(shot.chance.between(500, 2500)) };
}

/** The roles in turn. */
export const roleFor = (roles: readonly Role[], take: number): Role => {
  const role = roles[take % roles.length];
  if (!role) throw new Error('the sources contain no person for this species');
  return role;
};

export function row(
  label: Row['label'],
  attack: string,
  subject: string,
  script: Script | null,
  made: Row['made'],
): Row {
  return { label, attack, subject, script, made };
}
