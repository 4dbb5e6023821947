// Judgements that ended before the person's device answered, kept in the memory of their worker process: the answer
// gets its result at once, and nothing occupies a place meanwhile. If one is lost, its video is judged from the start.
import type { Judged } from './settle.ts';

export interface KeptJudgements {
  keep(captureId: string, judged: Judged): void;
  /** Gives a judgement back, once; null if none is kept. */
  take(captureId: string): Judged | null;
}

/** As long as the page waits for a device (web/capture/passkey/options.ts). No face stays in memory for longer. */
const KEPT_MS = 120_000;
/** The oldest gives way. Each is some 1 MB, its best frame; a hostile video's up to 8 MB. Chosen, not measured. */
const MOST_KEPT = 16;

export function createKeptJudgements(): KeptJudgements {
  const kept = new Map<string, Judged>();
  return {
    keep: (captureId, judged) => {
      kept.set(captureId, judged);
      const [oldest] = kept.keys();
      if (kept.size > MOST_KEPT) kept.delete(oldest!);
      // A process that is to end does not wait for it.
      setTimeout(() => kept.delete(captureId), KEPT_MS).unref();
    },
    take: (captureId) => {
      const judged = kept.get(captureId) ?? null;
      kept.delete(captureId);
      return judged;
    },
  };
}
