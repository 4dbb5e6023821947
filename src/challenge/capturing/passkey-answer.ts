// The device's answer about a recording: the last part of an upload whose device was asked.
import type { PasskeyAnswer } from '../../contract/device.ts';
import type { ChallengeParts } from '../parts.ts';
import { sealPasskeyAnswer } from '../seals.ts';
import type { Link, UploadOutcome } from '../services.ts';
import { waitsForPasskey } from './passkey-ask.ts';
import { afterCommit, type Finish, findOwnCapture, outcomeNow } from './upload-standing.ts';

type Parts = Pick<ChallengeParts, 'store' | 'custody'>;

/** Takes the device's answer about a committed recording. If every byte has arrived already, this submits the capture. */
export async function answerPasskey(
  parts: Parts,
  finish: Finish,
  link: Link,
  captureId: string,
  answer: PasskeyAnswer,
): Promise<UploadOutcome> {
  const own = await findOwnCapture(parts, link, captureId);
  if (own.status !== 'ok') return own;
  const sealed = await sealPasskeyAnswer(parts.custody, own.challenge, captureId, { answer });
  if (!(await parts.store.answerPasskey(captureId, sealed))) {
    const now = await outcomeNow(parts, link, captureId);
    const isAnswered = own.capture.asksPasskey && !waitsForPasskey(own.capture);
    // The same answer again, because the response to the first was lost.
    if (now.status !== 'wrong_offset' || isAnswered) return now;
    return { status: 'conflict', code: 'passkey_not_asked' };
  }
  const now = await findOwnCapture(parts, link, captureId);
  return now.status === 'ok' ? afterCommit(parts, finish, link, now.capture) : now;
}
