// From a challenge link to the challenge: whether it is known, still open and started, and whether this is its device.
import { areEqualSecrets, hashSecret } from '../../base/secrets.ts';
import { DEVICE_TOKEN_PATTERN } from '../../contract/capture-page.ts';
import type { ChallengeStatus } from '../../contract/states.ts';
import { isClosed } from '../lifecycle.ts';
import type { ChallengeParts } from '../parts.ts';
import { openRequest } from '../seals.ts';
import type { DeadLink, FlowConflict, Link, NotFound } from '../services.ts';
import type { LinkedChallenge } from '../tables/reads.ts';
import type { ChallengeStore } from '../tables/store.ts';
import { isUploadComplete, pageStyleOf } from './capture-state.ts';

const LINK_TOKEN = /^[A-Za-z0-9_-]{43}$/;
const DEVICE_TOKEN = new RegExp(DEVICE_TOKEN_PATTERN);

type Parts = Pick<ChallengeParts, 'store' | 'custody'>;

export interface Linked {
  readonly status: 'ok';
  readonly linked: LinkedChallenge;
}

/** The challenge of a link, whatever its state. */
export async function findLinked(store: ChallengeStore, link: Link): Promise<Linked | NotFound> {
  // A malformed token is not looked up, however long it is.
  const linked = LINK_TOKEN.test(link.token) && (await store.findByLink(hashSecret(link.token)));
  return linked ? { status: 'ok', linked } : { status: 'not_found' };
}

/** The challenge of a link that still works. A capture that arrived in time keeps it open past the deadline. */
export async function findAlive(parts: Parts, link: Link): Promise<Linked | DeadLink> {
  const found = await findLinked(parts.store, link);
  return found.status === 'ok' ? ((await deadLink(parts, found.linked)) ?? found) : found;
}

/** The challenge of a link on the device that started it, whatever its state. */
export async function findOwn(store: ChallengeStore, link: Link): Promise<Linked | NotFound | FlowConflict> {
  const found = await findLinked(store, link);
  if (found.status !== 'ok') return found;
  return deviceConflict(found.linked, link) ?? found;
}

/** The challenge of a link on its own device, open for the next step of the capture flow. */
export async function findReady(parts: Parts, link: Link): Promise<Linked | DeadLink | FlowConflict> {
  const found = await findAlive(parts, link);
  if (found.status !== 'ok') return found;
  const conflict = deviceConflict(found.linked, link);
  if (conflict) return conflict;
  if (found.linked.challenge.status === 'processing') return { status: 'conflict', code: 'processing' };
  return found;
}

/** The hash of a device token; null if it is missing or malformed. */
export function deviceHash(device: string | undefined): Buffer | null {
  return device !== undefined && DEVICE_TOKEN.test(device) ? hashSecret(device) : null;
}

/**
 * The status that closes the link; null while it is open. Does not rely on the sweep, which may lag behind the clock.
 */
export function closedStatus({ challenge, capture, expired }: LinkedChallenge): ChallengeStatus | null {
  if (isClosed(challenge.status)) return challenge.status;
  const isAccepted = challenge.status === 'processing' || (capture !== null && isUploadComplete(capture));
  return expired && !isAccepted ? 'expired' : null;
}

/** Why the link no longer works; null if it does. */
async function deadLink(parts: Parts, linked: LinkedChallenge): Promise<DeadLink | null> {
  const current = closedStatus(linked);
  if (!current) return null;
  const { flow } = await openRequest(parts.custody, linked.challenge);
  const { style, exit_redirect_url, alternative_url = null, words = linked.account } = flow;
  const account = { display_name: words.displayName };
  const owner = { account, style: pageStyleOf(style), exit_redirect_url, alternative_url };
  return { status: 'closed', current, owner };
}

export function deviceConflict({ challenge }: LinkedChallenge, link: Link): FlowConflict | null {
  const bound = challenge.deviceTokenHash;
  if (!bound) return { status: 'conflict', code: 'not_started' };
  const given = deviceHash(link.device);
  return given && areEqualSecrets(given, bound) ? null : { status: 'conflict', code: 'other_device' };
}
