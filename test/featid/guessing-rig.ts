// The rig of the guessing limit's tests: FeatureIDs, challenges that wait for judgement, and a way to let time pass.
import { sql } from 'kysely';
import { newId } from '../../src/base/ids.ts';
import { type Judgement, settleJudgement } from '../../src/challenge/closing/settle-judgement.ts';
import { openResult } from '../../src/challenge/seals.ts';
import type { Caller } from '../../src/challenge/services.ts';
import type { ComparedFeatid } from '../../src/contract/result.ts';
import { parseFeatid } from '../../src/featid/featid-text.ts';
import { insertFeatid } from '../../src/featid/tables/keys.ts';
import { createRig, judgementOf, type Rig, someTemplate } from '../challenge/challenge-rig.ts';
import { PACK } from '../support/foundation.ts';

/** The outcome of a judgement for the person in front of the camera. */
export type Outcome = 'match' | 'mismatch' | 'match_not_live' | 'mismatch_not_live';

const NOT_LIVE = { face: true, smile: true, spoof_result: false, overall: false };

/** The id of a FeatureID's row. */
export const idOf = (featid: string): string => parseFeatid(featid)!.id;

export async function createGuessingRig() {
  const rig = await createRig();
  const { db } = rig.database;

  async function enrol(accountId = rig.caller.accountId): Promise<string> {
    const template = someTemplate();
    const { featid, row } = await rig.featids.create({ accountId, challengeId: null, template });
    await db.transaction().execute((trx) => insertFeatid(trx, row));
    return featid;
  }

  const create = (featids: string[], caller: Caller = rig.caller, key: string | null = null) =>
    rig.services.create(caller, {
      body: { liveness_only: false, require_consent: false, compare_to_featids: featids },
      idempotencyKey: key,
    });

  /** `count` challenges whose videos wait for judgement, written directly because a thousand real flows take long. */
  async function waiting(featids: string[], count: number): Promise<Waiting[]> {
    const created = await Promise.all(Array.from({ length: count }, () => create(featids)));
    const ids = created.map((outcome) => {
      if (outcome.status !== 'created') throw new Error(outcome.status);
      return outcome.response.challenge_id;
    });
    const captures = ids.map(() => newId('capture'));
    await sql`update challenge set status = 'processing', tries_used = 1, initiated_at = now()
      where id = any (${ids})`.execute(db);
    await sql`insert into capture (id, challenge_id, account_id, attempt, state, level, script, commit_deadline, submitted_at)
      select c, h.id, h.account_id, 1, 'submitted', 'standard', '{"steps":[]}', now(), now()
      from unnest(${captures}::text[], ${ids}::text[]) as given (c, h) join challenge h on h.id = given.h`.execute(
      db,
    );
    return ids.map((challengeId, at) => ({ challengeId, captureId: captures[at]!, featids }));
  }

  /** Settles a judgement; returns the comparisons that the client can read. */
  async function judge(
    { captureId, challengeId, featids }: Waiting,
    outcome: Outcome,
    changes: Partial<Judgement> = {},
  ): Promise<ClientResult> {
    const isMatch = outcome.startsWith('match');
    const compared = featids.map((featid, at) => ({
      featid,
      featidId: idOf(featid),
      source: 'liveness_video' as const,
      // The person matches at most one of them.
      score: isMatch && at === 0 ? 0.9 : 0.1,
      result: isMatch && at === 0 ? ('pass' as const) : ('fail' as const),
      likeness_features: {},
      regionStrengths: { nose: 0.5 },
    }));
    const liveness = outcome.endsWith('not_live') ? { liveness: NOT_LIVE } : {};
    const found = await rig.parts.store.findCapture(captureId);
    const settled = await settleJudgement(
      rig.parts,
      found!,
      judgementOf({ compared, bestFrame: null, template: null, ...liveness, ...changes }),
    );
    if (settled !== 'completed') throw new Error(settled);
    const read = await rig.services.read(rig.caller, challengeId);
    if (read.status !== 'ok') throw new Error(read.status);
    const { match_result, overall_result, diagnostics } = read.result;
    return {
      overall: overall_result!,
      compared: (match_result as { compared_to_featids: ComparedFeatid[] }).compared_to_featids,
      reasons: diagnostics.reasons,
    };
  }

  return {
    ...rig,
    pack: PACK,
    enrol,
    create,
    waiting,
    judge,

    /** Creates a challenge and judges it. */
    async judged(
      featids: string[],
      outcome: Outcome,
      changes: Partial<Judgement> = {},
    ): Promise<ClientResult> {
      const [one] = await waiting(featids, 1);
      return judge(one!, outcome, changes);
    },

    /** Moves everything that the limit stores into the past. */
    async backdate(featids: string[], minutes: number): Promise<void> {
      await sql`update featid set
        failed_at = array(select t - ${minutes} * interval '1 minute' from unnest(failed_at) as t),
        paused_until = paused_until - ${minutes} * interval '1 minute'
        where id = any (${featids.map(idOf)})`.execute(db);
    },

    /** Writes `failures` failures dated now, without the challenges that would cause them. */
    async remember(featid: string, failures: number): Promise<void> {
      await sql`update featid set failed_at = array_fill(now(), array[${failures}::integer])
        where id = ${idOf(featid)}`.execute(db);
    },

    /** Seconds for which a creation has to wait; null if it need not. */
    async waitOf(featid: string): Promise<number | null> {
      const outcome = await create([featid]);
      if (outcome.status === 'created') {
        await rig.services.cancel(rig.caller, outcome.response.challenge_id);
        return null;
      }
      if (outcome.status !== 'paused') throw new Error(outcome.status);
      return outcome.retryAfterSeconds;
    },

    /** FeatureIDs whose likeness by region the challenge's result keeps for the console. */
    async describedIn(challengeId: string): Promise<string[]> {
      const challenge = (await rig.parts.store.find(rig.caller.accountId, challengeId))!;
      const { cues } = await openResult(rig.parts.custody, challenge, challenge.sealedResult!);
      return Object.keys(cues.region_strengths!);
    },

    async stateOf(featid: string) {
      return db
        .selectFrom('featid')
        .select(['pauses', 'failed_at'])
        .select(sql<boolean>`coalesce(paused_until > clock_timestamp(), false)`.as('is_paused'))
        .where('id', '=', idOf(featid))
        .executeTakeFirstOrThrow();
    },
  };
}

export type GuessingRig = Awaited<ReturnType<typeof createGuessingRig>> & Rig;

/** A challenge whose video waits for judgement. */
export interface Waiting {
  readonly challengeId: string;
  readonly captureId: string;
  readonly featids: string[];
}

/** What the client reads in the result. */
export interface ClientResult {
  readonly overall: 'pass' | 'fail';
  readonly compared: readonly ComparedFeatid[];
  readonly reasons: readonly string[];
}
