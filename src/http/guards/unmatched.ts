// Requests that match no route: 405 with Allow if the path exists, else 404. Answered before the body is read.
import type { FastifyInstance } from 'fastify';

interface KnownPath {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

/** Answers requests that match no route. It learns the routes as they are added, so call it before adding any. */
export function answerUnmatched(app: FastifyInstance): void {
  const paths = new Map<string, KnownPath>();
  app.addHook('onRoute', (route) => {
    const known = paths.get(route.url) ?? { pattern: patternOf(route.url), methods: new Set<string>() };
    for (const method of [route.method].flat()) known.methods.add(method);
    paths.set(route.url, known);
  });
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return;
    const path = request.url.split('?', 1)[0]!;
    const allowed = new Set<string>();
    for (const known of paths.values()) {
      if (known.pattern.test(path)) for (const method of known.methods) allowed.add(method);
    }
    if (allowed.size === 0) return reply.problem('not-found');
    return reply.header('allow', [...allowed].sort().join(', ')).problem('method-not-allowed');
  });
  app.setNotFoundHandler((_request, reply) => reply.problem('not-found'));
}

/** `/v1/challenges/:id` and `/assets/*` as regular expressions: parameters are one segment, `*` is the rest. */
function patternOf(url: string): RegExp {
  const source = url
    .split('/')
    .map((part) => {
      if (part.startsWith(':')) return '[^/]+';
      return part === '*' ? '.*' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
    })
    .join('/');
  return new RegExp(`^${source}$`);
}
