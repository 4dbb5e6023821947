// API keys as text: their format, their hash, and their forms in an Authorization header. Pure.
import { randomBytes } from 'node:crypto';
import { decodeToken, encodeToken, type TokenFormat } from '../base/checked-token.ts';
import { hashSecret } from '../base/secrets.ts';

/**
 * What a key's prefix tells whoever meets it in a log, a file or a list: `live` and `dev` keys judge people, in
 * production and in development; `test` keys belong to a sandbox, where nobody is judged. They have one prefix in
 * both modes: a development key that is left in production would let people in, and a test key lets nobody in.
 */
export type KeyKind = 'live' | 'dev' | 'test';

const FORMATS: Readonly<Record<KeyKind, TokenFormat>> = {
  live: { prefix: 'lk_live_', partBytes: [32] },
  dev: { prefix: 'lk_live_dev_', partBytes: [32] },
  test: { prefix: 'lk_test_', partBytes: [32] },
};
const KINDS = Object.keys(FORMATS) as KeyKind[];
/** A header longer than this cannot hold a key: `Basic ` + base64 of a key, a colon and a password part. */
const MAX_HEADER_CHARS = 1024;

/** An API key whose format and checksum are valid. Only the database knows whether it is in force. */
export interface ApiKeyText {
  readonly text: string;
  readonly sandbox: boolean;
}

/** Makes a new key: its kind's prefix, 256 random bits in base62, checksum; 57 characters, or 61 in development. */
export function generateApiKey(kind: KeyKind): ApiKeyText {
  return { text: encodeToken(FORMATS[kind], [randomBytes(32)]), sandbox: kind === 'test' };
}

/** Parses a key strictly; undefined if it is not well-formed. Needs no database, so that secret scanners can use it. */
export function parseApiKey(text: string): ApiKeyText | undefined {
  const kind = KINDS.find((each) => decodeToken(FORMATS[each], text));
  return kind && { text, sandbox: kind === 'test' };
}

/** What is stored instead of the key. A fast hash, because every request is checked against it. */
export function hashApiKey(key: ApiKeyText): Buffer {
  return hashSecret(key.text);
}

/**
 * What lists show so that people can tell keys apart: the prefix and the last four characters, which are only checksum.
 */
export function hintOfApiKey(key: ApiKeyText): string {
  return `${key.text.slice(0, key.text.lastIndexOf('_') + 1)}…${key.text.slice(-4)}`;
}

/**
 * Extracts the key from an `Authorization` header in both forms found in the wild: `Basic KEY`, and `Basic
 * base64(KEY:)` as sent by `curl -u KEY:` (a password part is ignored). Undefined for anything else.
 */
export function readAuthorization(header: string | undefined): ApiKeyText | undefined {
  if (!header || header.length > MAX_HEADER_CHARS) return undefined;
  const credentials = /^basic +(\S+)$/i.exec(header.trim())?.[1];
  if (!credentials) return undefined;
  const raw = parseApiKey(credentials);
  // No base64 form of a key looks like a key: base64 has no underscore.
  if (raw || !/^[A-Za-z0-9+/]+={0,2}$/.test(credentials)) return raw;
  const decoded = Buffer.from(credentials, 'base64').toString('latin1');
  const end = decoded.indexOf(':');
  return end < 0 ? undefined : parseApiKey(decoded.slice(0, end));
}
