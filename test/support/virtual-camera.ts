// A camera that answers prompts: a page script over getUserMedia that plays real footage of one person on a canvas,
// neutral or smiling as the page asks, with a fresh crop, drift and sensor noise in every take.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { facePath } from './faces.ts';

/** How the person before the camera behaves. */
export type Behaviour = 'follows' | 'never smiles' | 'still photo';

/** Footage of one person: a clip and where in it the face rests and where it smiles, in seconds. */
export interface Footage {
  clip: string;
  /** The clip from resting face to held smile, played forwards to smile and backwards to rest. */
  fromS: number;
  neutralUntilS: number;
  smileFromS: number;
  toS: number;
}

/** Two people who smile (times from the clips' manifest). */
export const SUBJECTS = {
  d0: { clip: 'video/liveportrait/d0.mp4', fromS: 0, neutralUntilS: 0.55, smileFromS: 1.0, toS: 2.4 },
  d19: { clip: 'video/liveportrait/d19.mp4', fromS: 7.25, neutralUntilS: 7.5, smileFromS: 7.85, toS: 8.3 },
} satisfies Record<string, Footage>;

const FRAMES_PER_SECOND = 25;

interface CameraPlan {
  jpegs: string[];
  neutralEnd: number;
  smileStart: number;
  behaviour: Behaviour;
  reactionMs: number;
}

/** Makes every page of the context see the person through its camera. */
export async function installCamera(
  context: BrowserContext,
  footage: Footage,
  behaviour: Behaviour,
): Promise<void> {
  const jpegs = extractFrames(footage);
  const plan: CameraPlan = {
    jpegs,
    neutralEnd: Math.round((footage.neutralUntilS - footage.fromS) * FRAMES_PER_SECOND),
    smileStart: Math.round((footage.smileFromS - footage.fromS) * FRAMES_PER_SECOND),
    behaviour,
    reactionMs: 350,
  };
  // The test runner's compiler wraps named functions in a helper that the page does not have.
  await context.addInitScript({ content: 'globalThis.__name ??= (target) => target;' });
  await context.addInitScript(cameraScript, plan);
}

function extractFrames(footage: Footage): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-camera-'));
  try {
    const span = ['-ss', String(footage.fromS), '-t', String(footage.toS - footage.fromS)];
    const picture = ['-vf', `fps=${FRAMES_PER_SECOND},scale=480:480`, '-q:v', '3'];
    execFileSync('ffmpeg', [
      '-v',
      'error',
      '-i',
      facePath(footage.clip),
      ...span,
      ...picture,
      join(folder, '%04d.jpg'),
    ]);
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
  const last = plan.jpegs.length - 1;
  let position = 0;
  let promptSeen = 'neutral';
  let promptSeenAt = 0;
  let acting = 'neutral';

  const chooseFrame = () => {
    if (plan.behaviour === 'still photo') return 0;
    const prompt = document.documentElement.dataset.prompt || 'neutral';
    const now = performance.now();
    if (prompt !== promptSeen) {
      promptSeen = prompt;
      promptSeenAt = now;
    }
    if (now - promptSeenAt > plan.reactionMs) acting = promptSeen;
    const smiling = acting === 'smile' && plan.behaviour === 'follows';
    // Towards the wanted stretch one frame at a time; within it a random walk, as a living face never repeats itself.
    if (smiling && position < plan.smileStart) position += 1;
    else if (!smiling && position > plan.neutralEnd) position -= 1;
    else position += Math.floor(Math.random() * 3) - 1;
    const [low, high] = smiling ? [0, last] : [0, Math.max(plan.neutralEnd, position)];
    position = Math.min(Math.max(position, low), high);
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
      const x = 320 - take.size / 2 + take.x + 3 * Math.sin(t * 1.3) + 2 * Math.sin(t * 2.9);
      const y = 240 - take.size / 2 + take.y + 2 * Math.sin(t * 1.7);
      pen.fillStyle = '#5a6158';
      pen.fillRect(0, 0, 640, 480);
      pen.drawImage(bitmap, x, y, take.size, take.size);
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
