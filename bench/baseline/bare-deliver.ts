// The upper bound for deliveries: a bare undici loop with one POST of the same size and one insert each. Environment:
// DATABASE_URL, RECEIVER_URL, COUNT, CONCURRENCY.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { Agent, request } from 'undici';

const { DATABASE_URL, RECEIVER_URL, COUNT, CONCURRENCY } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });
await pool.query(
  'create table if not exists bench_attempt (id text primary key, status integer not null, at timestamptz not null default now())',
);
const agent = new Agent();
/** As long as the result of an expired challenge. */
const body = JSON.stringify({ result: 'x'.repeat(640) });
let left = Number(COUNT);

async function loop(): Promise<void> {
  while (left-- > 0) {
    const answer = await request(RECEIVER_URL!, {
      dispatcher: agent,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'webhook-id': 'bench', 'webhook-signature': 'v1,bench' },
      body,
    });
    await answer.body.dump();
    const id = randomBytes(16).toString('hex');
    await pool.query('insert into bench_attempt (id, status) values ($1, $2)', [id, answer.statusCode]);
  }
}

await Promise.all(Array.from({ length: Number(CONCURRENCY) }, loop));
await pool.end();
await agent.close();
