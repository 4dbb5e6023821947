// One take of the light laboratory: public footage of a moving face under a code, recorded by a browser's codec, and
// what the judgement finds. Each take is stored, so that an interrupted run can be resumed.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SYMBOLS } from '../../src/contract/screen-light.ts';
import type { FaceObservation } from '../../src/evaluation/face/observation.ts';
import { trackFaces } from '../../src/evaluation/face/track.ts';
import { matchCode } from '../../src/evaluation/light/match-code.ts';
import { readSkin, skinSteps } from '../../src/evaluation/light/skin-steps.ts';
import type { LightMatch, SkinStep } from '../../src/evaluation/liveness/light-evidence.ts';
import { DEFAULT_SETTINGS, type VideoSettings } from '../../src/evaluation/settings.ts';
import { decodeClip } from '../../src/evaluation/video/decode.ts';
import type { Frame } from '../../src/evaluation/video/frame.ts';
import type { Models } from '../../src/models/load.ts';
import { type Recording, record } from '../attacks/camera.ts';
import { type Chance, chanceOf } from '../attacks/random.ts';
import type { GenuineClip } from '../attacks/sources.ts';
import { tinted } from './tint.ts';

/** One row of the laboratory. */
export interface Take {
  readonly clip: string;
  readonly subject: string;
  readonly codec: 'vp8' | 'vp9';
  readonly swing: number;
  readonly flat: boolean;
  readonly delayMs: number;
  readonly match: LightMatch | null;
  /** To match against codes other than the one that was shown. */
  readonly steps: readonly SkinStep[];
}

/** Frames per second of the recordings. */
const FPS = 25;
/** About the length of a standard script. */
const TAKE_S = 8;

/** A code drawn from `chance`. */
export function codeOf(chance: Chance): string {
  return Array.from({ length: SYMBOLS / 4 }, () => chance.integer(0, 15).toString(16)).join('');
}

/** The takes of one clip; its frames are decoded and tracked once, when the first take is missing. */
export class ClipStage {
  readonly #name: string;
  readonly #root: string;
  readonly #clip: GenuineClip;
  readonly #dir: string;
  readonly #models: Models;
  #followed: Promise<{ frames: Frame[]; observations: FaceObservation[] }> | null = null;

  constructor(root: string, clip: GenuineClip, dir: string, models: Models) {
    mkdirSync(dir, { recursive: true });
    this.#name = `${clip.subject}-${clip.fromS}`;
    this.#root = root;
    this.#clip = clip;
    this.#dir = dir;
    this.#models = models;
  }

  async take(recording: Omit<Recording, 'fps'>, swing: number, flat = false): Promise<Take> {
    const codec = recording.codec as Take['codec'];
    const id = `${this.#name}-${codec}-${swing}${flat ? '-flat' : ''}`;
    const kept = join(this.#dir, `${id}.json`);
    const chance = chanceOf(id);
    const [code, delayMs] = [codeOf(chance), chance.integer(60, 300)];
    if (existsSync(kept)) {
      const take = JSON.parse(readFileSync(kept, 'utf8')) as Take;
      // Only the steps are reused: the matching may have changed since.
      return { ...take, match: matchCode(take.steps, code) };
    }
    this.#followed ??= this.#follow();
    const { frames, observations } = await this.#followed;
    const file = join(this.#dir, `${id}.webm`);
    await record(
      file,
      { ...recording, fps: FPS },
      tinted(frames, observations, { code, swing, delayMs, flat }, chance),
    );
    const steps = await stepsOf(this.#models, file);
    rmSync(file);
    const { subject } = this.#clip;
    const take: Take = {
      ...{ clip: this.#name, subject, codec, swing, flat, delayMs },
      ...{ match: matchCode(steps, code), steps },
    };
    writeFileSync(`${kept}.part`, JSON.stringify(take));
    renameSync(`${kept}.part`, kept);
    return take;
  }

  /** Decodes every frame of the segment at the recordings' rate and tracks the face. */
  async #follow() {
    const { file, fromS, lastsS } = this.#clip;
    const path = join(this.#dir, `${this.#name}.mp4`);
    const part = ['-ss', String(fromS), '-t', String(Math.min(TAKE_S, lastsS)), '-i', join(this.#root, file)];
    const picture = ['-an', '-vf', `fps=${FPS},scale='if(lt(iw,ih),480,-2)':'if(lt(iw,ih),-2,480)'`];
    const codec = ['-c:v', 'libx264', '-preset', 'veryfast', '-qp', '6', '-pix_fmt', 'yuv420p'];
    execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...part, ...picture, ...codec, path]);
    try {
      return await follow(this.#models, path, { ...DEFAULT_SETTINGS.video, sampleFps: FPS });
    } finally {
      rmSync(path);
    }
  }
}

async function stepsOf(models: Models, file: string): Promise<SkinStep[]> {
  const { frames, observations } = await follow(models, file, DEFAULT_SETTINGS.video);
  return skinSteps(
    observations.map(({ timeMs, face }, i) => ({ timeMs, skin: face && readSkin(frames[i]!, face) })),
  );
}

async function follow(models: Models, file: string, settings: VideoSettings) {
  const frames: Frame[] = [];
  const keep = async function* (decoded: AsyncIterable<Frame>) {
    for await (const frame of decoded) {
      frames.push(frame);
      yield frame;
    }
  };
  const followed = await decodeClip(file, settings, (decoded) => trackFaces(models, keep(decoded)));
  if (followed.status !== 'decoded') throw new Error(`${file}: ${followed.reason}`);
  return { frames, observations: followed.value };
}
