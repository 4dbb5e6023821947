// A recording that was lost because nobody was there to take it costs no try.
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { notePresence } from '../../../src/storage/postgres/coordination/service-absence.ts';
import { createRig, createStarted, type Opened, type Rig, sliceOf, someVideo } from '../challenge-rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
});
afterAll(() => rig.close());

const secondsAgo = (seconds: number) => sql<Date>`clock_timestamp() - ${seconds} * interval '1 second'`;

async function lastNoted(secondsSince: number): Promise<void> {
  await rig.database.db
    .updateTable('service_presence')
    .set({ at: secondsAgo(secondsSince) })
    .execute();
}

async function absent(fromSecondsAgo: number, toSecondsAgo: number): Promise<void> {
  await rig.database.db
    .insertInto('service_absence')
    .values({ from_at: secondsAgo(fromSecondsAgo), to_at: secondsAgo(toSecondsAgo) })
    .execute();
}

beforeEach(async () => {
  await rig.database.db.deleteFrom('service_absence').execute();
  await lastNoted(0);
});

/** Begins a recording that is eight seconds old, of which nothing was announced. */
async function recordFor8Seconds(opened: Opened): Promise<string> {
  const issued = await rig.services.issueCapture(opened.link);
  if (issued.status !== 'ok') throw new Error(`${issued.status} ${'code' in issued ? issued.code : ''}`);
  const id = issued.capture.capture_id;
  await rig.database.db
    .updateTable('capture')
    .set({ issued_at: secondsAgo(8) })
    .where('id', '=', id)
    .execute();
  return id;
}

async function triesLeft({ link }: Opened): Promise<number> {
  const read = await rig.services.state(link);
  if (read.status !== 'ok') throw new Error(read.status);
  return read.state.tries_left;
}

async function announceLate(opened: Opened): Promise<number> {
  const id = await recordFor8Seconds(opened);
  const slices = [sliceOf(someVideo(100))];
  expect(await rig.services.announce(opened.link, id, { slices })).toEqual({
    status: 'conflict',
    code: 'slice_too_late',
  });
  return triesLeft(opened);
}

async function openCapture({ challengeId }: Opened): Promise<string> {
  const open = await rig.database.db
    .selectFrom('capture')
    .select('id')
    .where('challenge_id', '=', challengeId)
    .where('state', '=', 'issued')
    .executeTakeFirstOrThrow();
  return open.id;
}

/** Lets its time be over. */
async function over(captureId: string): Promise<void> {
  await rig.database.db
    .updateTable('capture')
    .set({ commit_deadline: secondsAgo(0) })
    .where('id', '=', captureId)
    .execute();
}

describe('a recording that comes too late', () => {
  it('costs a try where the service was there', async () => {
    await notePresence(rig.database.db);
    expect(await announceLate(await createStarted(rig))).toBe(2);
  });

  it.each([
    [
      'an absence that was noted when it ended',
      () => lastNoted(5).then(() => notePresence(rig.database.db)),
      3,
    ],
    ['an absence whose end nobody has noted yet', () => lastNoted(4), 3],
    ['a gap that a recording survives', () => lastNoted(2).then(() => notePresence(rig.database.db)), 2],
    ['an absence before it began, and little of it', () => absent(60, 7), 2],
  ])('after %s', async (_, happen, left) => {
    await happen();
    expect(await announceLate(await createStarted(rig))).toBe(left);
  });

  it('gives back one try, however often it is announced, and two for a challenge', async () => {
    const opened = await createStarted(rig);
    await absent(6, 1);
    const id = await recordFor8Seconds(opened);
    for (let again = 0; again < 3; again++)
      await rig.services.announce(opened.link, id, { slices: [sliceOf(someVideo(100))] });
    expect(await triesLeft(opened)).toBe(3);
    await over(id);
    expect(await announceLate(opened)).toBe(3);
    await over(await openCapture(opened));
    expect(await announceLate(opened)).toBe(2);
  });

  it('gives it back when the page is loaded again, or never comes back', async () => {
    await absent(6, 1);
    const reloaded = await createStarted(rig);
    await recordFor8Seconds(reloaded);
    expect((await rig.services.issueCapture(reloaded.link)).status).toBe('ok');
    expect(await triesLeft(reloaded)).toBe(2);
    const left = await createStarted(rig);
    await over(await recordFor8Seconds(left));
    await rig.sweep.abandonStale(100);
    expect(await triesLeft(left)).toBe(3);
  });
});

describe('the presence of the service', () => {
  it('is noted by any number of processes, one absence once', async () => {
    await lastNoted(10);
    const noted = await Promise.all(Array.from({ length: 8 }, () => notePresence(rig.database.db)));
    expect(noted.reduce((sum, each) => sum + each)).toBe(1);
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from to_at - from_at)::float8 as seconds from service_absence`.execute(
      rig.database.db,
    );
    expect(rows).toEqual([{ seconds: expect.closeTo(10, 0) }]);
  });

  it('is forgotten after a day', async () => {
    const days = { from_at: secondsAgo(200_000), to_at: secondsAgo(100_000) };
    await rig.database.db.insertInto('service_absence').values(days).execute();
    await notePresence(rig.database.db);
    expect(await rig.database.db.selectFrom('service_absence').selectAll().execute()).toEqual([]);
  });
});
