// Where a body stops being JSON, for whoever has to find it.
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';

/** As strict as JSON itself. */
const STRICT = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false } as const;

/** What is wrong with a body that is no JSON, without repeating any of it. */
export function whyMalformed(text: string): string {
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
