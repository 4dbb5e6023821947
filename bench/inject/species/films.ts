// From pictures to what is sent: recorded as a browser would, named after one, its times those of a camera.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DrawnScript, Script } from '../../../src/contract/script.ts';
import { livedStep, stepLimitMs } from '../../../src/contract/script-steps.ts';
import { type Recording, record } from '../../attacks/camera.ts';
import { openRole, type Role } from '../../attacks/cast.ts';
import type { Picture } from '../../attacks/draw.ts';
import type { Actor } from '../../attacks/film-attacks.ts';
import type { Chance } from '../../attacks/random.ts';
import type { Call, Film, Stage } from '../laboratory.ts';
import { atOtherTimes, signedAsBrowser } from '../webm.ts';

/**
 * How late a camera's frames come, ms. Never early: of a film of 12 frames a second, as many as are judged, a frame that came
 * early would fall in with the one before it and be left out, which is a jump that no camera makes.
 */
const LATE_MS = 6;

/** The people of a list in turn. */
export function inTurn(roles: readonly Role[], take: number): Role {
  const role = roles[take % roles.length];
  if (!role) throw new Error('the sources hold no person for this species');
  return role;
}

export function open(stage: Stage, role: Role): Promise<Actor> {
  return openRole(stage.root, role);
}

/** Records the pictures. */
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

/** A file of ffmpeg's as a browser's recorder would have named and timed it. */
export function asRecorded(bytes: Buffer, chance: Chance): Buffer {
  return atOtherTimes(signedAsBrowser(bytes), (timesMs) =>
    timesMs.map((timeMs, i) => (i === 0 ? timeMs : timeMs + chance.between(0, LATE_MS))),
  );
}

/**
 * A lived script that the service takes for the drawn one: each prompt shown for as long as it has to be held, and no
 * longer than it may. Steps keep their ends where they can.
 */
export function livable({ steps }: Script, drawn: DrawnScript): Script {
  const lived: Script['steps'] = [];
  for (const [i, step] of drawn.steps.entries()) {
    const from_ms = lived.at(-1)?.to_ms ?? 0;
    const latestMs = from_ms + stepLimitMs(step, drawn.max_step_ms);
    const to_ms = Math.max(from_ms + step.hold_ms, Math.min(steps[i]!.to_ms, latestMs));
    lived.push(livedStep(step, from_ms, to_ms));
  }
  return { steps: lived };
}
