// The front page, and the page of a challenge that it has created: its link to open, to copy and for a phone.
import { encodeQR } from 'qr';
import { FRONT_STYLE_PATH } from './front-style.ts';
import { Html, html } from './html.ts';
import { ICON_PATH, pageShell } from './page-shell.ts';

export const FRONT_SCRIPT_PATH = '/front-page.js';

/** Copy buttons, where the browser allows them: elsewhere the text is selected at a click. */
export const FRONT_SCRIPT = `'use strict';
if (navigator.clipboard) {
  for (const button of document.querySelectorAll('.copyable button')) {
    button.hidden = false;
    button.addEventListener('click', async () => {
      const text = button.previousElementSibling.textContent;
      button.textContent = await navigator.clipboard.writeText(text).then(() => 'Copied', () => 'Not copied');
      setTimeout(() => { button.textContent = 'Copy'; }, 2000);
    });
  }
}
`;

/** What the front page offers. */
export interface FrontPage {
  readonly version: string;
  readonly region: string;
  readonly links: readonly { readonly path: string; readonly title: string; readonly text: string }[];
  /** The token of the forms that create a challenge; null if this page creates none. */
  readonly formToken: string | null;
}

export function frontPage({ version, region, links, formToken }: FrontPage): string {
  return frontShell(
    'Likeness',
    html`<p class="mark"><img src="${ICON_PATH}" alt=""> Likeness <span class="soft">version ${version}, region ${region}</span></p>
<h1>A live person, and the same person</h1>
<p class="lead">Biometric authentication challenges, judged on your own machines.</p>
<p class="notice">Were you asked to verify your identity? Open the link that you were sent; there is nothing to do on this page.</p>
${formToken && trySection(formToken)}
<h2>For developers and operators</h2>
<ul class="cards">${links.map(
      ({ path, title, text }) => html`<li><h3><a href="${path}">${title}</a></h3><p>${text}</p></li>`,
    )}</ul>`,
  );
}

function trySection(token: string): Html {
  const card = (action: string, title: string, text: string, button: Html) =>
    html`<form method="post" action="${action}"><h3>${title}</h3><p>${text}</p>${button}</form>`;
  return html`<h2>Try a challenge</h2>
<p>In development mode this page creates one for you, as your server would with <code>POST /v1/create-challenge</code>.</p>
<div class="cards">${card(
    '/try/camera',
    'With a camera',
    'Record a short video selfie, and see what the person sees.',
    html`<button class="primary" name="token" value="${token}">Create a challenge</button>`,
  )}${card(
    '/try/sandbox',
    'In the sandbox',
    'No camera and no face: you choose how the check ends.',
    html`<button name="token" value="${token}">Create a sandbox challenge</button>`,
  )}</div>`;
}

/** `show`: the command that shows the challenge. */
export function trialPage(url: string, show: string): string {
  return frontShell(
    'A challenge · Likeness',
    html`<p class="mark"><img src="${ICON_PATH}" alt=""> <a href="/">Likeness</a></p>
<h1>Your challenge is ready</h1>
<div class="ready"><div>
<p class="lead">Open it as the person would, here or on another device.</p>
<p><a class="primary" href="${url}">Open the challenge</a></p>
<h2>Its link</h2>
${copyable(url)}
<h2>Its state and its result</h2>
${copyable(`bin/likeness ${show}`)}
</div>${phoneCard(url)}</div>`,
  );
}

const copyable = (text: string): Html =>
  html`<div class="copyable"><code>${text}</code><button type="button" hidden>Copy</button></div>`;

/** A phone cannot open a link to this machine's own loopback address. */
const LOOPBACK = /^(localhost|127\.[\d.]+|\[::1\])$/;

function phoneCard(url: string): Html {
  const isForPhones = !LOOPBACK.test(new URL(url).hostname);
  return isForPhones
    ? html`<section class="phone" aria-labelledby="phone">${new Html(
        `<svg role="img" aria-label="QR code with the link"${encodeQR(url, 'svg', { ecc: 'medium', border: 4 }).slice('<svg'.length)}`,
      )}<p id="phone"><strong>On your phone:</strong> scan the code with its camera.</p></section>`
    : html`<section class="phone"><p><strong>On your phone:</strong> this link leads to this machine alone. Start the service with <code>DEV_TLS=1</code>: a code to scan is here then.</p></section>`;
}

const frontShell = (title: string, content: Html): string =>
  pageShell(
    title,
    content,
    'document',
    html`<link rel="stylesheet" href="${FRONT_STYLE_PATH}"><script src="${FRONT_SCRIPT_PATH}" defer></script>`,
  );
