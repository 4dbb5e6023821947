// The signed receipt of a completed challenge, made from its stored result on every read.
import { createHash } from 'node:crypto';
import {
  RECEIPT_ALGORITHM,
  RECEIPT_FORMAT,
  RECEIPT_TYPE,
  type Receipt,
  type ReceiptFacts,
} from '../../contract/receipt.ts';
import type { Challenge, StoredResult } from '../challenge.ts';
import type { ChallengeParts } from '../parts.ts';
import { openResult } from '../seals.ts';
import type { Caller, ReceiptOutcome } from '../services.ts';

export async function readReceipt(
  parts: Pick<ChallengeParts, 'store' | 'custody' | 'receiptKeys' | 'settings'>,
  { accountId, actor }: Caller,
  challengeId: string,
): Promise<ReceiptOutcome> {
  const challenge = await parts.store.find(accountId, challengeId);
  if (!challenge) return { status: 'not_found' };
  const { status, sealedResult } = challenge;
  if (status !== 'completed' || !sealedResult) return { status: 'not_completed', current: status };
  if (challenge.sandbox) return { status: 'none', because: 'sandbox' };
  const result = await openResult(parts.custody, challenge, sealedResult);
  if (!result.receipt) return { status: 'none', because: 'not_judged' };
  const payload = payloadOf(parts.settings.baseUrl, challenge, result, result.receipt);
  const header = { alg: RECEIPT_ALGORITHM, typ: RECEIPT_TYPE };
  const receipt = await parts.receiptKeys.sign(payload, header);
  await parts.store.auditRead({ actor, action: 'challenge.receipt_read', accountId, subject: challengeId });
  return { status: 'ok', receipt };
}

/** Contains nothing that depends on when it is read: the receipt is the same each time, until the keys are rotated. */
function payloadOf(
  iss: string,
  { id, closedAt, overallResult, request }: Challenge,
  { cues, compared, sources, liveness_featid, device, level }: StoredResult,
  { video, inputs, engine, values }: ReceiptFacts,
): Receipt {
  const hashed = (featid: string) => createHash('sha256').update(`${id}\n${featid}`).digest('hex');
  return {
    iss,
    iat: Math.floor(closedAt!.getTime() / 1000),
    format: RECEIPT_FORMAT,
    challenge_id: id,
    overall_result: overallResult!,
    liveness_level: level ?? request.liveness_level,
    liveness_featid_sha256: liveness_featid && hashed(liveness_featid),
    compared:
      compared?.map(({ featid, score, result }, at) => ({
        featid_sha256: hashed(featid),
        source: sources[at]!,
        score,
        result,
      })) ?? null,
    ...(device && { device_result: device }),
    video,
    inputs,
    engine,
    values: { ...values, cues: [...(cues.cues ?? [])] },
  };
}
