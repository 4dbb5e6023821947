// Stores the evidence gathered from clips on disk, so that judging it again needs no decoding. It contains faces.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { GATHER_STEPS, type Gathered, gather } from '../src/evaluation/gather.ts';
import type { Selection } from '../src/evaluation/quality/select.ts';
import { samePersonCosines } from '../src/evaluation/recognition/operating-point.ts';
import { DEFAULT_SETTINGS, type EvaluationSettings } from '../src/evaluation/settings.ts';
import { Stopwatch } from '../src/evaluation/stopwatch.ts';
import type { Models } from '../src/models/load.ts';

/** Evidence of clips, keyed by their bytes. A folder is for one version of the networks, the code and the settings. */
export class EvidenceStore {
  readonly #dir: string;
  readonly #models: Models;
  readonly #settings: EvaluationSettings;

  constructor(dir: string, models: Models, settings = DEFAULT_SETTINGS) {
    mkdirSync(dir, { recursive: true });
    this.#dir = dir;
    this.#models = models;
    this.#settings = settings;
  }

  /** Null if it has not been gathered yet. */
  kept(path: string): Gathered | null {
    const file = this.#fileOf(path);
    if (!existsSync(file)) return null;
    const gathered = deserialize(readFileSync(file)) as Gathered;
    if (gathered.status !== 'gathered') return gathered;
    // The calibration in use may be newer than the evidence.
    const samePerson = samePersonCosines(this.#models.recognisers[0].pack);
    return { ...gathered, evidence: { ...gathered.evidence, samePerson } };
  }

  /** Gathers the evidence unless it is already stored. */
  async gather(path: string): Promise<void> {
    const file = this.#fileOf(path);
    if (existsSync(file)) return;
    const gathered = await gather(path, this.#settings, this.#models, new Stopwatch(GATHER_STEPS));
    const part = `${file}.${process.pid}.part`;
    writeFileSync(part, serialize(withoutPictures(gathered)));
    renameSync(part, file);
  }

  #fileOf(path: string): string {
    const hash = createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 32);
    return join(this.#dir, `${hash}.v8`);
  }
}

/** Checks read only the best portrait's pixels; those of the others would be half of what is stored. */
function withoutPictures(gathered: Gathered): Gathered {
  if (gathered.status !== 'gathered') return gathered;
  const { selection } = gathered.evidence;
  const portraits = selection.portraits.map((portrait) =>
    portrait === selection.best
      ? portrait
      : { ...portrait, frame: { ...portrait.frame, rgb: new Uint8Array(0) } },
  );
  const light: Selection = { ...selection, portraits };
  return { ...gathered, evidence: { ...gathered.evidence, selection: light } };
}
