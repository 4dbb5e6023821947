// Turns frames into what is sent: recorded as a browser would, signed with a browser's name, and with a camera's frame
// times.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DrawnScript, Script } from '../../../src/contract/script.ts';
import { performedStep } from '../../../src/contract/script-steps.ts';
import { type Recording, record } from '../../attacks/camera.ts';
import { openRole, type Role } from '../../attacks/cast.ts';
import type { Picture } from '../../attacks/draw.ts';
import type { Actor } from '../../attacks/film-attacks.ts';
import { wayOf } from '../../attacks/performance.ts';
import type { Chance } from '../../attacks/random.ts';
import type { Call, Film, Stage } from '../laboratory.ts';
import { atOtherTimes, signedAsBrowser } from '../webm.ts';

/**
 * How late a camera's frames come, ms. Never early: in a film of 12 frames per second, as many as are judged, an early
 * frame would coincide with the one before and be dropped, which is a jump that no camera makes.
 */
const LATE_MS = 6;

/** The roles of a list in turn. */
export function inTurn(roles: readonly Role[], take: number): Role {
  const role = roles[take % roles.length];
  if (!role) throw new Error('the sources contain no person for this species');
  return role;
}

export function open(stage: Stage, role: Role): Promise<Actor> {
  return openRole(stage.root, role);
}

/** Records the frames. */
export async function filmed(
  { scratch, chance }: Call,
  recording: Recording,
  pictures: Iterable<Picture> | AsyncIterable<Picture>,
  script: Script,
): Promise<Film> {
  const path = join(scratch, 'film.webm');
  await record(path, recording, pictures);
  return { bytes: asRecorded(await readFile(path), chance), script };
}

/** Makes ffmpeg's file look as if a browser's recorder had named and timed it. */
export function asRecorded(bytes: Buffer, chance: Chance): Buffer {
  return atOtherTimes(signedAsBrowser(bytes), (timesMs) =>
    timesMs.map((timeMs, i) => (i === 0 ? timeMs : timeMs + chance.between(0, LATE_MS))),
  );
}

/**
 * A performed script that the service accepts for the drawn one: each prompt is shown for at least its hold time and no
 * longer than its limit. Steps keep their ends where possible.
 */
export function withinLimits({ steps }: Script, drawn: DrawnScript): Script {
  const performed: Script['steps'] = [];
  for (const [i, step] of drawn.steps.entries()) {
    const from_ms = performed.at(-1)?.to_ms ?? 0;
    const latestMs = from_ms + drawn.max_step_ms;
    const to_ms = Math.max(from_ms + step.hold_ms, Math.min(steps[i]!.to_ms, latestMs));
    performed.push(performedStep(step, from_ms, to_ms));
  }
  return { steps: performed, ...wayOf(drawn) };
}

/** A smiling person other than this one, in turn: the attacker. */
export function otherThan(stage: Stage, { subject }: Actor, take: number): Promise<Actor> {
  return open(
    stage,
    inTurn(
      stage.cast.smiling.filter((role) => role.subject !== subject),
      take,
    ),
  );
}
