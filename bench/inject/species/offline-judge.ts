// The attacker's own judge: this same software, which anybody can have. The evidence in a video is gathered once and
// stored; a script is then judged against it in milliseconds, while the service waits for the answer.
import { join } from 'node:path';
import type { Script } from '../../../src/contract/script.ts';
import { judgeRows } from '../../../src/lab/pad-judge.ts';
import { EvidenceStore } from '../../pad-evidence.ts';
import type { Stage } from '../laboratory.ts';

const RANKS = { accepted: 2, sentBack: 1, refused: 0 } as const;

/** Of recordings with the script fitted to each, the one that is judged best; ties go to the one with fewer reasons. */
export async function bestJudged<
  L extends { readonly recording: { readonly path: string }; readonly script: Script },
>(stage: Stage, laid: readonly L[]): Promise<L> {
  const store = await storeOf(stage);
  let best: { one: L; score: number } | null = null;
  for (const one of laid) {
    const [judged] = judgeRows(
      store.kept(one.recording.path)!,
      [ROW],
      new Map([[ROW.scriptFile, one.script]]),
    );
    const score = RANKS[judged!.outcome] - 0.01 * judged!.reasons.length;
    if (!best || score > best.score) best = { one, score };
  }
  return best!.one;
}

/** Gathers the evidence in a video, unless it is already stored. */
export async function gatherEvidence(stage: Stage, path: string): Promise<void> {
  await (await storeOf(stage)).gather(path);
}

async function storeOf(stage: Stage): Promise<EvidenceStore> {
  return new EvidenceStore(join(stage.keepDir, 'evidence'), await stage.models());
}

const ROW = { file: '', subject: '', species: null, kind: null, scriptFile: 'script' };
