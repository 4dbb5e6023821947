// How the files of a built page are served: as they were compressed by the build, and cached for good.
import type { FastifyStaticOptions } from '@fastify/static';

/** Options for the files of `root` below the path `prefix`. */
export function builtFiles(root: string, prefix: string): FastifyStaticOptions {
  return {
    root,
    prefix,
    index: false,
    decorateReply: false,
    preCompressed: true,
    // Every file but the page itself has its hash in its name.
    immutable: true,
    maxAge: '1y',
    allowedPath: (path) => !/\.(html|br|gz)$/.test(path),
    setHeaders: (reply) => {
      reply.header('vary', 'accept-encoding');
    },
  };
}
