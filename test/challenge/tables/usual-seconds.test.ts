// How long a check takes is read from the newest that were finished at the first try, for each level apart.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import { readUsualSeconds } from '../../../src/challenge/tables/usual-seconds.ts';
import { createTestDatabase } from '../../support/database.ts';

test('nine of ten first tries took no longer; with few of a level, nothing is said', async () => {
  const { db, drop } = await createTestDatabase();
  try {
    const account = newId('account');
    await sql`insert into account (id, name, display_name, wrapped_key, master_key_id)
      values (${account}, 'busy', 'Busy', '', 'k')`.execute(db);
    /** One challenge for each number of seconds. */
    const finish = async (
      level: string,
      seconds: number[],
      { tries = 1, sandbox = false, device = 'off' } = {},
    ) => {
      const request = JSON.stringify({ liveness_level: level, device_binding: device });
      for (const each of seconds) {
        const id = newId('challenge');
        await sql`insert into challenge (id, account_id, sandbox, status, closed_reason, public_request, sealed_request,
            link_hash, tries_used, created_at, expires_at, closed_at)
          values (${id}, ${account}, ${sandbox}, 'completed', 'completed', ${request},
            '', sha256(${id}::bytea), ${tries}, now(), now() + interval '1 day', now() + ${each} * interval '1 second')`.execute(
          db,
        );
        await sql`insert into challenge_event (challenge_id, name, at) values
          (${id}, 'camera_granted', now()), (${id}, 'camera_granted', now() + interval '1 second')`.execute(
          db,
        );
      }
    };
    expect(await readUsualSeconds(db)).toEqual({});
    await finish(
      'standard',
      Array.from({ length: 21 }, (_, i) => 10 + i),
    );
    await finish('quick', Array(19).fill(7));
    await finish('standard', Array(30).fill(200), { tries: 2 });
    await finish('standard', Array(30).fill(200), { sandbox: true });
    // A person who looks for the right finger says nothing about the check.
    await finish('standard', Array(30).fill(200), { device: 'offer' });
    expect(await readUsualSeconds(db)).toEqual({ standard: 28 });
    await finish('quick', [7]);
    expect(await readUsualSeconds(db)).toEqual({ standard: 28, quick: 7 });
  } finally {
    await drop();
  }
});
