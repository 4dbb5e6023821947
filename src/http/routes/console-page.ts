// The console's page and its files. They are the same for everybody; the page gets its data from /console/api.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { App } from '../app-type.ts';
import { html } from '../documents/html.ts';
import { pageShell, shellPolicy } from '../documents/page-shell.ts';
import { sendPage } from '../documents/send-page.ts';
import type { HttpSettings } from '../settings.ts';
import { builtFiles } from './built-files.ts';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "media-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Adds the page, or a notice if the console is off. @throws the file system's error if it is on and not built */
export async function consolePageRoutes(app: App, isOn: boolean, settings: HttpSettings): Promise<void> {
  const page = isOn
    ? { html: readFileSync(join(settings.consolePageDir, 'index.html'), 'utf8'), policy: POLICY }
    : { html: offPage(), policy: shellPolicy("'none'") };
  app.get('/console', { schema: { hide: true } }, async (_request, reply) =>
    sendPage(reply.code(isOn ? 200 : 404), page),
  );
  if (!isOn) return;
  await app.register(fastifyStatic, builtFiles(settings.consolePageDir, '/assets/console/'));
}

function offPage(): string {
  return pageShell(
    'Console · Likeness',
    html`<h1>The console is off</h1><p>Set <code>CONSOLE_PASSWORD</code> and start the service again.</p>`,
    'card',
  );
}
