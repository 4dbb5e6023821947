// Judgements that ended before the person's device answered, kept in the memory of their worker process: the answer
// gets its result at once, and nothing occupies a place meanwhile. If one is lost, its video is judged from the start.
import type { Judged } from './settle.ts';

export interface KeptJudgements {
  keep(captureId: string, judged: Judged): void;
  /** Null if none is kept. */
  find(captureId: string): Judged | null;
  forget(captureId: string): void;
}

/** No face stays in memory for longer. A person's device has as much time, from their tap (web/capture/passkey/options.ts). */
const KEPT_MS = 120_000;
/** The oldest gives way. Each is some 1 MB, its best frame; a hostile video's up to 8 MB. Chosen, not measured. */
const MOST_KEPT = 16;

export function createKeptJudgements(): KeptJudgements {
  const kept = new Map<string, { readonly judged: Judged; readonly timer: NodeJS.Timeout }>();
  const forget = (captureId: string) => {
    clearTimeout(kept.get(captureId)?.timer);
    kept.delete(captureId);
  };
  return {
    keep: (captureId, judged) => {
      forget(captureId);
      // A process that is to end does not wait for it.
      kept.set(captureId, { judged, timer: setTimeout(() => forget(captureId), KEPT_MS).unref() });
      const [oldest] = kept.keys();
      if (kept.size > MOST_KEPT) forget(oldest!);
    },
    find: (captureId) => kept.get(captureId)?.judged ?? null,
    forget,
  };
}
