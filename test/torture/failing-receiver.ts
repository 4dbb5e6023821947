// A webhook receiver that fails at random: it refuses, breaks off or delays. It records a delivery before it
// acknowledges it.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import type { Ledger } from './ledger.ts';

/** Shares of the calls that are answered with 500, that lose their connection, and that wait before their answer. */
const REFUSED = 0.15;
const BROKEN = 0.05;
const SLOW = 0.05;
const SLOW_MS = 2_000;

/** Listens on 127.0.0.1 until it is closed. */
export async function startFailingReceiver(options: {
  port: number;
  ledger: Ledger;
  webhookSecret: string;
}): Promise<Server> {
  const server = createServer((request, response) => {
    receive(options, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  return server;
}

async function receive(
  { ledger, webhookSecret }: { ledger: Ledger; webhookSecret: string },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString('utf8');
  if (!isSigned(webhookSecret, body, request)) {
    ledger.append({ kind: 'badSignature' });
    response.writeHead(401).end();
    return;
  }
  const luck = Math.random();
  const acknowledged = luck > REFUSED + BROKEN;
  const result = JSON.parse(body);
  ledger.append({
    kind: 'received',
    id: result.challenge_id,
    delivery: String(request.headers['webhook-id']),
    status: result.status,
    overall: result.overall_result,
    digest: digestOf(result),
    acknowledged,
  });
  if (luck < BROKEN) response.destroy();
  else if (!acknowledged) response.writeHead(500).end('out of order');
  else {
    if (luck > 1 - SLOW) await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    response.writeHead(204).end();
  }
}

function isSigned(secret: string, body: string, request: IncomingMessage): boolean {
  try {
    new Webhook(secret).verify(body, request.headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

/** Digest of the parts of a closed challenge's result that never change: all but its links. */
export function digestOf(result: Record<string, unknown>): string {
  const { assets_links: _links, ...fixed } = result;
  return createHash('sha256').update(JSON.stringify(fixed)).digest('base64url');
}
