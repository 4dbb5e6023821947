// The console's page and its files. They are the same for everybody but for a nonce; the page gets its data from
// /console/api.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { App } from '../app-type.ts';
import { html } from '../documents/html.ts';
import { pageShell, shellPolicy } from '../documents/page-shell.ts';
import { type Page, sendPage } from '../documents/send-page.ts';
import type { HttpSettings } from '../settings.ts';
import { builtFiles } from './built-files.ts';

/** The page's components write their colours and breakpoints into style elements with this nonce. */
const policyOf = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "media-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Adds the page, or a notice if the console is off. @throws the file system's error if it is on and not built */
export async function consolePageRoutes(app: App, isOn: boolean, settings: HttpSettings): Promise<void> {
  const page = isOn ? builtPage(settings) : () => ({ html: offPage(), policy: shellPolicy("'none'") });
  app.get('/console', { schema: { hide: true } }, async (_request, reply) =>
    sendPage(reply.code(isOn ? 200 : 404), page()),
  );
  if (!isOn) return;
  await app.register(fastifyStatic, builtFiles(settings.consolePageDir, '/assets/console/'));
}

/** The built page, with a new nonce whenever it is sent. */
function builtPage({ consolePageDir }: HttpSettings): () => Page {
  const html = readFileSync(join(consolePageDir, 'index.html'), 'utf8');
  return () => {
    const nonce = randomBytes(16).toString('base64');
    return { html: html.replaceAll('%NONCE%', nonce), policy: policyOf(nonce) };
  };
}

function offPage(): string {
  return pageShell(
    'Console · Likeness',
    html`<h1>The console is off</h1><p>Set <code>CONSOLE_PASSWORD</code>, or run
      <code>likeness console openid set</code>, and start the service again.</p>`,
    'card',
  );
}
