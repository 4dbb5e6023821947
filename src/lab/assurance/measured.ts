// Section 2 whole: every published figure, the worst of each area first, and then what is not there.
import type { MeasuredRow } from './contents.ts';
import { publishedRows, type Running } from './published.ts';
import { type RunningRecogniser, recognitionRows } from './recognition-rows.ts';

const AREAS: readonly MeasuredRow['area'][] = ['injection', 'presentation', 'bona fide', 'recognition'];

/** `root` is the folder that holds the published files; default: that of this code. */
export function measuredRows(running: Running & RunningRecogniser, root?: string): MeasuredRow[] {
  const rows = [...publishedRows(running, root), ...recognitionRows(running)];
  return rows.toSorted(
    (one, other) =>
      AREAS.indexOf(one.area) - AREAS.indexOf(other.area) || (other.rate ?? -1) - (one.rate ?? -1),
  );
}
