// The shop's three pages. Everything shown is escaped by `html`.

/** @param {TemplateStringsArray} strings @param {...(string | number)} values */
function html(strings, ...values) {
  const escaped = values.map((value) =>
    String(value).replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`),
  );
  return String.raw({ raw: strings }, ...escaped);
}

/** @param {string} title @param {string} body @param {string} [head] */
function page(title, body, head = '') {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">${head}
<style>
  body { font: 18px/1.5 system-ui, sans-serif; max-width: 32rem; margin: 12vh auto; padding: 0 1rem; color: #1d2733 }
  button { font: inherit; padding: .7rem 1.4rem; border: 0; border-radius: .6rem; background: #0a66c2; color: #fff }
  .soft { color: #51606f }
</style></head><body>${body}</body></html>`;
}

/** @param {number} amount @param {boolean} enrolled */
export function shopPage(amount, enrolled) {
  const next = enrolled
    ? 'We will ask you for a short selfie video, to see that it is you.'
    : 'The first time, a short selfie video is taken, so that nobody else can pay for you later.';
  return page(
    'Lamp shop',
    html`<h1>A very good lamp</h1><p>${amount} euros</p><p class="soft">${next}</p>
<form method="post" action="/pay"><button>Pay with your face</button></form>`,
  );
}

/** @type {Record<import('./orders.js').OrderStatus, readonly [title: string, text: string]>} */
const WORDS = {
  awaiting_face: ['One moment …', 'We are waiting for the result.'],
  paid: ['Paid. Thank you!', 'The lamp is on its way.'],
  refused: ['Not paid', 'We could not see that it was you. Nothing was charged.'],
  abandoned: ['Not paid', 'The link expired before a video was taken.'],
};

/** @param {import('./orders.js').Order} order */
export function orderPage(order) {
  const [title, text] = WORDS[order.status];
  // The page reloads every second until the webhook has arrived.
  const again = order.status === 'awaiting_face' ? '<meta http-equiv="refresh" content="1">' : '';
  return page(
    'Your order',
    html`<h1>${title}</h1><p>${text}</p><p><a href="/">Back to the shop</a></p>`,
    again,
  );
}

/** @param {string} text */
export const sorryPage = (text) => page('Sorry', html`<h1>Sorry</h1><p>${text}</p>`);
