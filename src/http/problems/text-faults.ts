// Text that JSON can carry but no database row or HTTP header can: NUL and lone surrogates. Refused before any service
// sees the value.
import type { FieldFault } from '../../contract/problem.ts';
import { pointerStep } from './json-pointer.ts';

/** None of our schemas is deeper. They refuse anything below this depth, so it need not be searched. */
const MAX_DEPTH = 12;

// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is what is looked for
const UNSTORABLE = /[\u0000\p{Surrogate}]/u;

/** An `invalid_format` fault for every string with NUL or a lone surrogate, at most `limit` faults. */
export function unstorableText(root: unknown, limit: number): FieldFault[] {
  const faults: FieldFault[] = [];
  const walk = (value: unknown, pointer: string, depth: number): void => {
    if (faults.length >= limit || depth > MAX_DEPTH) return;
    if (typeof value === 'string') {
      if (UNSTORABLE.test(value)) {
        faults.push({
          pointer,
          code: 'invalid_format',
          detail: 'contains a NUL character or a lone surrogate',
        });
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, item] of Object.entries(value)) walk(item, pointer + pointerStep(name), depth + 1);
    }
  };
  walk(root, '', 0);
  return faults;
}
