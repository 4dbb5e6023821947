// Security headers of every answer, taken from helmet. Pages that need another policy override them.
import type { OutgoingHttpHeader } from 'node:http';
import helmet from '@fastify/helmet';
import { fastify } from 'fastify';

/** Headers that an answer has even without helmet. */
const BUILT_IN_HEADERS = new Set(['content-length', 'date', 'connection']);

/**
 * Names and values of the headers. They are the same for every answer, so helmet runs once, on a server that never
 * listens. Run for every answer, it takes a tenth of the work of creating a challenge, because node writes headers that
 * were set behind fastify's back one by one (bench/creates.ts).
 */
export async function securityHeaders(
  isHttps: boolean,
): Promise<Readonly<Record<string, OutgoingHttpHeader>>> {
  const asked = fastify();
  await asked.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"], 'base-uri': ["'none'"] },
    },
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: 'no-referrer' },
    // Only the CSP controls framing (FRAME_ANCESTORS); an opener may watch the capture page that it opened.
    frameguard: false,
    crossOriginOpenerPolicy: false,
    crossOriginResourcePolicy: { policy: 'same-origin' },
    originAgentCluster: true,
    xXssProtection: false,
  });
  asked.get('/', (_request, reply) => reply.send());
  const { headers } = await asked.inject('/');
  await asked.close();
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      BUILT_IN_HEADERS.has(name) || value === undefined ? [] : [[name, value]],
    ),
  );
}
