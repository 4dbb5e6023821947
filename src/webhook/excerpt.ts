// The excerpt that is kept of a receiver's answer, to tell its owner what went wrong.
import { escapeMarkup } from '../base/escape-markup.ts';

/** Length of an excerpt in characters: enough for an error message, too short for a page. */
export const EXCERPT_CHARACTERS = 1_000;

/**
 * Control characters, invalid UTF-8, and characters that change the direction of the text around an excerpt in a list.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is to be replaced
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\ufffd\u202a-\u202e\u2066-\u2069]+/g;

/**
 * The beginning of an answer as text, with secrets redacted (a receiver may echo its request) and control characters
 * replaced by spaces. Null if it is empty.
 * @param secrets strings that must not appear, in any usual encoding; short ones are redacted too
 */
export function excerptOf(body: Buffer, secrets: readonly string[]): string | null {
  let text = body.toString('utf8');
  for (const secret of spellings(secrets)) text = text.replaceAll(secret, '[redacted]');
  const printable = text.replace(UNPRINTABLE, ' ').trim();
  return printable === ''
    ? null
    : [...printable.slice(0, 2 * EXCERPT_CHARACTERS)].slice(0, EXCERPT_CHARACTERS).join('');
}

/** Secrets in plain text, JSON, URL, HTML and base64 spelling; longest first, so that none leaves a part of another. */
function spellings(secrets: readonly string[]): string[] {
  const all = secrets
    .filter((secret) => secret !== '')
    .flatMap((secret) => [secret, Buffer.from(secret).toString('base64')])
    .flatMap((secret) => [
      secret,
      ...inJson(secret),
      encodeURIComponent(secret),
      encodeURIComponent(secret).replace(/%../g, (byte) => byte.toLowerCase()),
      new URLSearchParams([['', secret]]).toString().slice(1),
      escapeMarkup(secret),
    ]);
  return [...new Set(all)].sort((a, b) => b.length - a.length);
}

/** The standard JSON spelling, that of PHP's json_encode, and the HTML-safe ones of Gson and .NET. */
function inJson(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const codeOf = (character: string) => `\\u00${character.charCodeAt(0).toString(16)}`;
  const upper = (character: string) => `\\u00${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return [
    json,
    json.replaceAll('/', '\\/'),
    json.replace(/[<>&=']/g, codeOf),
    json.replace(/[<>&+'`]/g, upper),
  ];
}
