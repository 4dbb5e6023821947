// What the waiting page learns: still being judged, another try, done, too late, or cancelled. Never pass or fail.
import type { CaptureOutcome } from '../../contract/capture-page.ts';
import { readUntil } from '../../storage/postgres/coordination/notifier.ts';
import type { ChallengeParts } from '../parts.ts';
import { openRequest } from '../seals.ts';
import type { AwaitedOutcome, Link } from '../services.ts';
import { MAX_TRIES } from '../settings.ts';
import type { LinkedChallenge } from '../tables/reads.ts';
import { findLinked, findOwn, type Linked } from './link.ts';

/**
 * Time of one judgement, from job to result. A target for two cores, not a measurement; bench/RESULTS.md has
 * measurements.
 */
const JUDGEMENT_MS = 1_000;

export async function awaitOutcome(
  parts: Pick<ChallengeParts, 'store' | 'custody' | 'notifier'>,
  link: Link,
  waitMs: number,
  signal?: AbortSignal,
): Promise<AwaitedOutcome> {
  const own = await findOwn(parts.store, link);
  if (own.status !== 'ok') return own;
  const ended =
    isJudged(own) || waitMs <= 0
      ? own
      : await readUntil(
          { notifier: parts.notifier, id: own.linked.challenge.id, timeoutMs: waitMs, signal },
          () => findLinked(parts.store, link),
          (found) => found.status !== 'ok' || isJudged(found),
        );
  if (ended.status !== 'ok') return ended;
  return { status: 'ok', outcome: await outcomeOf(parts, ended.linked) };
}

const isJudged = ({ linked }: Linked): boolean => linked.challenge.status !== 'processing';

async function outcomeOf(
  parts: Pick<ChallengeParts, 'store' | 'custody'>,
  { challenge, capture, expired }: LinkedChallenge,
): Promise<CaptureOutcome> {
  const nothing = { retry: null, redirect_url: null, estimate_ms: 0 };
  switch (challenge.status) {
    case 'processing': {
      const ahead = capture ? await parts.store.countAhead(capture.id) : 0;
      return { ...nothing, status: 'processing', estimate_ms: (ahead + 1) * JUDGEMENT_MS };
    }
    case 'completed': {
      const { flow } = await openRequest(parts.custody, challenge);
      return { ...nothing, status: 'done', redirect_url: flow.exit_redirect_url };
    }
    case 'expired':
    case 'cancelled':
      return { ...nothing, status: challenge.status };
    case 'created':
    case 'initiated': {
      if (expired) return { ...nothing, status: 'expired' };
      const reason = capture?.rejectedReason;
      const retry = reason ? { reason, tries_left: MAX_TRIES - challenge.triesUsed } : null;
      return { ...nothing, status: 'retry', retry };
    }
  }
}
