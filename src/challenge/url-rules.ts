// Which client-given URLs a challenge may carry. Addresses are not looked up here: that is the guarded fetch's, at
// connect time.
import type { FieldFault } from '../contract/problem.ts';

/** Schemes that run or read something in the browser that opens them (contract §2). */
const REFUSED_EXIT_SCHEMES: readonly string[] = [
  'javascript:',
  'data:',
  'vbscript:',
  'file:',
  'blob:',
  'about:',
  'intent:',
  'filesystem:',
  'view-source:',
];

/** WHATWG parsers drop tabs and newlines silently; no honest URL has any control character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f]/;

/** Faults of an http(s) URL that the server calls or the page links to. */
export function webUrlFaults(
  text: string,
  pointer: string,
  options: { httpsOnly?: boolean } = {},
): FieldFault[] {
  const url = parse(text);
  if (!url) return [fault(pointer, 'invalid_url', 'is not a valid absolute URL')];
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return [fault(pointer, 'url_scheme_not_allowed', 'must be an http or https URL')];
  }
  if (hasUserinfo(url)) return [fault(pointer, 'invalid_url', 'must not carry a user name or password')];
  if (options.httpsOnly && url.protocol !== 'https:') {
    return [fault(pointer, 'https_required', 'must be an https URL')];
  }
  return [];
}

/** Faults of `exit_redirect_url`: http(s), or a scheme of an app's own. */
export function exitUrlFaults(text: string, pointer: string): FieldFault[] {
  const url = parse(text);
  if (!url) return [fault(pointer, 'invalid_url', 'is not a valid absolute URL')];
  if (REFUSED_EXIT_SCHEMES.includes(url.protocol)) {
    return [fault(pointer, 'url_scheme_not_allowed', `the scheme ${url.protocol} is not allowed`)];
  }
  if (hasUserinfo(url)) return [fault(pointer, 'invalid_url', 'must not carry a user name or password')];
  return [];
}

function parse(text: string): URL | null {
  return !CONTROL_CHARACTER.test(text) && URL.canParse(text) ? new URL(text) : null;
}

const hasUserinfo = (url: URL): boolean => url.username !== '' || url.password !== '';

function fault(pointer: string, code: FieldFault['code'], detail: string): FieldFault {
  return { pointer, code, detail };
}
