// Which text a person is asked to consent to: the page's own, and the part that a client of the account adds to it.
import { createHash } from 'node:crypto';
import type { ClientWords } from '../challenge.ts';

/** Version of the page's own privacy text (web/capture/messages). Change it with the text. */
export const CONSENT_TEXT_VERSION = '2026-11-27.2';

/**
 * Hexadecimal digits of the SHA-256 of a client's text in a version: enough that no two texts of a client share them.
 */
const HASH_DIGITS = 16;

/**
 * Version of the text that the page shows with these words, as every consent records it: the version of the page's own
 * text and, if the client adds one, `+` and the start of the SHA-256 of its UTF-8 bytes.
 */
export function consentTextVersion(words?: Pick<ClientWords, 'consentText'>): string {
  const text = words?.consentText ?? null;
  return text === null ? CONSENT_TEXT_VERSION : `${CONSENT_TEXT_VERSION}${suffixOf(text)}`;
}

/**
 * Whether a consent to this version also covers the client's text. The page's own version may be the previous one,
 * because some people are in the middle of a check when it is replaced.
 */
export function coversClientText(version: string, words?: Pick<ClientWords, 'consentText'>): boolean {
  const text = words?.consentText ?? null;
  return text === null || version.endsWith(suffixOf(text));
}

const suffixOf = (text: string): string =>
  `+${createHash('sha256').update(text).digest('hex').slice(0, HASH_DIGITS)}`;
