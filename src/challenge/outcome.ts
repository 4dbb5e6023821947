// What the waiting page is told: still being judged, another try, done, or too late. Never pass or fail.
import { setTimeout as delay } from 'node:timers/promises';
import type { CaptureOutcome } from '../contract/capture-page.ts';
import { findLinked, findOwn } from './link.ts';
import type { ChallengeParts } from './parts.ts';
import type { Link, OutcomeOutcome } from './services.ts';
import { MAX_TRIES } from './settings.ts';
import type { LinkedChallenge } from './store.ts';

/** A waiting page costs five cheap reads a second; a person does not notice less. */
const POLL_MS = 200;
/** One judgement from job to result (issue 2 aims at a median of 1.0 s alone on 2 cores). */
const JUDGEMENT_MS = 1_000;

export async function awaitOutcome(
  parts: Pick<ChallengeParts, 'store'>,
  link: Link,
  waitMs: number,
  signal?: AbortSignal,
): Promise<OutcomeOutcome> {
  const own = await findOwn(parts.store, link);
  if (own.status !== 'ok') return own;
  let { linked } = own;
  const until = performance.now() + waitMs;
  while (linked.challenge.status === 'processing' && performance.now() < until && !signal?.aborted) {
    await delay(Math.min(POLL_MS, Math.max(1, until - performance.now())));
    const found = await findLinked(parts.store, link);
    if (found.status !== 'ok') return found;
    linked = found.linked;
  }
  return { status: 'ok', outcome: await outcomeOf(parts, linked) };
}

async function outcomeOf(
  parts: Pick<ChallengeParts, 'store'>,
  { challenge, capture, expired }: LinkedChallenge,
): Promise<CaptureOutcome> {
  const nothing = { retry: null, redirect_url: null, estimate_ms: 0 };
  switch (challenge.status) {
    case 'processing': {
      const ahead = capture ? await parts.store.countAhead(capture.id) : 0;
      return { ...nothing, status: 'processing', estimate_ms: (ahead + 1) * JUDGEMENT_MS };
    }
    case 'completed':
      return { ...nothing, status: 'done', redirect_url: challenge.flow.exit_redirect_url };
    case 'expired':
    case 'cancelled':
      return { ...nothing, status: 'expired' };
    case 'created':
    case 'initiated': {
      if (expired) return { ...nothing, status: 'expired' };
      const reason = capture?.rejectedReason;
      const retry = reason ? { reason, tries_left: MAX_TRIES - challenge.triesUsed } : null;
      return { ...nothing, status: 'retry', retry };
    }
  }
}
