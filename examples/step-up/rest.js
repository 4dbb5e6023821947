// Face check before a payment, by REST and a redirect; no webhook. Beside `npm start`: node examples/step-up/rest.js
import { createServer } from 'node:http';
import { connection } from '../connection.js';

const { baseUrl, apiKey } = connection();
const port = Number(process.env.PORT ?? 4002);
const ada = { challengeId: '', featid: '' }; // signing in is up to the app: everyone is Ada

/** @param {string} path @param {object} [body] @returns {Promise<any>} */
async function call(path, body) {
  const headers = { authorization: `Basic ${apiKey}`, 'content-type': 'application/json' };
  const request = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
  const answer = await fetch(baseUrl + path, request);
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return answer.json();
}

createServer(async ({ method, url }, response) => {
  const page = (/** @type {string} */ text) =>
    response
      .setHeader('content-type', 'text/html; charset=utf-8')
      .end(`<!doctype html><title>Shop</title>${text}`);
  try {
    if (method === 'POST' && url === '/pay') {
      const challenge = await call('/v1/create-challenge', {
        ...(ada.featid
          ? { liveness_only: false, compare_to_featids: [ada.featid] }
          : { liveness_only: true }),
        flow_behaviour: { exit_redirect_url: `http://127.0.0.1:${port}/checked` },
      });
      ada.challengeId = challenge.challenge_id;
      response.writeHead(303, { location: challenge.challenge_url }).end();
    } else if (url === '/checked') {
      const result = await call(`/v1/challenges/${ada.challengeId}`);
      const passed = result.overall_result === 'pass';
      if (passed) ada.featid ||= result.liveness_result.liveness_featid;
      page(passed ? 'Paid. Thank you, Ada.' : 'Nothing was charged.');
    } else page('<form method="post" action="/pay"><button>Pay 249</button></form>');
  } catch (error) {
    console.error(error);
    response.statusCode = 502;
    page('It does not work at the moment. Nothing was charged.');
  }
}).listen(port, '127.0.0.1', () => console.log(`step-up ready on http://127.0.0.1:${port}`));
