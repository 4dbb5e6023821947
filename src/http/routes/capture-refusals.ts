// How the capture page's calls are refused: links that lead nowhere, and steps that are not possible now.
import type { FastifyReply } from 'fastify';
import type { DeadLink, FlowConflict, Unavailable } from '../../challenge/services.ts';
import type { ProblemKind } from '../../contract/problem.ts';

/** Enough for some judgements (about one a second per worker). A full disk or quota is retried at the same interval. */
const RETRY_UNAVAILABLE_SECONDS = 10;

const UNAVAILABLE: Readonly<Record<Unavailable['because'], { kind: ProblemKind; detail: string }>> = {
  queue_full: { kind: 'saturated', detail: 'Too many recordings are waiting for judgement.' },
  storage_full: { kind: 'storage-unavailable', detail: 'There is no storage for recordings right now.' },
  account_full: { kind: 'storage-quota', detail: 'The account has no storage left for recordings.' },
};

/** What each conflict says. */
export const CONFLICTS: Readonly<Record<FlowConflict['code'], string>> = {
  other_device: 'This link was opened on another device.',
  not_started: 'The check has not been started.',
  processing: 'The capture is being judged.',
  consent_required: 'Consent is required first.',
  consent_not_required: 'This challenge does not ask for consent.',
  capture_under_way:
    'A recording is in progress. A new one can begin once it has been sent or its time is over.',
  other_script: 'The prompts are not those that were issued, or were shown for too short or too long a time.',
  no_tries_left: 'No tries are left.',
  capture_not_open: 'This capture accepts no more data.',
  commit_too_late: 'The end of the recording was announced too late.',
  slice_too_late: 'A slice was announced too late.',
  slice_too_early: 'A slice was announced before it can have been recorded.',
  too_many_chunks: 'The recording was sent in too many small pieces.',
  too_large: 'The recording is too large.',
  hash_mismatch: 'The recording is not the one that was announced.',
  way_not_open: 'The client does not allow this to be left out.',
  passkey_not_asked: 'No passkey is asked for, or the recording is over without one.',
  sandbox: 'A sandbox challenge accepts no recording.',
};

/** Answers a request to a dead link, or a step that the challenge's state does not allow. */
export function refuseStep(
  reply: FastifyReply,
  outcome: DeadLink | FlowConflict | Unavailable,
): FastifyReply {
  switch (outcome.status) {
    case 'unavailable': {
      const { kind, detail } = UNAVAILABLE[outcome.because];
      return reply.problem(kind, { detail, retryAfterSeconds: RETRY_UNAVAILABLE_SECONDS });
    }
    case 'not_found':
      return reply.problem('not-found');
    case 'closed':
      return reply.problem('gone', {
        detail: `The challenge is ${outcome.current}.`,
        extensions: { closed: outcome.current },
      });
    case 'conflict':
      return reply.problem('state-conflict', {
        detail: CONFLICTS[outcome.code],
        extensions: { conflict: outcome.code },
        ...(outcome.retryAfterSeconds !== undefined && { retryAfterSeconds: outcome.retryAfterSeconds }),
      });
  }
}
