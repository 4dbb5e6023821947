// The load of one part of a run: creations, captures, cancellations, erasures, and kills among them, until the goals
// are met or the part's time is over.
import { setTimeout as delay } from 'node:timers/promises';
import { integrator, openPage } from './client.ts';
import type { Fact, KillTarget, Ledger, Plan } from './ledger.ts';
import type { Takes } from './videos.ts';
import type { World } from './world.ts';

export interface Goals {
  readonly challenges: number;
  readonly kills: number;
  /** Challenges judged to the end; 0 without footage. */
  readonly judged: number;
}

export interface LoadOptions {
  readonly world: World;
  readonly ledger: Ledger;
  readonly apiKey: string;
  readonly receiverUrl: string;
  readonly goals: Goals;
  /** Null without footage. */
  readonly takes: Takes | null;
  /** Mean time between two kills. */
  readonly killEveryMs: number;
  /** Share of workers among the kills, 0–1. Of the other kills three in four hit an API. */
  readonly workerShare: number;
  /** Captures under way at once: from the opened link to the outcome. */
  readonly captures: number;
  /** Long enough for a capture despite kills, short enough to wait for at the end. */
  readonly uploadExpirySeconds: number;
  readonly endAt: number;
}

/** Notifications of each challenge: two receivers for the completion, one for the expiry. */
export const NOTIFICATIONS = { complete: 2, expired: 1 } as const;

const CREATORS = 4;
const MAX_EXPIRY_SECONDS = 25;
/** Share of the captures whose bytes are sent while they are recorded, as the page does on a good connection. */
const GROWING_SHARE = 0.7;

type Created = Extract<Fact, { kind: 'created' }>;

/** Challenges whose capture is still to come. */
interface Uploads {
  readonly waiting: Created[];
  underWay: number;
  /** Those that are being recorded, with bytes on their way. */
  growing: number;
}

/** Runs until the goals are met or the time is over; returns whether they are met. */
export async function runLoad(options: LoadOptions): Promise<boolean> {
  const { ledger, goals, takes } = options;
  const uploads: Uploads = { waiting: [], underWay: 0, growing: 0 };
  const met = () =>
    ledger.count('created') >= goals.challenges &&
    ledger.count('killed') >= goals.kills &&
    ledger.judged() >= goals.judged;
  const isOver = () => met() || Date.now() > options.endAt;
  await Promise.all([
    ...Array.from({ length: CREATORS }, () => createMany(options, uploads, isOver)),
    ...(takes
      ? Array.from({ length: options.captures }, () => uploadMany(options, takes, uploads, isOver))
      : []),
    killMany(options, uploads, isOver),
  ]);
  // A challenge that nobody continues would delay the end until it expires.
  const ended = endedIds(ledger);
  const left = ledger.all('created').filter(({ id, plan }) => plan.startsWith('upload') && !ended.has(id));
  for (const { id } of left) await cancel(options, id);
  return met();
}

function endedIds(ledger: Ledger): Set<string> {
  const facts = [...ledger.all('received'), ...ledger.all('cancelled'), ...ledger.all('erasing')];
  return new Set(facts.map(({ id }) => id));
}

/** The share of the goals that is due, in step with the kills, so that they hit every kind of moment. */
function share(options: LoadOptions): number {
  const { ledger, goals } = options;
  return goals.kills === 0 ? 1 : (ledger.count('killed') + 1) / goals.kills;
}

async function createMany(options: LoadOptions, uploads: Uploads, isOver: () => boolean): Promise<void> {
  const { ledger, goals } = options;
  while (!isOver()) {
    const due = Math.min(goals.challenges, share(options) * goals.challenges);
    const begun = uploads.waiting.length + uploads.underWay;
    const wantsUpload =
      begun < options.captures && ledger.judged() < Math.ceil(share(options) * goals.judged);
    if (ledger.count('created') >= due && !wantsUpload) await delay(50);
    else await createOne(options, wantsUpload ? uploadPlan() : otherPlan(), uploads);
  }
}

const uploadPlan = (): Plan => (Math.random() < 0.05 ? 'uploadAndErase' : 'upload');

function otherPlan(): Plan {
  const luck = Math.random();
  if (luck < 0.02) return 'cancel';
  return luck < 0.04 ? 'erase' : 'expire';
}

async function createOne(options: LoadOptions, plan: Plan, queue: Uploads): Promise<void> {
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
    // The same key for every retry, so that a creation whose answer was lost is replayed.
    { 'idempotency-key': crypto.randomUUID() },
  );
  if (answer?.status !== 201) return;
  const { challenge_id: id, challenge_url: url } = answer.body;
  const created: Created = { kind: 'created', id, path: new URL(url).pathname, plan };
  ledger.append(created);
  if (uploads) queue.waiting.push(created);
  if (plan === 'erase') await erase(options, id);
  if (plan === 'cancel') await cancel(options, id);
}

/** Refused if the challenge has ended meanwhile. */
async function cancel({ world, ledger, apiKey }: LoadOptions, id: string): Promise<void> {
  const cancelled = await integrator(world.apis, apiKey).call('POST', `/v1/challenges/${id}/cancel`);
  if (cancelled?.status === 200) ledger.append({ kind: 'cancelled', id });
}

async function uploadMany(
  options: LoadOptions,
  takes: Takes,
  uploads: Uploads,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const next = uploads.waiting.shift();
    if (!next) {
      await delay(50);
      continue;
    }
    uploads.underWay += 1;
    await uploadOne(options, takes, next, { uploads, isOver });
    uploads.underWay -= 1;
  }
}

/** As many captures as needed, up to the number that the service allows. */
async function uploadOne(
  options: LoadOptions,
  takes: Takes,
  { id, path, plan }: Created,
  { uploads, isOver }: { uploads: Uploads; isOver: () => boolean },
): Promise<void> {
  const { world, ledger } = options;
  const page = await openPage(world.apis, path);
  while (page && !isOver()) {
    const video = await takes.next();
    const grew = Math.random() < GROWING_SHARE;
    uploads.growing += Number(grew);
    const isSubmitted = await page.submit(video, takes.lengthMs, grew);
    uploads.growing -= Number(grew);
    if (!isSubmitted) {
      // A kill between two steps may make the capture miss its deadline. The challenge's own deadline then ends this.
      if ((await page.outcome()) !== 'retry') return;
      continue;
    }
    ledger.append({ kind: 'submitted', id, grew });
    // Roughly in the middle of its judgement.
    if (plan === 'uploadAndErase') return delay(Math.random() * 3_000).then(() => erase(options, id));
    if ((await page.outcome()) !== 'retry') return;
  }
}

async function erase({ world, ledger, apiKey }: LoadOptions, id: string): Promise<void> {
  ledger.append({ kind: 'erasing', id });
  const answer = await integrator(world.apis, apiKey).call('DELETE', `/v1/challenges/${id}`);
  if (answer?.status === 204 || answer?.status === 404) ledger.append({ kind: 'erased', id });
}

async function killMany(options: LoadOptions, uploads: Uploads, isOver: () => boolean): Promise<void> {
  const { world, ledger, goals, killEveryMs, workerShare } = options;
  while (!isOver() && ledger.count('killed') < goals.kills) {
    // Kills mostly wait until all processes work again, because a kill before that hits no work. But not always,
    // because a second kill during a recovery is also tested.
    const recovers = Math.random() < 0.8;
    while (recovers && !world.isReady() && !isOver()) await delay(100);
    await delay(killEveryMs * (0.5 + Math.random()));
    const target = chooseTarget(workerShare);
    const { growing, underWay } = uploads;
    if (!isOver() && world.kill(target)) ledger.append({ kind: 'killed', target, growing, underWay });
  }
}

function chooseTarget(workerShare: number): KillTarget {
  if (Math.random() < workerShare) return 'worker';
  return Math.random() < 0.75 ? 'api' : 'postgres';
}
