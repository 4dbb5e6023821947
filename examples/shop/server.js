// A shop that asks for a face check before a large payment. The first one enrols the face, later ones compare with it.
// Start it while `npm start` runs, and open it:  node examples/shop/server.js
import { createServer } from 'node:http';
import { Likeness, LikenessProblem, verifyWebhook, WebhookVerificationError } from 'likeness';
import { connection } from '../connection.js';
import { featidsOf, findOrder, openOrder, settleOrder } from './orders.js';
import { orderPage, shopPage, sorryPage } from './pages.js';

const AMOUNT = 249;
/** Larger than any delivery. Limited because anyone can call this address. */
const MAX_WEBHOOK_BYTES = 1_000_000;
const { baseUrl, apiKey, webhookSecret } = connection();
const likeness = new Likeness({ baseUrl, apiKey });
const port = Number(process.env.PORT ?? 4000);
const shopUrl = process.env.SHOP_URL ?? `http://127.0.0.1:${port}`;
// Signing in is up to the shop and left out here: everyone is Ada.
const customer = 'ada';

const server = createServer(async (request, response) => {
  try {
    const { status = 200, headers = {}, body = '' } = await answer(request);
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body);
  } catch (error) {
    // The request id helps to find the request in the service's logs; the person learns only that it did not work.
    console.error(error instanceof LikenessProblem ? `${error.message} (${error.requestId})` : error);
    response.writeHead(502, { 'content-type': 'text/html; charset=utf-8' });
    response.end(sorryPage('Paying with your face does not work at the moment. Nothing was charged.'));
  }
});

/**
 * @param {import('node:http').IncomingMessage} request
 * @returns {Promise<{ status?: number, headers?: Record<string, string>, body?: string }>}
 */
async function answer(request) {
  const { pathname } = new URL(request.url ?? '/', shopUrl);
  const route = `${request.method} ${pathname}`;
  if (route === 'GET /') return { body: shopPage(AMOUNT, featidsOf(customer).length > 0) };
  if (route === 'POST /pay') return { status: 303, headers: { location: await askForFace() } };
  if (route === 'POST /webhooks') return receiveWebhook(request);
  const order = pathname.startsWith('/orders/') ? findOrder(pathname.slice('/orders/'.length)) : undefined;
  return order ? { body: orderPage(order) } : { status: 404, body: sorryPage('There is no such page.') };
}

/** Opens an order with a challenge; returns the link to which the person is redirected. */
async function askForFace() {
  const order = openOrder(customer, AMOUNT);
  const enrolled = featidsOf(customer);
  const endpoint = /** @type {const} */ ({
    type: 'http',
    properties: { endpoint_url: `${shopUrl}/webhooks` },
  });
  const challenge = await likeness.createChallenge(
    {
      customer_reference: order.id,
      ...(enrolled.length > 0
        ? { liveness_only: false, compare_to_featids: enrolled }
        : { liveness_only: true }),
      flow_behaviour: { exit_redirect_url: `${shopUrl}/orders/${order.id}` },
      notifications: { complete: [endpoint], expired: [endpoint] },
    },
    { idempotencyKey: order.id },
  );
  order.challengeId = challenge.challenge_id;
  return challenge.challenge_url;
}

/** @param {import('node:http').IncomingMessage} request */
async function receiveWebhook(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_WEBHOOK_BYTES) return { status: 413 };
    chunks.push(chunk);
  }
  try {
    const { deliveryId, result } = verifyWebhook(Buffer.concat(chunks), request.headers, webhookSecret);
    settleOrder(deliveryId, result);
    return { status: 204 };
  } catch (error) {
    if (error instanceof WebhookVerificationError) return { status: 400 };
    throw error;
  }
}

server.listen(port, '127.0.0.1', () => console.log(`shop ready on ${shopUrl}`));
