// The console's page and its files: the same for everybody; what it shows it asks of /console/api.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { App } from '../app.ts';
import { html } from '../html.ts';
import { pageShell, shellPolicy } from '../page-shell.ts';
import type { HttpSettings } from '../services.ts';

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

/** @throws the file system's error where the page is not built and the console is on */
export async function consolePageRoutes(app: App, isOn: boolean, settings: HttpSettings): Promise<void> {
  const policy = isOn ? POLICY : shellPolicy("'none'");
  const page = isOn ? readFileSync(join(settings.consolePageDir, 'index.html'), 'utf8') : offPage();
  app.get('/console', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .code(isOn ? 200 : 404)
      .header('content-security-policy', policy)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(page),
  );
  if (!isOn) return;
  await app.register(fastifyStatic, {
    root: settings.consolePageDir,
    prefix: '/assets/console/',
    index: false,
    decorateReply: false,
    preCompressed: true,
    // Every file but the page itself has its hash in its name.
    immutable: true,
    maxAge: '1y',
    allowedPath: (path) => !path.endsWith('.html') && !path.endsWith('.br') && !path.endsWith('.gz'),
    setHeaders: (response) => {
      response.setHeader('vary', 'accept-encoding');
    },
  });
}

function offPage(): string {
  return pageShell(
    'Console · Likeness',
    html`<h1>The console is off</h1><p>Set <code>CONSOLE_PASSWORD</code> and start the service again.</p>`,
    'card',
  );
}
