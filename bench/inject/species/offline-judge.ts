// The attacker's own judge: this same software, which anybody can have. The evidence in a video is gathered once and
// stored; a script is then judged against it in milliseconds, while the service waits for the answer. What is filmed for
// a script is judged before it is sent.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Script } from '../../../src/contract/script.ts';
import { GATHER_STEPS, type Gathered, gather } from '../../../src/evaluation/gather.ts';
import { DEFAULT_SETTINGS } from '../../../src/evaluation/settings.ts';
import { Stopwatch } from '../../../src/evaluation/stopwatch.ts';
import { judgeRows } from '../../../src/lab/pad-judge.ts';
import { EvidenceStore } from '../../pad-evidence.ts';
import { inScratch } from '../client.ts';
import type { Film, Stage } from '../laboratory.ts';

const RANKS = { accepted: 2, sentBack: 1, refused: 0 } as const;

/** What this judge says of a film: whether it is accepted, and its rank among others. */
export interface Judged {
  readonly isAccepted: boolean;
  /** By outcome, then by the number of reasons; more is better. */
  readonly score: number;
}

function judgedFor(gathered: Gathered, script: Script): Judged {
  const [judged] = judgeRows(gathered, [ROW], new Map([[ROW.scriptFile, script]]));
  const { outcome, reasons } = judged!;
  return { isAccepted: outcome === 'accepted', score: RANKS[outcome] - 0.01 * reasons.length };
}

/** Of recordings with the script fitted to each, the one that is judged best; ties go to the one with fewer reasons. */
export async function bestJudged<
  L extends { readonly recording: { readonly path: string }; readonly script: Script },
>(stage: Stage, laid: readonly L[]): Promise<L> {
  const store = await storeOf(stage);
  const scores = laid.map(({ recording, script }) => judgedFor(store.kept(recording.path)!, script).score);
  return laid[scores.indexOf(Math.max(...scores))]!;
}

/** Of films made one after another for one script, the first that this judge accepts, or the best. */
export function bestFilm(stage: Stage, make: () => Promise<Film>, most: number): Promise<Film> {
  return firstAccepted(make, async (film) => judgedFor(await gathered(stage, film), film.script), most);
}

/** Makes no more than `most`, and none after one that is accepted. */
export async function firstAccepted<T>(
  make: () => Promise<T>,
  judge: (made: T) => Promise<Judged>,
  most: number,
): Promise<T> {
  let best: { made: T; judged: Judged } | null = null;
  for (let i = 0; i < most && !best?.judged.isAccepted; i++) {
    const made = await make();
    const judged = await judge(made);
    if (!best || judged.score > best.judged.score) best = { made, judged };
  }
  return best!.made;
}

async function gathered(stage: Stage, { bytes }: Film): Promise<Gathered> {
  const models = await stage.models();
  return inScratch(async (scratch) => {
    const path = join(scratch, 'film.webm');
    await writeFile(path, bytes);
    return gather(path, DEFAULT_SETTINGS, models, new Stopwatch(GATHER_STEPS));
  });
}

/** Gathers the evidence in a video, unless it is already stored. */
export async function gatherEvidence(stage: Stage, path: string): Promise<void> {
  await (await storeOf(stage)).gather(path);
}

async function storeOf(stage: Stage): Promise<EvidenceStore> {
  return new EvidenceStore(join(stage.keepDir, 'evidence'), await stage.models());
}

const ROW = { file: '', subject: '', species: null, kind: null, scriptFile: 'script' };
