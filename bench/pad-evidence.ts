// What is gathered from each clip of the bench, kept on disk: trying a threshold then needs no decoding. It holds faces.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { GATHER_STEPS, type Gathered, gather } from '../src/evaluation/gather.ts';
import type { Selection } from '../src/evaluation/quality/select.ts';
import { samePersonCosines } from '../src/evaluation/recognition/operating-point.ts';
import { DEFAULT_SETTINGS } from '../src/evaluation/settings.ts';
import { Stopwatch } from '../src/evaluation/stopwatch.ts';
import type { Models } from '../src/models/load.ts';

/** Evidence of clips by their bytes. */
export class EvidenceStore {
  readonly #dir: string;
  readonly #models: Models;

  constructor(dir: string, models: Models) {
    mkdirSync(dir, { recursive: true });
    this.#dir = dir;
    this.#models = models;
  }

  /** Null where it was not gathered yet. */
  kept(path: string): Gathered | null {
    const file = this.#fileOf(path);
    if (!existsSync(file)) return null;
    const gathered = deserialize(readFileSync(file)) as Gathered;
    if (gathered.status !== 'gathered') return gathered;
    // The calibration in use may be newer than the evidence.
    const samePerson = samePersonCosines(this.#models.recognisers[0].pack);
    return { ...gathered, evidence: { ...gathered.evidence, samePerson } };
  }

  /** Gathers unless it is kept already. */
  async gather(path: string): Promise<void> {
    const file = this.#fileOf(path);
    if (existsSync(file)) return;
    const gathered = await gather(path, DEFAULT_SETTINGS, this.#models, new Stopwatch(GATHER_STEPS));
    writeFileSync(`${file}.part`, serialize(withoutPictures(gathered)));
    renameSync(`${file}.part`, file);
  }

  #fileOf(path: string): string {
    const hash = createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 32);
    return join(this.#dir, `${hash}.v8`);
  }
}

/** Of the portraits' pixels no check reads any but the best one's: the rest would be half of what is kept. */
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
