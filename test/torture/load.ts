// The load of one piece of a run: creates, captures, cancellings, erasures, and kills among them, until the goals are
// met or the piece's time is over.
import { setTimeout as delay } from 'node:timers/promises';
import { integrator, submitCapture } from './client.ts';
import type { Fact, KillTarget, Ledger, Plan } from './ledger.ts';
import type { World } from './world.ts';

export interface Goals {
  readonly challenges: number;
  readonly kills: number;
  /** Challenges judged to their end; 0 where there is no footage. */
  readonly judged: number;
}

export interface LoadOptions {
  readonly world: World;
  readonly ledger: Ledger;
  readonly apiKey: string;
  readonly receiverUrl: string;
  readonly goals: Goals;
  readonly videos: readonly Uint8Array[];
  /** Mean time between two kills. */
  readonly killEveryMs: number;
  /** Long enough for a capture under kills, short enough to wait for at the end. */
  readonly uploadExpirySeconds: number;
  readonly endAt: number;
}

/** Notifications of each challenge: two receivers of the completion, one of the expiry. */
export const NOTIFICATIONS = { complete: 2, expired: 1 } as const;

const CREATORS = 4;
const UPLOADERS = 3;
const MAX_EXPIRY_SECONDS = 25;

type Created = Extract<Fact, { kind: 'created' }>;

/** Runs until the goals are met or the time is over; answers whether they are met. */
export async function runLoad(options: LoadOptions): Promise<boolean> {
  const { ledger, goals } = options;
  const waiting: Created[] = [];
  const met = () =>
    ledger.count('created') >= goals.challenges &&
    ledger.count('killed') >= goals.kills &&
    ledger.judged() >= goals.judged;
  const isOver = () => met() || Date.now() > options.endAt;
  await Promise.all([
    ...Array.from({ length: CREATORS }, () => createMany(options, waiting, isOver)),
    ...Array.from({ length: UPLOADERS }, () => uploadMany(options, waiting, isOver)),
    killMany(options, isOver),
  ]);
  return met();
}

/** In step with the kills, so that every kind of moment is hit. */
function share(options: LoadOptions): number {
  const { ledger, goals } = options;
  return goals.kills === 0 ? 1 : (ledger.count('killed') + 1) / goals.kills;
}

async function createMany(options: LoadOptions, waiting: Created[], isOver: () => boolean): Promise<void> {
  const { ledger, goals } = options;
  while (!isOver()) {
    const due = Math.min(goals.challenges, share(options) * goals.challenges);
    const wantsUpload =
      waiting.length < UPLOADERS &&
      ledger.judged() + waiting.length < Math.ceil(share(options) * goals.judged);
    if (ledger.count('created') >= due && !wantsUpload) await delay(50);
    else await createOne(options, wantsUpload ? uploadPlan() : otherPlan(), waiting);
  }
}

const uploadPlan = (): Plan => (Math.random() < 0.05 ? 'uploadAndErase' : 'upload');

function otherPlan(): Plan {
  const luck = Math.random();
  if (luck < 0.02) return 'cancel';
  return luck < 0.04 ? 'erase' : 'expire';
}

async function createOne(options: LoadOptions, plan: Plan, waiting: Created[]): Promise<void> {
  const { world, ledger, apiKey, receiverUrl } = options;
  const api = integrator(world.apis, apiKey);
  const uploads = plan === 'upload' || plan === 'uploadAndErase';
  const notification = { type: 'http', properties: { endpoint_url: receiverUrl } };
  const answer = await api.call(
    'POST',
    '/v1/create-challenge',
    {
      liveness_only: true,
      require_consent: false,
      expires_in_seconds: uploads
        ? options.uploadExpirySeconds
        : 1 + Math.floor(Math.random() * MAX_EXPIRY_SECONDS),
      notifications: {
        complete: Array(NOTIFICATIONS.complete).fill(notification),
        expired: Array(NOTIFICATIONS.expired).fill(notification),
      },
    },
    // The same key at every try: what was created behind a lost answer is answered again.
    { 'idempotency-key': crypto.randomUUID() },
  );
  if (answer?.status !== 201) return;
  const { challenge_id: id, challenge_url: url } = answer.body;
  const created: Created = { kind: 'created', id, path: new URL(url).pathname, plan };
  ledger.append(created);
  if (uploads) waiting.push(created);
  if (plan === 'erase') await erase(options, id);
  if (plan !== 'cancel') return;
  const cancelled = await api.call('POST', `/v1/challenges/${id}/cancel`);
  if (cancelled?.status === 200) ledger.append({ kind: 'cancelled', id });
}

async function uploadMany(options: LoadOptions, waiting: Created[], isOver: () => boolean): Promise<void> {
  const { world, ledger, videos } = options;
  while (!isOver()) {
    const next = waiting.shift();
    if (!next) {
      await delay(50);
      continue;
    }
    const video = videos[Math.floor(Math.random() * videos.length)]!;
    if (!(await submitCapture(world.apis, next.path, video, isOver))) continue;
    ledger.append({ kind: 'submitted', id: next.id });
    // In the middle of its judgement, about.
    if (next.plan === 'uploadAndErase')
      await delay(Math.random() * 3_000).then(() => erase(options, next.id));
    else await completed(options, next.id, isOver);
  }
}

/** Waits, so that the judgements under way stay as few as the uploaders. */
async function completed(
  { ledger, uploadExpirySeconds }: LoadOptions,
  id: string,
  isOver: () => boolean,
): Promise<void> {
  const giveUpAt = Date.now() + uploadExpirySeconds * 1_000;
  const isKnown = () => ledger.all('received').some((each) => each.id === id);
  while (!isOver() && Date.now() < giveUpAt && !isKnown()) await delay(200);
}

async function erase({ world, ledger, apiKey }: LoadOptions, id: string): Promise<void> {
  ledger.append({ kind: 'erasing', id });
  const answer = await integrator(world.apis, apiKey).call('DELETE', `/v1/challenges/${id}`);
  if (answer?.status === 204 || answer?.status === 404) ledger.append({ kind: 'erased', id });
}

async function killMany(options: LoadOptions, isOver: () => boolean): Promise<void> {
  const { world, ledger, goals, killEveryMs } = options;
  while (!isOver() && ledger.count('killed') < goals.kills) {
    // Mostly when all are at work again: processes that are killed before they work are hit by nothing. Not always: a
    // second blow during the recovery from the first belongs to it.
    const recovers = Math.random() < 0.8;
    while (recovers && !world.isWhole() && !isOver()) await delay(100);
    await delay(killEveryMs * (0.5 + Math.random()));
    const target = chooseTarget();
    if (!isOver() && world.kill(target)) ledger.append({ kind: 'killed', target });
  }
}

function chooseTarget(): KillTarget {
  const luck = Math.random();
  if (luck < 0.55) return 'api';
  return luck < 0.82 ? 'worker' : 'postgres';
}
