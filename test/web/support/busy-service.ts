// A service that has had some customers: what each page of the console shows of many challenges.
import { sql } from 'kysely';
import { newId } from '../../../src/base/ids.ts';
import { detailsOf, sealResult } from '../../../src/challenge/seals.ts';
import type { NewChallenge } from '../../../src/challenge/tables/creation.ts';
import { parseFeatid } from '../../../src/featid/featid-text.ts';
import { newDelivery } from '../../../src/webhook/endpoint.ts';
import { insertDeliveries } from '../../../src/webhook/tables/store.ts';
import type { HttpRig } from '../../http/http-rig.ts';
import { seedChallenges } from '../../support/seed-challenges.ts';

/** Finds the one challenge that has made a FeatureID. */
export const REFERENCE = 'order 42';
/** Receivers take turns: the first fails, the last has not answered yet. */
const RECEIVERS = 12;
const SECONDS = 20;
const BROWSERS = ['chrome', 'firefox', 'ios_safari'] as const;

/**
 * Adds `count` challenges: every fourth is open, the others are judged, the first try of some was sent back, and every
 * one of them has told its receiver.
 */
export async function fillService(rig: HttpRig, count: number): Promise<void> {
  const { challenge_id } = await rig.create({ liveness_only: true, customer_reference: REFERENCE });
  const { id } = parseFeatid(await rig.makeFeatid())!;
  await rig.db.updateTable('featid').set({ challenge_id }).where('id', '=', id).execute();
  const challenges = await seedChallenges(rig.db, rig.custody, rig.accountId, count - 1);
  const judged = challenges.filter((_, n) => n % 4 > 0);
  await Promise.all(judged.map((challenge, n) => judge(rig, challenge, n)));
  await tell(rig, judged);
}

async function judge({ db, custody }: HttpRig, challenge: NewChallenge, n: number): Promise<void> {
  const hasPassed = n % 5 > 0;
  const sealed_result = await sealResult(custody, challenge, {
    liveness: { face: true, smile: hasPassed, spoof_result: true, overall: hasPassed },
    liveness_featid: null,
    compared: null,
    sources: ['liveness_video'],
    reasons: hasPassed ? [] : ['smile_missing'],
    cues: {},
  });
  await db
    .updateTable('challenge')
    .set({
      sealed_result,
      overall_result: hasPassed ? 'pass' : 'fail',
      status: 'completed',
      closed_reason: 'completed',
      initiated_at: sql<Date>`created_at`,
      closed_at: sql<Date>`created_at + ${SECONDS} * interval '1 second'`,
    })
    .where('id', '=', challenge.id)
    .execute();
  const tries = n % 4 === 0 ? (['rejected', 'judged'] as const) : (['judged'] as const);
  await db
    .insertInto('capture')
    .values(tries.map((state, attempt) => tried(challenge, state, attempt)))
    .execute();
  const family = BROWSERS[n % BROWSERS.length]!;
  await db.insertInto('challenge_browser').values({ challenge_id: challenge.id, family }).execute();
}

const tried = ({ id, accountId }: NewChallenge, state: 'judged' | 'rejected', attempt: number) => ({
  id: newId('capture'),
  challenge_id: id,
  account_id: accountId,
  attempt,
  state,
  level: 'standard' as const,
  script: '{}',
  commit_deadline: new Date(),
  submitted_at: new Date(),
  rejected_reason: state === 'rejected' ? 'too_dark' : null,
});

/** Each tells one receiver. */
async function tell({ db, custody }: HttpRig, challenges: readonly NewChallenge[]): Promise<void> {
  const deliveries = await Promise.all(
    challenges.map((challenge, n) =>
      newDelivery(custody, {
        holder: detailsOf(challenge),
        challengeId: challenge.id,
        event: 'complete',
        endpointIndex: 0,
        configuration: {
          type: 'http',
          properties: { endpoint_url: `https://customer-${n % RECEIVERS}.example/hooks/likeness` },
        },
      }),
    ),
  );
  await db.transaction().execute((trx) => insertDeliveries(trx, deliveries));
  const end = async (status: 'delivered' | 'failed', isOf: (receiver: number) => boolean) => {
    const ids = deliveries.filter((_, n) => isOf(n % RECEIVERS)).map((delivery) => delivery.id);
    await sql`with ended as (
        update delivery set status = ${status}, attempts = 1, next_attempt_at = null, finished_at = now()
        where id = any(${ids}::text[]) returning id
      )
      insert into delivery_attempt (delivery_id, at, duration_ms, outcome, response_status)
      select id, now(), 80, ${status === 'failed' ? 'http_status' : 'delivered'}, ${status === 'failed' ? 503 : 204}::int
      from ended`.execute(db);
  };
  await end('failed', (receiver) => receiver === 0);
  await end('delivered', (receiver) => receiver > 0 && receiver < RECEIVERS - 1);
}
