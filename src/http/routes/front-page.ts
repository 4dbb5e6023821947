// GET /: links to everything else. In development it also creates a challenge at the press of a button, without any
// code.
import { randomBytes } from 'node:crypto';
import type { App } from '../app-type.ts';
import {
  FRONT_SCRIPT,
  FRONT_SCRIPT_PATH,
  type FrontPage,
  frontPage,
  trialPage,
} from '../documents/front-page.ts';
import { FRONT_STYLE, FRONT_STYLE_PATH } from '../documents/front-style.ts';
import { shellPolicy } from '../documents/page-shell.ts';
import { sendPage } from '../documents/send-page.ts';
import { addressOf, limitRate } from '../guards/rate-limits.ts';
import type { HttpServices } from '../services.ts';
import type { HttpSettings } from '../settings.ts';

const hidden = { schema: { hide: true } };
const config = { quiet: true };
const MAX_AGE = 'public, max-age=300';
const POLICY = shellPolicy("'none'", { formAction: "'self'", scripts: true });
const FORM_BODY_BYTES = 1_024;
/** Length of the CSRF token in our forms. Other sites cannot read this page or its token. New with each process. */
const FORM_TOKEN_BYTES = 16;

const FILES = [
  [FRONT_STYLE_PATH, 'text/css', FRONT_STYLE],
  [FRONT_SCRIPT_PATH, 'application/javascript', FRONT_SCRIPT],
] as const;

export async function frontPageRoutes(
  app: App,
  services: HttpServices,
  settings: HttpSettings,
): Promise<void> {
  const token = randomBytes(FORM_TOKEN_BYTES).toString('hex');
  const { trial } = services;
  const { version, region } = settings;
  const formToken = trial && token;
  const page = frontPage({ version, region, links: linksOf(services, settings), formToken });
  app.get('/', { ...hidden, config }, async (_request, reply) =>
    sendPage(reply, { html: page, policy: POLICY }),
  );
  for (const [path, type, text] of FILES) {
    app.get(path, { ...hidden, config }, async (_request, reply) =>
      reply.header('cache-control', MAX_AGE).type(`${type}; charset=utf-8`).send(text),
    );
  }
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

/** The pages that it leads to. */
function linksOf({ console }: HttpServices, { tryOut }: HttpSettings): FrontPage['links'] {
  const hasConsole = console !== null && console !== 'elsewhere';
  return [
    { path: '/docs', title: 'Documentation', text: 'Guides from the first challenge to production.' },
    {
      path: '/docs/api',
      title: 'API reference',
      text: tryOut ? 'Every call, which you can make from this browser.' : 'Every call, with examples.',
    },
    ...(hasConsole
      ? [{ path: '/console', title: 'Console', text: 'Challenges, deliveries and accounts, for operators.' }]
      : []),
  ];
}
