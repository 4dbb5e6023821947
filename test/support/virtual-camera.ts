// A camera that answers prompts: a page script over getUserMedia that plays real footage of one person on a canvas,
// at rest, smiling or turning as the page asks, with a fresh crop, drift and sensor noise in every take. It plays pieces, as
// an attacker with a library of actions does: joined by a cut they would be seen (src/evaluation/liveness/seams.ts), so each
// fades into the next for longer than a seam that is looked for.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { facePath } from './faces.ts';

/** How the person before the camera behaves. */
export type Behaviour = 'follows' | 'never smiles' | 'never moves' | 'still photo';

/** How long one piece fades into the next; 8 frames at 25 a second are looked for. */
const FADE_MS = 600;

/** From a prompt to the beginning of its answer, where a test does not say. */
const REACTION_MS = 350;

/** A stretch of the clip, in seconds, and ffmpeg's filter that cuts the picture out of it. */
interface Stretch {
  fromS: number;
  toS: number;
  crop: string;
}

/** From the resting face to a movement that is held from `heldFromS` on; reversed where the clip shows the way back. */
interface Move extends Stretch {
  heldFromS: number;
  reversed?: boolean;
}

/** Footage of one person, cut into rest and movements, each of which begins at rest. */
export interface Footage {
  clip: string;
  /** Height of the cut pictures is 480; 640 wide ones fill the camera's picture. */
  width: 480 | 640;
  framesPerSecond: number;
  rest: Stretch;
  moves: { smile: Move; turn_left?: Move; turn_right?: Move };
}

const SQUARE = 'scale=480:480';
const ZUBAIR = 'spoof/video/open/real/ZubairCracksCode_real.mov';
/** The same place of the face in every stretch: he moves on his chair. */
const around = (x: number) => `crop=600:450:${x}:88,scale=640:480`;

/** Two people who smile (times from the clips' manifest), and one who also turns his head both ways. */
export const SUBJECTS = {
  d0: {
    ...{ clip: 'video/liveportrait/d0.mp4', width: 480, framesPerSecond: 25 },
    rest: { fromS: 0, toS: 0.55, crop: SQUARE },
    moves: { smile: { fromS: 0.55, heldFromS: 1.0, toS: 2.4, crop: SQUARE } },
  },
  d19: {
    ...{ clip: 'video/liveportrait/d19.mp4', width: 480, framesPerSecond: 25 },
    rest: { fromS: 7.25, toS: 7.5, crop: SQUARE },
    moves: { smile: { fromS: 7.5, heldFromS: 7.85, toS: 8.3, crop: SQUARE } },
  },
  zubair: {
    ...{ clip: ZUBAIR, width: 640, framesPerSecond: 15 },
    rest: { fromS: 12.4, toS: 13.2, crop: around(180) },
    moves: {
      smile: { fromS: 0.67, heldFromS: 1.4, toS: 2.5, crop: around(182) },
      turn_left: { fromS: 11.75, heldFromS: 11.9, toS: 12.35, crop: around(180), reversed: true },
      turn_right: { fromS: 6.47, heldFromS: 6.8, toS: 7.02, crop: around(72) },
    },
  },
} satisfies Record<string, Footage>;

/** Numbers of pictures, the last one included. */
interface Range {
  first: number;
  last: number;
}

interface CameraPlan {
  jpegs: string[];
  width: number;
  rest: Range;
  /** By prompt: the way there, and from where on it is held. */
  moves: Record<string, Range & { heldFrom: number }>;
  behaviour: Behaviour;
  reactionMs: number;
  fadeMs: number;
}

/**
 * Makes every page of the context see the person through its camera.
 * @param reactionMs from a prompt to the beginning of its answer
 */
export async function installCamera(
  context: BrowserContext,
  footage: Footage,
  behaviour: Behaviour,
  reactionMs = REACTION_MS,
): Promise<void> {
  // The test runner's compiler wraps named functions in a helper that the page does not have.
  await context.addInitScript({ content: 'globalThis.__name ??= (target) => target;' });
  await context.addInitScript(cameraScript, planOf(footage, behaviour, reactionMs));
}

function planOf(footage: Footage, behaviour: Behaviour, reactionMs: number): CameraPlan {
  const jpegs = extractFrames(footage, footage.rest);
  const rest = { first: 0, last: jpegs.length - 1 };
  const moves: CameraPlan['moves'] = {};
  for (const [prompt, move] of Object.entries<Move>(footage.moves)) {
    const pictures = extractFrames(footage, move);
    if (move.reversed) pictures.reverse();
    const first = jpegs.length;
    jpegs.push(...pictures);
    const wayS = move.reversed ? move.toS - move.heldFromS : move.heldFromS - move.fromS;
    const heldFrom = Math.min(first + Math.round(wayS * footage.framesPerSecond), jpegs.length - 1);
    moves[prompt] = { first, heldFrom, last: jpegs.length - 1 };
  }
  return { jpegs, width: footage.width, rest, moves, behaviour, reactionMs, fadeMs: FADE_MS };
}

function extractFrames({ clip, framesPerSecond }: Footage, { fromS, toS, crop }: Stretch): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-camera-'));
  try {
    const span = ['-ss', String(fromS), '-t', String(toS - fromS)];
    const picture = ['-vf', `fps=${framesPerSecond},${crop}`, '-q:v', '3'];
    const input = ['-v', 'error', '-i', facePath(clip)];
    execFileSync('ffmpeg', [...input, ...span, ...picture, join(folder, '%04d.jpg')]);
    return readdirSync(folder)
      .sort()
      .map((name) => readFileSync(join(folder, name)).toString('base64'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs in the page before its own scripts. Self-contained: it is sent as text. */
function cameraScript(plan: CameraPlan): void {
  const decode = async (base64: string) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
  };
  let position = 0;
  let promptSeen = 'neutral';
  let promptSeenAt = 0;
  let wanted: string | null = null;
  let doing: string | null = null;
  /** The picture of the piece before, and since when it fades. */
  let leaving: { picture: number; sinceMs: number } | null = null;

  const readPrompt = () => {
    const prompt = document.documentElement.dataset.prompt || 'neutral';
    const now = performance.now();
    if (prompt !== promptSeen) {
      promptSeen = prompt;
      promptSeenAt = now;
    }
    if (now - promptSeenAt <= plan.reactionMs) return;
    const unwilling = plan.behaviour === 'never moves' || plan.behaviour === `never ${promptSeen}s`;
    const able = promptSeen in plan.moves && !unwilling;
    wanted = able ? promptSeen : null;
  };

  // One picture at a time along a movement and back; at rest and while holding a random walk, as a living face never
  // repeats itself.
  const walk = (first: number, last: number) => {
    position += Math.floor(Math.random() * 3) - 1;
    position = Math.min(Math.max(position, first), last);
  };
  const goTo = (picture: number) => {
    leaving = { picture: position, sinceMs: performance.now() };
    position = picture;
  };
  const chooseFrame = () => {
    if (plan.behaviour === 'still photo') return 0;
    readPrompt();
    if (leaving && performance.now() - leaving.sinceMs < plan.fadeMs) return position;
    leaving = null;
    if (doing === null) {
      walk(plan.rest.first, plan.rest.last);
      if (wanted !== null) {
        doing = wanted;
        goTo(plan.moves[doing]!.first);
      }
      return position;
    }
    const { first, heldFrom, last } = plan.moves[doing]!;
    if (doing !== wanted) {
      position -= 1;
      if (position <= first) {
        doing = null;
        goTo(plan.rest.last);
      }
    } else if (position < heldFrom) position += 1;
    else walk(heldFrom, last);
    return position;
  };

  const startCamera = async () => {
    const bitmaps = await Promise.all(plan.jpegs.map(decode));
    const canvas = document.createElement('canvas');
    canvas.width = 640;
    canvas.height = 480;
    const pen = canvas.getContext('2d', { willReadFrequently: true })!;
    const noise = document.createElement('canvas');
    noise.width = 320;
    noise.height = 240;
    const noisePen = noise.getContext('2d')!;
    const grain = noisePen.createImageData(320, 240);
    const take = {
      x: Math.random() * 24 - 12,
      y: Math.random() * 16 - 8,
      size: 470 + Math.random() * 40,
      phase: Math.random() * 6,
    };
    const draw = () => {
      const t = performance.now() / 1000 + take.phase;
      const bitmap = bitmaps[chooseFrame()]!;
      const width = (take.size * plan.width) / 480;
      const x = 320 - width / 2 + take.x + 3 * Math.sin(t * 1.3) + 2 * Math.sin(t * 2.9);
      const y = 240 - take.size / 2 + take.y + 2 * Math.sin(t * 1.7);
      pen.fillStyle = '#5a6158';
      pen.fillRect(0, 0, 640, 480);
      if (leaving) pen.drawImage(bitmaps[leaving.picture]!, x, y, width, take.size);
      pen.globalAlpha = leaving ? Math.min(1, (performance.now() - leaving.sinceMs) / plan.fadeMs) : 1;
      pen.drawImage(bitmap, x, y, width, take.size);
      pen.globalAlpha = 1;
      for (let i = 0; i < grain.data.length; i += 4) {
        const value = Math.random() * 255;
        grain.data[i] = grain.data[i + 1] = grain.data[i + 2] = value;
        grain.data[i + 3] = 10;
      }
      noisePen.putImageData(grain, 0, 0);
      pen.drawImage(noise, 0, 0, 640, 480);
    };
    draw();
    const timer = setInterval(draw, 40);
    const stream = canvas.captureStream(25);
    const track = stream.getVideoTracks()[0]!;
    const stop = track.stop.bind(track);
    track.stop = () => {
      clearInterval(timer);
      stop();
    };
    return stream;
  };
  navigator.mediaDevices.getUserMedia = startCamera;
}
