// Where a body stops being JSON, for whoever has to find it.
import { createScanner, type ParseError, parse, printParseErrorCode } from 'jsonc-parser';

/** As strict as JSON itself. */
const STRICT = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false } as const;
/** Deeper than any request. The parser calls itself for each level, and some thousands would exhaust the stack. */
const MAX_DEPTH = 100;

/** What is wrong with a body that is no JSON, without repeating any of it. */
export function whyMalformed(text: string): string {
  if (isDeeperThan(text, MAX_DEPTH)) return 'The body is not JSON, and nested too deeply to say where.';
  const errors: ParseError[] = [];
  parse(text, errors, STRICT);
  const [first] = errors;
  if (!first) return 'The body has a key that names an object prototype.';
  const before = text.slice(0, first.offset).split('\n');
  const place = `line ${before.length}, column ${before.at(-1)!.length + 1}`;
  // `PropertyNameExpected` → "property name expected".
  const what = printParseErrorCode(first.error)
    .replace(/\B[A-Z]/g, ' $&')
    .toLowerCase();
  return `The body is not JSON: ${what} at ${place}.`;
}

/** Whether more than `limit` brackets are open at once. */
function isDeeperThan(text: string, limit: number): boolean {
  const scanner = createScanner(text);
  let depth = 0;
  while (depth <= limit && scanner.getPosition() < text.length) {
    scanner.scan();
    // A bracket within a text is part of a longer token.
    const sign = scanner.getTokenLength() === 1 ? text[scanner.getTokenOffset()] : null;
    if (sign === '{' || sign === '[') depth += 1;
    if (sign === '}' || sign === ']') depth = Math.max(0, depth - 1);
  }
  return depth > limit;
}
