// GET /: links to everything else. In development it also creates a challenge at the press of a button, without any
// code.
import { randomBytes } from 'node:crypto';
import type { App } from '../app-type.ts';
import { type Html, html } from '../documents/html.ts';
import { pageShell, shellPolicy } from '../documents/page-shell.ts';
import { sendPage } from '../documents/send-page.ts';
import { addressOf, limitRate } from '../guards/rate-limits.ts';
import type { HttpServices } from '../services.ts';
import type { HttpSettings } from '../settings.ts';

const hidden = { schema: { hide: true } };
const POLICY = shellPolicy("'none'", { formAction: "'self'" });
const FORM_BODY_BYTES = 1_024;
/** Length of the CSRF token in our forms. Other sites cannot read this page or its token. New with each process. */
const FORM_TOKEN_BYTES = 16;

export async function frontPageRoutes(
  app: App,
  services: HttpServices,
  settings: HttpSettings,
): Promise<void> {
  const token = randomBytes(FORM_TOKEN_BYTES).toString('hex');
  const page = frontPage(services, settings, token);
  app.get('/', { ...hidden, config: { quiet: true } }, async (_request, reply) =>
    sendPage(reply, { html: page, policy: POLICY }),
  );
  const { trial } = services;
  if (!trial) return;
  await app.register(async (scope) => {
    limitRate(scope, { max: settings.pageRatePerMinute, countedBy: addressOf });
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BODY_BYTES },
      (_request, body: string, done) => done(null, new URLSearchParams(body).get('token')),
    );
    for (const kind of ['camera', 'sandbox'] as const) {
      scope.post(`/try/${kind}`, hidden, async (request, reply) => {
        if (request.body !== token)
          return reply.problem('forbidden', { detail: 'Reload the page, then press the button again.' });
        const { challenge_id, challenge_url } = await trial(kind === 'sandbox');
        const show = `challenge show ${challenge_id}${kind === 'sandbox' ? ' --sandbox' : ''}`;
        return sendPage(reply, { html: trialPage(challenge_url, show), policy: POLICY });
      });
    }
  });
}

function frontPage(
  { console, trial }: HttpServices,
  { version, region, tryOut }: HttpSettings,
  token: string,
): string {
  return pageShell(
    'Likeness',
    html`<h1>Likeness</h1>
<p class="soft">Biometric authentication challenges. Version ${version}, region ${region}.</p>
<p>Were you asked to verify your identity? Open the link that you were sent; there is nothing to do on this page.</p>
${trial && trialSection(token)}
<h2>For developers and operators</h2>
<ul>
<li><a href="/docs">Documentation</a></li>
<li><a href="/docs/api">API reference</a>${tryOut && ', from which you can call the API'}</li>
${console && console !== 'elsewhere' && html`<li><a href="/console">Console</a></li>`}
</ul>`,
  );
}

function trialSection(token: string): Html {
  const button = (action: string, label: string) =>
    html`<form method="post" action="${action}"><button name="token" value="${token}">${label}</button></form>`;
  return html`<h2>Try a challenge</h2>
<p>In development mode this page creates one for you, as your server would with <code>POST /v1/create-challenge</code>.</p>
${button('/try/camera', 'With this device’s camera')}
${button('/try/sandbox', 'In the sandbox, without a camera')}`;
}

function trialPage(url: string, show: string): string {
  return pageShell(
    'A challenge · Likeness',
    html`<h1>Your challenge is ready</h1>
<p><a href="${url}">Open it</a> as the person would, here or on another device.</p>
<p>To see its state and its result:</p>
<pre><code>bin/likeness ${show}</code></pre>
<p><a href="/">Back</a></p>`,
  );
}
