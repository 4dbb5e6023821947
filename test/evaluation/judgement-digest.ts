// All that a judgement says, its times of computing apart, as one hash: two judgements are equal when these are.
import { createHash } from 'node:crypto';
import { serialize } from 'node:v8';
import type { Judgement } from '../../src/evaluation/judge.ts';

/** SHA-256 in hex. */
export function digestOf(judgement: Judgement): string {
  const said = judgement.status === 'judged' ? { ...judgement, timingsMs: null } : judgement;
  return createHash('sha256').update(serialize(said)).digest('hex');
}
