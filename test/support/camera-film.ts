// What the tests' camera plays: pictures of one person in which every movement continues from where rest ends, without
// a cut. Two people are taken from real clips. The one who also turns the head is rendered, because no public clip
// rests, smiles and turns in every direction in one unbroken shot.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { facePath } from './faces.ts';
import type { CameraFilm } from './film.ts';
import { filmOfHead } from './turning-head.ts';

/** Times in a clip, in seconds: rest, the transition to a smile, and the smile until its end. */
interface Smile {
  clip: string;
  restS: number;
  smileS: number;
  heldS: number;
  endS: number;
}

const SMILES = {
  d0: { clip: 'video/liveportrait/d0.mp4', restS: 0, smileS: 0.55, heldS: 1.0, endS: 2.4 },
  d19: { clip: 'video/liveportrait/d19.mp4', restS: 7.25, smileS: 7.5, heldS: 7.85, endS: 8.3 },
} as const satisfies Record<string, Smile>;

/**
 * Two people who smile (times from the clips' manifest), one who talks, one who also turns the nose to any dot.
 */
export type CameraSubject = keyof typeof SMILES | 'talking' | 'turning';

/** Of the talker's clip. */
const TALKING_SECONDS = 7;

/** Moments of d0's clip that the rendered head is made from, seconds. */
const RESTING = 0.2;
const SMILING = 1.5;

const FRAMES_PER_SECOND = 25;
const SIDE_PX = 480;
const films = new Map<CameraSubject, Promise<CameraFilm>>();

/** The film of a person; made once per process. */
export function filmOf(subject: CameraSubject): Promise<CameraFilm> {
  const kept = films.get(subject);
  if (kept) return kept;
  const film = makeFilm(subject);
  films.set(subject, film);
  return film;
}

async function makeFilm(subject: CameraSubject): Promise<CameraFilm> {
  if (subject === 'turning') return filmOfHead(frameAt(RESTING), frameAt(SMILING));
  if (subject === 'talking') return filmOfTalker();
  return filmOfClip(SMILES[subject]);
}

function frameAt(seconds: number): Buffer {
  return Buffer.from(extractFrames(SMILES.d0.clip, seconds, seconds + 2 / FRAMES_PER_SECOND)[0]!, 'base64');
}

function filmOfClip({ clip, restS, smileS, heldS, endS }: Smile): CameraFilm {
  const jpegs = extractFrames(clip, restS, endS);
  const at = (seconds: number) => Math.round((seconds - restS) * FRAMES_PER_SECOND);
  const first = at(smileS);
  return {
    jpegs,
    width: SIDE_PX,
    rest: { first: 0, last: first - 1 },
    moves: { smile: { first, heldFrom: at(heldS), last: jpegs.length - 1 } },
  };
}

/** Whatever is asked of them, they go on talking. */
function filmOfTalker(): CameraFilm {
  const jpegs = extractFrames('video/liveportrait/d10.mp4', 0, TALKING_SECONDS);
  return { jpegs, width: SIDE_PX, rest: { first: 0, last: jpegs.length - 1 }, moves: {} };
}

function extractFrames(clip: string, fromS: number, toS: number): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-camera-'));
  try {
    const span = ['-ss', String(fromS), '-t', String(toS - fromS)];
    const picture = ['-vf', `fps=${FRAMES_PER_SECOND},scale=${SIDE_PX}:${SIDE_PX}`, '-q:v', '3'];
    execFileSync(
      'ffmpeg',
      [
        ['-v', 'error', '-i', facePath(clip)],
        [...span, ...picture, join(folder, '%04d.jpg')],
      ].flat(),
    );
    return readdirSync(folder)
      .sort()
      .map((name) => readFileSync(join(folder, name)).toString('base64'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
