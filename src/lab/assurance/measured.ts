// Section 2 whole: every published figure, the worst of each area first, and then what is not there.
import { AREAS, type MeasuredRow } from './contents.ts';
import { publishedRows, type Running } from './published.ts';
import { type RunningRecogniser, recognitionRows } from './recognition-rows.ts';

const ORDER = Object.keys(AREAS);

/** `root` is the folder that holds the published files; default: that of this code. */
export function measuredRows(running: Running & RunningRecogniser, root?: string): MeasuredRow[] {
  const rows = [...publishedRows(running, root), ...recognitionRows(running)];
  return rows.toSorted(
    (one, other) =>
      ORDER.indexOf(one.area) - ORDER.indexOf(other.area) || (other.rate ?? -1) - (one.rate ?? -1),
  );
}
