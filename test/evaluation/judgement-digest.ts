// All that a judgement says, its times of computing apart, as one hash: two judgements are equal when these are.
import { createHash } from 'node:crypto';
import type { Judgement } from '../../src/evaluation/judge.ts';

/**
 * SHA-256 in hex. Of the values, not of how the engine holds them: the same number may lie in memory as an integer or a
 * double, by what was computed before.
 */
export function digestOf(judgement: Judgement): string {
  const said = judgement.status === 'judged' ? { ...judgement, timingsMs: null } : judgement;
  const bytesAsText = (_: string, value: unknown) =>
    ArrayBuffer.isView(value)
      ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
      : value;
  return createHash('sha256').update(JSON.stringify(said, bytesAsText)).digest('hex');
}
