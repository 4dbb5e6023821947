// The challenge room as the service composes it, on a real database and disk. The tests of this folder, of test/jobs
// and of other rooms use it.
import { createHash, randomBytes } from 'node:crypto';
import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { randomSecret } from '../../src/base/secrets.ts';
import { type Judgement, settleJudgement } from '../../src/challenge/closing/settle-judgement.ts';
import { createChallengeServices } from '../../src/challenge/create-services.ts';
import type { ChallengeParts, SettlementParts } from '../../src/challenge/parts.ts';
import type { Caller, ChallengeServices, Link } from '../../src/challenge/services.ts';
import { createSweepStore } from '../../src/challenge/tables/sweep-store.ts';
import { composeServices } from '../../src/composition/services.ts';
import type { IssuedCapture, IssueRequest, SliceAnnouncement } from '../../src/contract/capture-page.ts';
import type { CreateChallengeRequest } from '../../src/contract/challenge-request.ts';
import type { Receipt } from '../../src/contract/receipt.ts';
import type { Script } from '../../src/contract/script.ts';
import { performedStep } from '../../src/contract/script-steps.ts';
import type { Featids } from '../../src/featid/featids.ts';
import type { FaceTemplate } from '../../src/featid/template.ts';
import { diskFolder } from '../../src/storage/assets/open-blob-store.ts';
import { createTestFoundation, PACK, type TestFoundation } from '../support/foundation.ts';
import { expectResultShape } from '../support/spec-result.ts';

export interface Rig {
  readonly foundation: TestFoundation;
  readonly database: TestFoundation['database'];
  /** Folder of the assets. */
  readonly folder: string;
  readonly parts: ChallengeParts & SettlementParts;
  readonly sweep: ReturnType<typeof createSweepStore>;
  readonly featids: Featids;
  readonly services: ChallengeServices;
  readonly caller: Caller;
  /** A second account. */
  readonly stranger: Caller;
  /** The sandbox of the caller's account. */
  readonly sandbox: Caller;
  /** The room with some of its parts replaced. */
  with(parts: Partial<ChallengeParts>): ChallengeServices;
  close(): Promise<void>;
}

const ENVIRONMENT = {
  BASE_URL: 'https://likeness.test',
  LIVENESS_PROMPTS: 'smile,target',
};

export async function createRig(): Promise<Rig> {
  const foundation = await createTestFoundation({ environment: ENVIRONMENT });
  const { accounts, config, database } = foundation;
  // Logos have addresses that do not exist.
  const { close, featids, ...services } = composeServices(foundation, { fetchImage: async () => null });
  const callerOf = async (name: string): Promise<Caller> => {
    const created = await accounts.create({ name, displayName: `${name} Ltd` }, 'operator');
    if (created.status !== 'created') throw new Error(created.status);
    return { accountId: created.accountId, actor: created.apiKey.id, sandbox: false };
  };
  const caller = await callerOf('first');
  const live = (await accounts.find(caller.accountId))!;
  const testKey = await accounts.createKey(live, { sandbox: true }, 'operator');
  const parts = { ...services.challengeParts, featids };
  return {
    foundation,
    database,
    folder: diskFolder(config)!,
    parts,
    sweep: createSweepStore(database.db),
    featids,
    services: services.challenges,
    caller,
    stranger: await callerOf('second'),
    sandbox: { accountId: testKey.accountId, actor: testKey.id, sandbox: true },
    with: (exchanged) => createChallengeServices({ ...parts, ...exchanged }),
    close: async () => {
      await close();
      await foundation.close();
    },
  };
}

/** A template that differs from any other. */
export function someTemplate(): FaceTemplate {
  const embedding = Float32Array.from({ length: 64 }, () => Math.random() - 0.5);
  const norm = Math.hypot(...embedding);
  return { packId: PACK, embedding: embedding.map((value) => value / norm), regions: {}, frames: 5 };
}

/** A judgement that passes, with these changes. */
export function judgementOf(changes: Partial<Judgement> = {}): Judgement {
  return {
    liveness: { face: true, smile: true, spoof_result: true, overall: true },
    reasons: [],
    cues: {},
    retry: null,
    template: someTemplate(),
    tried: null,
    bestFrame: Buffer.from('BM a frame'),
    compared: [],
    ...changes,
  };
}

export interface Opened {
  readonly challengeId: string;
  readonly link: Required<Link>;
}

export async function create(rig: Rig, body: Partial<CreateChallengeRequest> = {}): Promise<Opened> {
  const request = { liveness_only: true, require_consent: false, ...body };
  const outcome = await rig.services.create(rig.caller, { body: request });
  if (outcome.status !== 'created') throw new Error(JSON.stringify(outcome));
  const { challenge_id, challenge_url } = outcome.response;
  return {
    challengeId: challenge_id,
    link: { token: challenge_url.split('/c/')[1]!, device: randomSecret(32) },
  };
}

/** A challenge that a device has started. */
export async function createStarted(rig: Rig, body: Partial<CreateChallengeRequest> = {}): Promise<Opened> {
  const opened = await create(rig, body);
  const started = await rig.services.start(opened.link);
  if (started.status !== 'ok') throw new Error(started.status);
  return opened;
}

/** Random bytes with the signature of a WebM file. */
export function someVideo(sizeBytes = 1500): Buffer {
  return Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), randomBytes(sizeBytes - 4)]);
}

/** The script of a capture as performed by a person who took two seconds for each prompt. */
export function performedScript({ script }: Pick<IssuedCapture, 'script'>): Script {
  const { steps, way } = script;
  return {
    steps: steps.map((step, i) => performedStep(step, i * 2000, (i + 1) * 2000)),
    ...(way && { way }),
  };
}

export function commitOf(video: Uint8Array, capture: Pick<IssuedCapture, 'script'>) {
  return {
    script: performedScript(capture),
    slices: 1,
    size_bytes: video.length,
    mime_type: 'video/webm;codecs=vp9',
    duration_ms: 7000,
  };
}

/** The announcement of a whole video as one slice. */
export function sliceOf(video: Uint8Array): SliceAnnouncement {
  const sha256 = createHash('sha256').update(video).digest('hex');
  return { index: 0, sha256, size_bytes: video.length, to_ms: 1 };
}

/** Issues a capture and announces its recording as one slice; returns the capture with its whole script. */
export async function announce(
  rig: Rig,
  link: Link,
  video: Uint8Array,
  asked: IssueRequest = {},
): Promise<IssuedCapture> {
  const issued = await rig.services.issueCapture(link, asked);
  if (issued.status !== 'ok') throw new Error(JSON.stringify(issued));
  const { capture_id, step_count, script } = issued.capture;
  const slices = [sliceOf(video)];
  const announced = await rig.services.announce(link, capture_id, { slices, steps: step_count });
  if (announced.status !== 'ok') throw new Error(JSON.stringify(announced));
  return { ...issued.capture, script: { ...script, steps: announced.received.steps! } };
}

/** Issues, announces and commits a capture, without its bytes. */
export async function commit(rig: Rig, link: Link, video: Uint8Array): Promise<IssuedCapture> {
  const capture = await announce(rig, link, video);
  const committed = await rig.services.commit(link, capture.capture_id, commitOf(video, capture));
  if (committed.status !== 'ok') throw new Error(JSON.stringify(committed));
  return capture;
}

/** Issues, announces, commits and uploads a capture, which then waits for judgement. */
export async function submit(rig: Rig, link: Link, video: Uint8Array = someVideo()): Promise<string> {
  const { capture_id } = await commit(rig, link, video);
  const accepted = await rig.services.acceptBytes(link, capture_id, 0, async () => video);
  if (accepted.status !== 'ok' || accepted.received.state !== 'submitted') {
    throw new Error(JSON.stringify(accepted));
  }
  return capture_id;
}

/** Two receivers of the completion, one of the expiry. */
export const notifications = { complete: hooks(2), expired: hooks(1) };

function hooks(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    type: 'https' as const,
    properties: { endpoint_url: `https://a.example/${index}` },
  }));
}

/** Takes a submitted capture as a worker does. The same job can take it again, as after the death of a worker. */
export function beginJudgement(rig: Rig, captureId: string) {
  return inTurn(rig, captureId, async (jobId) => {
    const found = await rig.parts.store.takeCapture(jobId);
    if (found?.capture.id !== captureId) throw new Error('not waiting');
    return found;
  });
}

/** Runs a job when it is this capture's turn: all other captures are set aside, and its own pause is ended. */
export async function inTurn<T>(
  rig: Rig,
  captureId: string,
  work: (jobId: string) => Promise<T>,
): Promise<T> {
  const { db } = rig.database;
  // A job id that no other capture has.
  const jobId = String(
    Number.parseInt(createHash('sha256').update(captureId).digest('hex').slice(0, 12), 16),
  );
  const aside = await db
    .updateTable('capture')
    .set({ taken_by: '-1' })
    .where('state', '=', 'submitted')
    .where('taken_by', 'is', null)
    .where('id', '!=', captureId)
    .returning('id')
    .execute();
  await db.updateTable('capture').set({ judge_after: null }).where('id', '=', captureId).execute();
  try {
    return await work(jobId);
  } finally {
    const ids = aside.map(({ id }) => id);
    if (ids.length > 0)
      await db.updateTable('capture').set({ taken_by: null }).where('id', 'in', ids).execute();
  }
}

export async function settle(rig: Rig, captureId: string, judgement: Judgement) {
  return settleJudgement(rig.parts, await beginJudgement(rig, captureId), judgement);
}

/** The result as its account reads it; checks that it has the documented shape. */
export async function resultOf(rig: Rig, opened: Opened) {
  const read = await rig.services.read(rig.caller, opened.challengeId);
  if (read.status !== 'ok') throw new Error(read.status);
  expectResultShape(read.result);
  return read.result;
}

/** The payload of the receipt as its account reads it. */
export async function receiptOf(rig: Rig, { challengeId }: Opened): Promise<Receipt> {
  const read = await rig.services.receipt(rig.caller, challengeId);
  if (read.status !== 'ok') throw new Error(read.status);
  return decodeJwt(read.receipt) as unknown as Receipt;
}

/** A video as a receipt refers to it. */
export function videoOf(video: Uint8Array): Receipt['video'] {
  return { sha256: createHash('sha256').update(video).digest('hex'), size_bytes: video.length };
}

export async function deliveriesOf(rig: Rig, opened: Opened) {
  return rig.database.db
    .selectFrom('delivery')
    .select(['id', 'event', 'endpoint_index'])
    .where('challenge_id', '=', opened.challengeId)
    .orderBy('endpoint_index')
    .execute();
}

/** Counts what the asset store holds, whatever the tables say. */
export async function countAssets(rig: Rig): Promise<number> {
  let count = 0;
  for await (const _ of rig.parts.assets.listOlderThan(new Date(Date.now() + 60_000))) count++;
  return count;
}

/** Sets a challenge's deadline, in seconds from now. */
export async function expireIn(rig: Rig, challengeId: string, seconds: number): Promise<void> {
  await rig.database.db
    .updateTable('challenge')
    .set({ expires_at: new Date(Date.now() + seconds * 1000) })
    .where('id', '=', challengeId)
    .execute();
}

/** Judgement jobs in the queue: one for each waiting capture. */
export async function countJobs(rig: Rig): Promise<number> {
  const found = await sql<{ jobs: number }>`
    select count(*)::int as jobs from graphile_worker.jobs where task_identifier = 'judge'`.execute(
    rig.database.db,
  );
  return found.rows[0]!.jobs;
}
