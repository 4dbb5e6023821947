// Range headers with one byte range (RFC 9110 §14.2). A request for several ranges gets the whole.

import type { ByteRange } from '../../base/sized-bytes.ts';

/** Reads a Range header for content of this length. One that is malformed or starts past the end gives the whole. */
export function readRange(header: string | undefined, length: number): ByteRange | 'whole' {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '');
  const [, first = '', last = ''] = match ?? [];
  if (first === '' && last === '') return 'whole';
  if (first === '') {
    const count = Math.min(Number(last), length);
    return count === 0 ? 'whole' : { from: length - count, to: length - 1 };
  }
  const from = Number(first);
  if (from >= length || (last !== '' && Number(last) < from)) return 'whole';
  return { from, to: last === '' ? length - 1 : Math.min(Number(last), length - 1) };
}
