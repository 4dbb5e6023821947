// Section 1: the checks of liveness with their thresholds, as docs/liveness.md lists them. A test holds its names, and what
// each decides, against the code's records.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckFacts } from './contents.ts';
import { ROOT } from './published.ts';
import { readPublishedFile } from './published-tables.ts';

/** Null if the document is not part of this deployment. */
export function publishedChecks(root = ROOT): CheckFacts[] | null {
  const path = join(root, 'docs', 'liveness.md');
  if (!existsSync(path)) return null;
  const { rows } = readPublishedFile(readFileSync(path, 'utf8'));
  const textOf = (cell = '') => cell.replaceAll('`', '');
  return rows('The checks').map((cells) => ({
    check: textOf(cells('check')),
    measures: textOf(cells('measures')),
    passes: textOf(cells('passes')),
    decides: textOf(cells('decides')),
  }));
}
