// A webhook receiver: verifies each delivery, ignores duplicates, responds quickly and prints the result.
// Start it while `npm start` runs:  node examples/receiver/server.js
import { createServer } from 'node:http';
import { verifyWebhook, WebhookVerificationError } from 'likeness';
import { connection } from '../connection.js';

const { webhookSecret } = connection();
const port = Number(process.env.PORT ?? 4001);
const MAX_BODY_BYTES = 1_000_000;

/** Ids of deliveries already seen. A real receiver stores them with its business data, in the same transaction. */
const seen = new Set();

const server = createServer(async (request, response) => {
  if (request.method !== 'POST') return void response.writeHead(405).end();
  try {
    const body = await readBody(request);
    if (body === null) return void response.writeHead(413).end();
    // Use the body byte for byte as received. Parsed and serialised again, it would not match its signature.
    const { deliveryId, result } = verifyWebhook(body, request.headers, webhookSecret);
    // A delivery is repeated if its response was lost. Acknowledge it, and do nothing twice.
    if (!seen.has(deliveryId)) {
      seen.add(deliveryId);
      const score = bestScore(result);
      console.log(
        `${result.challenge_id} (${result.customer_reference ?? 'no reference'}): ${result.status}, ${result.overall_result ?? 'not judged'}${score === null ? '' : `, best score ${score}`}`,
      );
    }
    response.writeHead(204).end();
  } catch (error) {
    // After a 500 the delivery is retried. A caller that disconnects midway must not crash the receiver.
    const isRefused = error instanceof WebhookVerificationError;
    console.error(isRefused ? `refused: ${error.message}` : error);
    response.writeHead(isRefused ? 400 : 500).end();
  }
});

server.listen(port, '127.0.0.1', () => console.log(`receiver ready on http://127.0.0.1:${port}`));

/** @param {import('likeness').ChallengeResult} result */
function bestScore(result) {
  if (!result.match_result || !('compared_to_featids' in result.match_result)) return null;
  return Math.max(0, ...result.match_result.compared_to_featids.map((compared) => compared.score));
}

/**
 * The whole body, or null if it is too large to be a delivery.
 * @param {import('node:http').IncomingMessage} request
 */
async function readBody(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
