// Reading JSON bodies: strict UTF-8, no keys that poison prototypes, no other content type.
import type { FastifyInstance } from 'fastify';
import { whyMalformed } from '../problems/malformed-json.ts';
import { HttpProblem } from '../problems/problem-reply.ts';

/**
 * Makes `application/json` the only content type that this scope accepts. An empty body reads as undefined, which
 * routes with a schema refuse and routes without one ignore.
 */
export function acceptJsonOnly(app: FastifyInstance, limitBytes: number): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: limitBytes },
    (request, body: Buffer, done) => {
      if (body.length === 0) {
        done(null, undefined);
        return;
      }
      let text: string;
      try {
        text = utf8.decode(body);
      } catch {
        done(new HttpProblem('malformed-json', { detail: 'The body is not UTF-8.' }), undefined);
        return;
      }
      parse(request, text, (error, value) => {
        if (error) done(new HttpProblem('malformed-json', { detail: whyMalformed(text) }), undefined);
        else done(null, value);
      });
    },
  );
}
