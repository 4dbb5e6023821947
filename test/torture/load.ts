// The load of one piece of a run: creates, captures, cancellings, erasures, and kills among them, until the goals are
// met or the piece's time is over.
import { setTimeout as delay } from 'node:timers/promises';
import { integrator, openPage } from './client.ts';
import type { Fact, KillTarget, Ledger, Plan } from './ledger.ts';
import type { Takes } from './videos.ts';
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
  /** Null where there is no footage. */
  readonly takes: Takes | null;
  /** Mean time between two kills. */
  readonly killEveryMs: number;
  /** Of the kills, 0–1; of the others three in four are of an API. */
  readonly workerShare: number;
  /** Long enough for a capture under kills, short enough to wait for at the end. */
  readonly uploadExpirySeconds: number;
  readonly endAt: number;
}

/** Notifications of each challenge: two receivers of the completion, one of the expiry. */
export const NOTIFICATIONS = { complete: 2, expired: 1 } as const;

const CREATORS = 4;
/** Most of an upload is the time of its recording. */
const UPLOADERS = 6;
const MAX_EXPIRY_SECONDS = 25;
/** Of the captures: their bytes come while they are recorded, as the page sends them on a good line. */
const GROWING_SHARE = 0.7;

type Created = Extract<Fact, { kind: 'created' }>;

/** Challenges whose capture is still to come. */
interface Uploads {
  readonly waiting: Created[];
  underWay: number;
  /** Of them in the middle of their recording, whose bytes are on their way. */
  growing: number;
}

/** Runs until the goals are met or the time is over; answers whether they are met. */
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
    ...(takes ? Array.from({ length: UPLOADERS }, () => uploadMany(options, takes, uploads, isOver)) : []),
    killMany(options, uploads, isOver),
  ]);
  // What nobody goes on with would hold the end up until it expires.
  const ended = endedIds(ledger);
  const left = ledger.all('created').filter(({ id, plan }) => plan.startsWith('upload') && !ended.has(id));
  for (const { id } of left) await cancel(options, id);
  return met();
}

function endedIds(ledger: Ledger): Set<string> {
  const facts = [...ledger.all('received'), ...ledger.all('cancelled'), ...ledger.all('erasing')];
  return new Set(facts.map(({ id }) => id));
}

/** In step with the kills, so that every kind of moment is hit. */
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
      begun < UPLOADERS && ledger.judged() + begun < Math.ceil(share(options) * goals.judged);
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
    // The same key at every try: what was created behind a lost answer is answered again.
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

/** Refused where it has ended meanwhile. */
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

/** As many captures as it takes, at most those that the service allows. */
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
      // A kill between two steps may cost the capture its deadline; the challenge's own ends this.
      if ((await page.outcome()) !== 'retry') return;
      continue;
    }
    ledger.append({ kind: 'submitted', id, grew });
    // In the middle of its judgement, about.
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
    // Mostly when all are at work again: processes that are killed before they work are hit by nothing. Not always: a
    // second blow during the recovery from the first belongs to it.
    const recovers = Math.random() < 0.8;
    while (recovers && !world.isWhole() && !isOver()) await delay(100);
    await delay(killEveryMs * (0.5 + Math.random()));
    const target = chooseTarget(workerShare);
    const { growing } = uploads;
    if (!isOver() && world.kill(target)) ledger.append({ kind: 'killed', target, growing });
  }
}

function chooseTarget(workerShare: number): KillTarget {
  if (Math.random() < workerShare) return 'worker';
  return Math.random() < 0.75 ? 'api' : 'postgres';
}
