// API keys as text: their format, their hash, and how they arrive in an Authorization header. Pure.
import { randomBytes } from 'node:crypto';
import { decodeToken, encodeToken, type TokenFormat, tokenLength } from '../base/checked-token.ts';
import { hashSecret } from '../base/secrets.ts';

const LIVE: TokenFormat = { prefix: 'lk_live_', partBytes: [32] };
const TEST: TokenFormat = { prefix: 'lk_test_', partBytes: [32] };
/** A header longer than this cannot hold a key: `Basic ` + base64 of a key, a colon and a password part. */
const MAX_HEADER_CHARS = 1024;

/** An API key whose format and checksum are right. Only the database knows whether it is in force. */
export interface ApiKeyText {
  readonly text: string;
  readonly sandbox: boolean;
}

/** Makes a new key: `lk_live_` or `lk_test_`, 256 random bits in base62, checksum; 57 characters. */
export function generateApiKey(sandbox: boolean): ApiKeyText {
  return { text: encodeToken(sandbox ? TEST : LIVE, [randomBytes(32)]), sandbox };
}

/** Reads a key strictly; undefined for anything but a well-formed one. Needs no database: secret scanners can use it. */
export function parseApiKey(text: string): ApiKeyText | undefined {
  if (decodeToken(LIVE, text)) return { text, sandbox: false };
  if (decodeToken(TEST, text)) return { text, sandbox: true };
  return undefined;
}

/** What is stored instead of the key. Not slow: every request is checked against it. */
export function hashApiKey(key: ApiKeyText): Buffer {
  return hashSecret(key.text);
}

/** What lists show so that people can tell keys apart: prefix and last four characters, which are checksum alone. */
export function hintOfApiKey(key: ApiKeyText): string {
  return `${key.text.slice(0, LIVE.prefix.length)}…${key.text.slice(-4)}`;
}

/**
 * Takes the key out of an `Authorization` header in both forms found in the wild: `Basic KEY`, and `Basic base64(KEY:)`
 * as `curl -u KEY:` sends it (a password part is ignored). Undefined for anything else.
 */
export function readAuthorization(header: string | undefined): ApiKeyText | undefined {
  if (!header || header.length > MAX_HEADER_CHARS) return undefined;
  const credentials = /^basic +(\S+)$/i.exec(header.trim())?.[1];
  if (!credentials) return undefined;
  const raw = parseApiKey(credentials);
  // No base64 form of a key looks like a key: base64 has no underscore.
  if (raw || !/^[A-Za-z0-9+/]+={0,2}$/.test(credentials)) return raw;
  const decoded = Buffer.from(credentials, 'base64').toString('latin1');
  return decoded[tokenLength(LIVE)] === ':' ? parseApiKey(decoded.slice(0, tokenLength(LIVE))) : undefined;
}
