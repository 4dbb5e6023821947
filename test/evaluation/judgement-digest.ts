// Everything in a judgement, except its computing times, as one hash: two judgements are equal if their hashes are.
import { createHash } from 'node:crypto';
import type { Judgement } from '../../src/evaluation/judge.ts';

/**
 * SHA-256 in hex, of the values and not of their representation in the engine: the same number may be stored as an
 * integer or a double, depending on earlier computations.
 */
export function digestOf(judgement: Judgement): string {
  const said = judgement.status === 'judged' ? { ...judgement, timingsMs: null } : judgement;
  const bytesAsText = (_: string, value: unknown) =>
    ArrayBuffer.isView(value)
      ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
      : value;
  return createHash('sha256').update(JSON.stringify(said, bytesAsText)).digest('hex');
}
