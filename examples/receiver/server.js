// A webhook receiver: verifies each delivery, drops repetitions, answers quickly, prints what it learnt.
// Start it beside `npm start`:  node examples/receiver/server.js
import { createServer } from 'node:http';
import { verifyWebhook, WebhookVerificationError } from 'likeness';
import { connection } from '../connection.js';

const { webhookSecret } = connection();
const port = Number(process.env.PORT ?? 4001);
const MAX_BODY_BYTES = 1_000_000;

/** Deliveries seen. A real receiver keeps these where its business data is, in the same transaction. */
const seen = new Set();

const server = createServer(async (request, response) => {
  if (request.method !== 'POST') return void response.writeHead(405).end();
  try {
    const body = await readBody(request);
    if (body === null) return void response.writeHead(413).end();
    // The body byte for byte as it came: parsed and written again it would have another signature.
    const { deliveryId, result } = verifyWebhook(body, request.headers, webhookSecret);
    // The same delivery comes again when an answer was lost on the way: say yes, and do nothing twice.
    if (!seen.has(deliveryId)) {
      seen.add(deliveryId);
      const score = bestScore(result);
      console.log(
        `${result.challenge_id} (${result.customer_reference ?? 'no reference'}): ${result.status}, ${result.overall_result ?? 'not judged'}${score === null ? '' : `, best score ${score}`}`,
      );
    }
    response.writeHead(204).end();
  } catch (error) {
    // Answered 500, the delivery comes again. A caller who hangs up in the middle must not end the receiver.
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
 * The whole body, or null when it is too large to be a delivery.
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
