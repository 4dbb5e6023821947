// Measures what the PAD network says about a presentation's portraits and the faces in between; stored on disk.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { trackFaces } from '../src/evaluation/face/track.ts';
import { median } from '../src/evaluation/liveness/statistics.ts';
import { scoreFace } from '../src/evaluation/pad/score-faces.ts';
import { assessFrame } from '../src/evaluation/quality/frame-quality.ts';
import { selectPortraits } from '../src/evaluation/quality/select.ts';
import { DEFAULT_SETTINGS } from '../src/evaluation/settings.ts';
import { decodeClip } from '../src/evaluation/video/decode.ts';
import type { Frame } from '../src/evaluation/video/frame.ts';
import { openSource } from '../src/evaluation/video/source.ts';
import { decodeStill } from '../src/evaluation/video/still.ts';
import type { Models } from '../src/models/load.ts';
import type { PadModel } from '../src/models/packs/pad-pack.ts';
import type { EvidenceStore } from './pad-evidence.ts';
import type { Presentation } from './pad-network-material.ts';

export interface Scores {
  /** Scores of the portraits, in time order; for stills, one per still with a face. Empty if there is none. */
  readonly portraits: readonly number[];
  /** Scores of every third frame with a face, including turned and smiling ones. */
  readonly frames: readonly number[];
  /** Median luma of the portraits; null if there are none, and for stills. */
  readonly light: number | null;
}

const EVERY = 3;

export class ScoreKeeper {
  readonly #dir: string;
  readonly #models: Models;
  readonly #pad: PadModel;
  readonly #store: EvidenceStore | null;

  /** `store`: knows the faces of some clips already; those are not detected again. */
  constructor(dir: string, models: Models, pad: PadModel, store: EvidenceStore | null) {
    mkdirSync(dir, { recursive: true });
    this.#dir = dir;
    this.#models = models;
    this.#pad = pad;
    this.#store = store;
  }

  /** Whether it has already been measured. */
  has(presentation: Presentation): boolean {
    return existsSync(this.#fileOf(presentation));
  }

  /** Reads the stored scores, or measures them. */
  async of(presentation: Presentation): Promise<Scores> {
    const file = this.#fileOf(presentation);
    if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Scores;
    await presentation.make?.();
    const scores = await this.#measure(presentation);
    const part = `${file}.${process.pid}.part`;
    writeFileSync(part, JSON.stringify({ ...scores, id: presentation.id }));
    renameSync(part, file);
    return scores;
  }

  #fileOf({ id }: Presentation): string {
    return join(this.#dir, `${createHash('sha256').update(id).digest('hex').slice(0, 24)}.json`);
  }

  async #measure({ files }: Presentation): Promise<Scores> {
    const [first] = files;
    if (!first?.endsWith('.jpg')) return this.#measureClip(first!);
    const scores: number[] = [];
    for (const file of files) {
      const source = await openSource(file, DEFAULT_SETTINGS.video.tempDir);
      const still = await decodeStill(source, DEFAULT_SETTINGS.video);
      await source.handle.close();
      if (still.status !== 'decoded') continue;
      const [observation] = await trackFaces(this.#models, [still.frame]);
      if (observation?.face) scores.push(await scoreFace(this.#pad, still.frame, observation.face.box));
    }
    return { portraits: scores, frames: scores, light: null };
  }

  async #measureClip(path: string): Promise<Scores> {
    const frames: Frame[] = [];
    const kept = this.#store?.kept(path);
    const decoded = await decodeClip(path, DEFAULT_SETTINGS.video, async (decoding) => {
      const keep = async function* () {
        for await (const frame of decoding) {
          frames.push(frame);
          yield frame;
        }
      };
      if (kept?.status === 'gathered') {
        for await (const _ of keep());
        return kept.evidence.observations;
      }
      return trackFaces(this.#models, keep());
    });
    if (decoded.status !== 'decoded') return { portraits: [], frames: [], light: null };
    const observations = decoded.value;
    const assessed = frames.map((frame, i) => {
      const observation = observations[i]!;
      return { frame, observation, quality: observation.face && assessFrame(frame, observation.face) };
    });
    const { portraits } = selectPortraits(assessed, DEFAULT_SETTINGS.templateFrames);
    const portraitScores: number[] = [];
    for (const { frame, face } of portraits) portraitScores.push(await scoreFace(this.#pad, frame, face.box));
    const frameScores: number[] = [];
    for (let i = 0; i < observations.length; i += EVERY) {
      const { face } = observations[i]!;
      if (face) frameScores.push(await scoreFace(this.#pad, frames[i]!, face.box));
    }
    const light = portraits.length > 0 ? median(portraits.map(({ brightness }) => brightness)) : null;
    return { portraits: portraitScores, frames: frameScores, light };
  }
}
