// The upper bound for creates: a bare fastify route with one insert of the same size into the same PostgreSQL. Prints
// `ready PORT`. Environment: DATABASE_URL.
import { randomBytes } from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
await pool.query(
  'create table if not exists bench_bare (id text primary key, body jsonb not null, at timestamptz not null default now())',
);
const server = Fastify();
server.post('/v1/create-challenge', async (request, reply) => {
  const id = randomBytes(16).toString('hex');
  await pool.query('insert into bench_bare (id, body) values ($1, $2)', [id, JSON.stringify(request.body)]);
  return reply.code(201).send({
    challenge_id: id,
    challenge_url: `http://127.0.0.1/c/${id}`,
    expires_at: new Date().toISOString(),
  });
});
await server.listen({ host: '127.0.0.1', port: 0 });
const address = server.server.address();
if (address && typeof address === 'object') process.stdout.write(`ready ${address.port}\n`);
