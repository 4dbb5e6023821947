// What an operator does at the desk: finds receivers by their own address, deliveries by challenge and error, sends many
// again, finds what is kept of a customer reference and erases it.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/base/ids.ts';
import { detailsOf } from '../../src/challenge/seals.ts';
import type { ConsoleDelivery, ConsoleEndpoint } from '../../src/contract/console-deliveries.ts';
import { MAX_REDELIVERED } from '../../src/contract/console-deliveries.ts';
import type { ConsoleOverview } from '../../src/contract/console-overview.ts';
import { parseFeatid } from '../../src/featid/featid-text.ts';
import { newDelivery } from '../../src/webhook/endpoint.ts';
import { insertDeliveries } from '../../src/webhook/tables/store.ts';
import { byteFlipped } from '../support/tamper.ts';
import { type Browser, createBrowser } from './console-people.ts';
import { createHttpRig, type HttpRig, OPERATOR_PASSWORD } from './http-rig.ts';

let rig: HttpRig;
let browser: Browser;

beforeAll(async () => {
  rig = await createHttpRig({ console: true });
  browser = createBrowser(rig.app);
  await browser.signInByPassword(OPERATOR_PASSWORD);
});
afterAll(() => rig?.close());

interface Tried {
  readonly outcome: string;
  readonly status?: number;
}

/** A delivery to this URL, as a challenge that closed has made it; `tried`: its only attempt. */
async function deliver(url: string, status: 'pending' | 'delivered' | 'failed', tried: Tried | null = null) {
  const { challenge_id: challengeId } = await rig.create();
  const delivery = await newDelivery(rig.custody, {
    holder: detailsOf(await rig.placeOf(challengeId)),
    challengeId,
    event: 'complete',
    endpointIndex: 0,
    configuration: { type: 'HTTP', properties: { endpoint_url: url } } as never,
  });
  await rig.db.transaction().execute((trx) => insertDeliveries(trx, [delivery]));
  if (status !== 'pending')
    await sql`update delivery set status = ${status}, next_attempt_at = null, finished_at = now()
      where id = ${delivery.id}`.execute(rig.db);
  if (tried)
    await sql`insert into delivery_attempt (delivery_id, at, duration_ms, outcome, response_status)
      values (${delivery.id}, now(), 10, ${tried.outcome}, ${tried.status ?? null})`.execute(rig.db);
  return { id: delivery.id, challengeId };
}

const statusOf = async (id: string) =>
  (await rig.db.selectFrom('delivery').select('status').where('id', '=', id).executeTakeFirst())?.status;
const find = async (query: string) =>
  (await browser.ask('GET', `/deliveries?${query}`)).json().data as ConsoleDelivery[];
const idsOf = async (query: string) => (await find(query)).map(({ delivery_id }) => delivery_id);
const linesOf = async (action: string) =>
  (await browser.ask('GET', '/audit'))
    .json()
    .data.filter((line: { action: string }) => line.action === action);

describe('receivers and their deliveries', () => {
  const HOST = 'https://hooks.shop.example';
  const failing: { id: string; challengeId: string }[] = [];
  let healthy: { id: string; challengeId: string };
  let timedOut: { id: string; challengeId: string };

  beforeAll(async () => {
    healthy = await deliver(`${HOST}/healthy?token=secret`, 'pending');
    for (let n = 0; n < 8; n++)
      failing.push(await deliver(`${HOST}/broken`, 'failed', { outcome: 'http_status', status: 503 }));
    timedOut = await deliver('https://slow.example/in', 'pending', { outcome: 'timeout' });
    await deliver('https://fine.example/in', 'delivered', { outcome: 'delivered', status: 204 });
  });

  it('are listed beside one whose row was altered, which is told from others by a name', async () => {
    const altered = await deliver(`${HOST}/altered`, 'pending');
    const { sealed_endpoint } = await rig.db
      .selectFrom('delivery')
      .select('sealed_endpoint')
      .where('id', '=', altered.id)
      .executeTakeFirstOrThrow();
    await rig.db
      .updateTable('delivery')
      .set({ sealed_endpoint: byteFlipped(sealed_endpoint, sealed_endpoint.length - 1) })
      .where('id', '=', altered.id)
      .execute();
    const [found, ...others] = await find('');
    expect(found).toMatchObject({
      delivery_id: altered.id,
      endpoint: expect.stringMatching(/^[0-9a-f]{12}$/),
    });
    expect(others.map(({ endpoint }) => endpoint)).toContain(`${HOST}/broken`);
    await rig.db.deleteFrom('delivery').where('id', '=', altered.id).execute();
  });

  it('are listed by their own address, the one that fails first', async () => {
    const { data } = (await browser.ask('GET', '/endpoints')).json() as { data: ConsoleEndpoint[] };
    const waiting = [
      [`${HOST}/healthy`, 0, 1, 0],
      ['https://slow.example/in', 0, 1, 0],
    ];
    if (data[1]!.endpoint.includes('slow')) waiting.reverse();
    expect(
      data.map(({ endpoint, delivered, pending, failed }) => [endpoint, delivered, pending, failed]),
    ).toEqual([[`${HOST}/broken`, 0, 0, 8], ...waiting, ['https://fine.example/in', 1, 0, 0]]);
    expect(data[0]).toMatchObject({ account_name: 'first', last_outcome: 'http_status', last_status: 503 });
    const { failing: shown } = (await browser.ask('GET', '/overview')).json();
    expect(shown.map(({ endpoint }: ConsoleEndpoint) => endpoint)).toEqual([
      `${HOST}/broken`,
      'https://slow.example/in',
    ]);
  });

  it('are shown with their challenge without the query of the address, which may hold a secret', async () => {
    const shown = await browser.ask('GET', `/challenges/${healthy.challengeId}`);
    expect(shown.json().deliveries).toMatchObject([{ endpoint_url: `${HOST}/healthy` }]);
    expect(shown.body).not.toContain('token=');
  });

  it('are found by receiver, challenge, delivery and error', async () => {
    const [, last] = [failing[0]!, failing.at(-1)!];
    const [{ receiver, endpoint, last_status }] = (await find(`text=${last.challengeId}`)) as [
      ConsoleDelivery,
    ];
    expect([endpoint, last_status]).toEqual([`${HOST}/broken`, 503]);
    const all = failing.map(({ id }) => id).reverse();
    expect(await idsOf(`receiver=${receiver}`)).toEqual(all);
    expect(await idsOf(`receiver=${receiver}&status=pending`)).toEqual([]);
    // A text never leads away from the chosen receiver.
    expect(await idsOf(`receiver=${receiver}&text=shop.example`)).toEqual(all);
    expect(await idsOf(`receiver=${receiver}&text=${new URL(HOST).host}/healthy`)).toEqual([]);
    expect(await idsOf('text=shop.example/BROKEN')).toEqual(all);
    expect(await idsOf('text=shop.example')).toEqual([...all, healthy.id]);
    expect(await idsOf(`text=${healthy.id}`)).toEqual([healthy.id]);
    expect(await idsOf('text=503')).toEqual(all);
    expect(await idsOf('text=http%20status')).toEqual(all);
    expect(await idsOf('text=TIMEOUT')).toEqual([timedOut.id]);
    for (const nothing of ['50', '%25', 'no such thing', 'ch_00000000000000000000000000'])
      expect(await idsOf(`text=${nothing}`)).toEqual([]);
    expect((await browser.ask('GET', '/deliveries?receiver=x')).statusCode).toBe(422);
  });

  it('are sent again together; the answer says how many, and the log names each', async () => {
    const test = await deliver(`${HOST}/broken`, 'failed');
    await sql`update delivery set event = 'test' where id = ${test.id}`.execute(rig.db);
    const gone = 'msg_00000000000000000000000000';
    const delivery_ids = [failing[0]!.id, test.id, gone, failing[1]!.id];
    const answer = await browser.ask('POST', '/deliveries/redeliver', { delivery_ids });
    expect(answer.json()).toEqual({
      requeued: 2,
      refused: [
        { delivery_id: test.id, reason: 'not_repeatable' },
        { delivery_id: gone, reason: 'not_found' },
      ],
    });
    expect(await Promise.all(delivery_ids.map(statusOf))).toEqual([
      'pending',
      'failed',
      undefined,
      'pending',
    ]);
    expect(await statusOf(failing[2]!.id)).toBe('failed');
    expect((await linesOf('delivery.redelivered')).map((line: { subject: string }) => line.subject)).toEqual([
      failing[1]!.id,
      failing[0]!.id,
    ]);
  });

  it('are at most 200 in one call, each once', async () => {
    const many = Array.from(
      { length: MAX_REDELIVERED + 1 },
      (_, at) => `msg_${String(at).padStart(26, '0')}`,
    );
    for (const delivery_ids of [[], many, [many[0], many[0]], ['msg_x']]) {
      expect((await browser.ask('POST', '/deliveries/redeliver', { delivery_ids })).statusCode).toBe(422);
    }
    const most = { delivery_ids: many.slice(1) };
    const answer = await browser.ask('POST', '/deliveries/redeliver', most);
    expect(answer.json()).toMatchObject({ requeued: 0, refused: { length: MAX_REDELIVERED } });
  });

  it('are looked for as far back as the answer says, and no further', async () => {
    const old = await deliver('https://old.example/in', 'delivered');
    const newer = await deliver('https://busy.example/in', 'delivered');
    const { searched } = (await browser.ask('GET', '/endpoints')).json();
    /** Deliveries between the two. */
    const addFurther = (from: number, to: number) =>
      sql`insert into delivery (id, account_id, event, endpoint_index, sealed_endpoint, endpoint_hash, address_hash, status)
        select ${old.id}::text || n, account_id, event, 0, sealed_endpoint, endpoint_hash, address_hash, status
        from delivery, generate_series(${from}::int, ${to}::int) n where id = ${newer.id}`.execute(rig.db);
    await addFurther(1, searched.receivers_of - 2);
    expect(await idsOf('text=old.example')).toEqual([old.id]);
    await addFurther(0, 0);
    expect(await idsOf('text=old.example')).toEqual([]);
    // Its challenge still finds it.
    expect(await idsOf(`text=${old.challengeId}`)).toEqual([old.id]);
  });

  it('fail as long as an event is missing, even if the newest attempt arrived', async () => {
    const flaky = 'https://flaky.example/in';
    const missing = await deliver(flaky, 'failed', { outcome: 'http_status', status: 500 });
    await deliver(flaky, 'delivered', { outcome: 'delivered', status: 204 });
    const failingNow = async () =>
      (await browser.ask('GET', '/overview'))
        .json()
        .failing.filter(({ endpoint }: ConsoleEndpoint) => endpoint === flaky);
    expect(await failingNow()).toMatchObject([{ delivered: 1, failed: 1, last_outcome: 'delivered' }]);
    // Sent again, it is on its way.
    await browser.ask('POST', '/deliveries/redeliver', { delivery_ids: [missing.id] });
    expect(await failingNow()).toEqual([]);
  });
});

describe('FeatureIDs', () => {
  it('are found by the whole customer reference, and erased', async () => {
    const { challenge_id } = await rig.create({
      liveness_only: true,
      customer_reference: 'jane.doe@example',
    });
    const featid = await rig.makeFeatid();
    const { id } = parseFeatid(featid)!;
    await sql`update featid set challenge_id = ${challenge_id} where id = ${id}`.execute(rig.db);
    const found = async (reference: string) =>
      (await browser.ask('GET', `/featids?customer_reference=${encodeURIComponent(reference)}`)).json().data;
    const shown = {
      featid_id: id,
      account_id: rig.accountId,
      account_name: 'first',
      challenge_id,
      created_at: expect.any(String),
      last_used_at: null,
      revoked_at: null,
    };
    expect(await found('jane.doe@example')).toEqual([shown]);
    expect(await found('jane.doe')).toEqual([]);
    // A line for each search, the one that found nothing too; the newest first.
    expect((await linesOf('featids.listed')).map((line: { detail: object }) => line.detail)).toEqual([
      { filters: ['customer_reference'], shown: [] },
      { filters: ['customer_reference'], shown: [id] },
    ]);

    const other = await rig.makeAccount('other');
    expect((await browser.ask('DELETE', `/featids/${other.accountId}/${id}`)).statusCode).toBe(404);
    expect(await rig.featids.check(rig.accountId, [featid])).toMatchObject([{ ok: true }]);
    expect((await browser.ask('DELETE', `/featids/${rig.accountId}/${id}`)).statusCode).toBe(204);
    expect((await browser.ask('DELETE', `/featids/${rig.accountId}/${id}`)).statusCode).toBe(404);
    expect(await rig.featids.check(rig.accountId, [featid])).toMatchObject([
      { ok: false, code: 'featid_revoked' },
    ]);
    expect(await found('jane.doe@example')).toEqual([{ ...shown, revoked_at: expect.any(String) }]);
    expect(await linesOf('featid.revoked')).toMatchObject([
      { actor: expect.stringMatching(/^ops_/), account_id: rig.accountId, subject: id },
    ]);
  });
});

describe('everything of a person', () => {
  const REFERENCE = 'erase me';
  const found = async () =>
    (await browser.ask('GET', `/featids?customer_reference=${encodeURIComponent(REFERENCE)}`)).json();
  const erase = (accountId: string, customer_reference = REFERENCE) =>
    browser.ask('POST', `/accounts/${accountId}/erasures`, { customer_reference });
  const ofReference = () => rig.create({ liveness_only: true, customer_reference: REFERENCE });

  it('is erased account by account, in steps, as a deletion of each challenge does it', async () => {
    const { challenge_id: closed } = await ofReference();
    const assetId = await rig.makeAsset(closed, Buffer.from('the video'));
    const featid = await rig.makeFeatid();
    await sql`update featid set challenge_id = ${closed} where id = ${parseFeatid(featid)!.id}`.execute(
      rig.db,
    );
    const open = await Promise.all(Array.from({ length: 21 }, ofReference));
    const other = await rig.create({ liveness_only: true, customer_reference: 'erase me not' });
    const elsewhere = await rig.makeAccount('elsewhere');
    const kept = { liveness_only: true, customer_reference: REFERENCE };
    const headers = { authorization: `Basic ${elsewhere.key}` };
    await rig.call('POST', '/v1/create-challenge', kept, headers);
    const { accounts } = await found();
    expect(accounts).toHaveLength(2);
    expect(accounts).toContainEqual({ account_id: rig.accountId, account_name: 'first', challenges: 22 });

    expect((await erase(rig.accountId)).json()).toEqual({ erased: 20, left: 2 });
    expect((await erase(rig.accountId)).json()).toEqual({ erased: 2, left: 0 });
    expect((await erase(rig.accountId)).json()).toEqual({ erased: 0, left: 0 });
    const start = { method: 'POST', url: `${open[20]!.path}/start`, payload: {} } as const;
    expect((await rig.app.inject(start)).statusCode).toBe(404);
    const asset = rig.db.selectFrom('asset').select(['deleting', 'sealed_key']).where('id', '=', assetId);
    expect(await asset.execute()).toEqual([{ deleting: true, sealed_key: Buffer.alloc(0) }]);
    expect(await rig.featids.check(rig.accountId, [featid])).toMatchObject([{ code: 'featid_revoked' }]);
    expect((await rig.call('GET', `/v1/challenges/${other.challenge_id}`)).statusCode).toBe(200);
    expect(await found()).toMatchObject({ accounts: [{ account_name: 'elsewhere', challenges: 1 }] });
    const lines = await rig.db
      .selectFrom('audit')
      .select(['actor', 'account_id', 'subject', 'is_erasure'])
      .where('action', '=', 'challenge.erased')
      .execute();
    expect(lines.map(({ subject }) => subject).sort()).toEqual(
      [closed, ...open.map(({ challenge_id }) => challenge_id)].sort(),
    );
    for (const line of lines) {
      expect(line).toMatchObject({ account_id: rig.accountId, is_erasure: true });
      expect(line.actor).toMatch(/^ops_/);
    }
  });

  it('is refused without a reference, and of an account that is not there', async () => {
    expect((await erase(rig.accountId, '')).statusCode).toBe(422);
    expect((await erase('acct_00000000000000000000000000')).statusCode).toBe(404);
  });
});

it('the overview counts whole tables once a minute, and reads anew what is bounded', async () => {
  const read = async () => {
    const overview = (await browser.ask('GET', '/overview')).json() as ConsoleOverview;
    const { days, outcomes, queue, deliveries, funnel } = overview;
    return { counted: { days, outcomes, queue, deliveries }, created: funnel.created };
  };
  const record = async (challengeId: string, state: string) =>
    sql`insert into capture (id, challenge_id, account_id, attempt, state, level, script, commit_deadline, submitted_at)
      values (${newId('capture')}, ${challengeId}, ${rig.accountId}, 1, ${state}, 'quick', '{}', now(), now())`.execute(
      rig.db,
    );
  const later = 600_000;
  rig.skewClock(later);
  const before = await read();
  const { challengeId } = await deliver('https://waiting.example/', 'pending');
  await rig.makeAsset(challengeId, Buffer.of(1));
  await record(challengeId, 'judged');
  await record((await rig.create()).challenge_id, 'submitted');
  expect(await read()).toEqual({ counted: before.counted, created: before.created + 2 });
  rig.skewClock(later + 60_000);
  const { counted } = await read();
  rig.skewClock(0);
  for (const figure of ['days', 'outcomes', 'queue', 'deliveries'] as const)
    expect(counted[figure], figure).not.toEqual(before.counted[figure]);
});

it('the overview is of live challenges unless it is asked for others', async () => {
  for (const [query, scope] of [
    ['', 'live'],
    ['?scope=sandbox', 'sandbox'],
    ['?scope=both', 'both'],
  ]) {
    expect((await browser.ask('GET', `/overview${query}`)).json()).toMatchObject({ scope, outcomes_of: 300 });
  }
  expect((await browser.ask('GET', '/overview?scope=all')).statusCode).toBe(422);
});

it('the browser of whoever starts is noted', async () => {
  const { path, challenge_id } = await rig.create();
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:138.0) Gecko/20100101 Firefox/138.0' };
  const started = await rig.app.inject({ method: 'POST', url: `${path}/start`, headers, payload: {} });
  expect(started.statusCode).toBe(200);
  await expect
    .poll(() => rig.db.selectFrom('challenge_browser').selectAll().execute())
    .toEqual([{ challenge_id, family: 'firefox' }]);
});
