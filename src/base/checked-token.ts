// Tokens that people and programs pass around: a readable prefix, fixed-size binary parts in base62 (a double-click
// selects the whole token), and a checksum that catches typing errors before any look-up.
import { crc32 } from 'node:zlib';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = DIGITS.length;
/** Digit value of each ASCII character; −1 if it is not a digit. */
const VALUES = Int8Array.from({ length: 128 }, (_, code) => DIGITS.indexOf(String.fromCharCode(code)));
/** Digits read per step as a plain number (62^8 < 2^53): BigInt arithmetic is what reading a token costs. */
const CHUNK_DIGITS = 8;
const CHUNKS = Array.from({ length: CHUNK_DIGITS + 1 }, (_, digits) => BigInt(BASE) ** BigInt(digits));
/** 62^6 > 2^32. */
const CHECKSUM_CHARS = 6;

/** Shape of one kind of token. `partBytes` are the sizes of its binary parts, in order. */
export interface TokenFormat {
  readonly prefix: string;
  readonly partBytes: readonly number[];
}

/** Number of base62 digits that hold `bytes` bytes. */
export function base62Length(bytes: number): number {
  return Math.ceil((bytes * 8) / Math.log2(BASE));
}

/** Writes bytes as base62, most significant digit first, in {@link base62Length} digits. */
export function toBase62(bytes: Uint8Array): string {
  let value = BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`);
  let text = '';
  for (let index = base62Length(bytes.length); index > 0; index--) {
    text = DIGITS[Number(value % CHUNKS[1]!)] + text;
    value /= CHUNKS[1]!;
  }
  return text;
}

/** Reads the output of {@link toBase62}; undefined for anything else, including another spelling of the same bytes. */
export function fromBase62(text: string, bytes: number): Buffer | undefined {
  if (text.length !== base62Length(bytes)) return undefined;
  let value = 0n;
  for (let from = 0; from < text.length; from += CHUNK_DIGITS) {
    const to = Math.min(text.length, from + CHUNK_DIGITS);
    let chunk = 0;
    for (let at = from; at < to; at++) {
      const digit = VALUES[text.charCodeAt(at)] ?? -1;
      if (digit < 0) return undefined;
      chunk = chunk * BASE + digit;
    }
    value = value * CHUNKS[to - from]! + BigInt(chunk);
  }
  if (value >> BigInt(bytes * 8)) return undefined;
  return Buffer.from(value.toString(16).padStart(bytes * 2, '0'), 'hex');
}

/** Length of every token of a format, in characters. */
function tokenLength(format: TokenFormat): number {
  const parts = format.partBytes.reduce((sum, bytes) => sum + base62Length(bytes), 0);
  return format.prefix.length + parts + CHECKSUM_CHARS;
}

/** Encodes a token: the prefix, then the parts and the CRC-32 of all before it, in base62. */
export function encodeToken(format: TokenFormat, parts: readonly Uint8Array[]): string {
  const body = format.prefix + parts.map(toBase62).join('');
  return body + checksum(body);
}

/**
 * Decodes a token strictly: undefined for anything that {@link encodeToken} would not have written. A CRC-32 detects
 * every change of up to four neighbouring characters, and any other with probability 1 − 2^-32. It guards against
 * typing errors, not against forgery.
 */
export function decodeToken(format: TokenFormat, text: string): Buffer[] | undefined {
  if (text.length !== tokenLength(format) || !text.startsWith(format.prefix)) return undefined;
  const body = text.slice(0, -CHECKSUM_CHARS);
  if (checksum(body) !== text.slice(-CHECKSUM_CHARS)) return undefined;
  const parts: Buffer[] = [];
  let at = format.prefix.length;
  for (const bytes of format.partBytes) {
    const length = base62Length(bytes);
    const part = fromBase62(body.slice(at, at + length), bytes);
    if (!part) return undefined;
    parts.push(part);
    at += length;
  }
  return parts;
}

function checksum(body: string): string {
  let value = crc32(body);
  let text = '';
  for (let index = 0; index < CHECKSUM_CHARS; index++) {
    text = DIGITS[value % BASE] + text;
    value = Math.floor(value / BASE);
  }
  return text;
}
