// Face check before a payment, inside the app's own page, under a strict policy. `npm pack ./packages/likeness` builds
// the element. Then run, beside `npm start`: node examples/step-up/component.js
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Likeness } from 'likeness';
import { connection } from '../connection.js';

const { baseUrl, apiKey } = connection();
const likeness = new Likeness({ baseUrl, apiKey });
const port = Number(process.env.PORT ?? 4003);
const element = readFileSync(new URL('../../packages/likeness/dist/element.js', import.meta.url));
const ada = { challengeId: '', featid: '' }; // signing in is up to the app: everyone is Ada

const policy = `default-src 'none'; script-src 'self'; connect-src 'self'; frame-src ${new URL(baseUrl).origin}`;
const html = `<!doctype html><title>Shop</title><button>Pay 249</button><likeness-check hidden></likeness-check><p></p>
<script type="module" src="/element.js"></script><script type="module" src="/page.js"></script>`;
const script = `const [button, check, text] = ['button', 'likeness-check', 'p'].map((name) => document.querySelector(name));
button.onclick = async () => { check.challengeUrl = await (await fetch('/pay', { method: 'POST' })).text(); check.hidden = false; };
check.addEventListener('completed', async () => { check.hidden = true; text.textContent = await (await fetch('/checked')).text(); });
check.addEventListener('failed', ({ detail }) => { text.textContent = 'Nothing was charged: ' + detail.reason; });`;

createServer(async ({ method, url }, response) => {
  const answer = (/** @type {string} */ type, /** @type {string | Buffer} */ body) =>
    response.writeHead(200, { 'content-type': type, 'content-security-policy': policy }).end(body);
  try {
    if (method === 'POST' && url === '/pay') {
      const challenge = await likeness.createChallenge(
        ada.featid ? { liveness_only: false, compare_to_featids: [ada.featid] } : { liveness_only: true },
      );
      ada.challengeId = challenge.challenge_id;
      answer('text/plain', challenge.challenge_url);
    } else if (url === '/checked') {
      const result = await likeness.getChallenge(ada.challengeId);
      const passed = result.overall_result === 'pass';
      if (passed) ada.featid ||= result.liveness_result?.liveness_featid ?? '';
      answer('text/plain', passed ? 'Paid. Thank you, Ada.' : 'Nothing was charged.');
    } else if (url === '/element.js') answer('text/javascript', element);
    else if (url === '/page.js') answer('text/javascript', script);
    else answer('text/html; charset=utf-8', html);
  } catch (error) {
    console.error(error);
    response.writeHead(502).end();
  }
}).listen(port, '127.0.0.1', () => console.log(`step-up ready on http://127.0.0.1:${port}`));
