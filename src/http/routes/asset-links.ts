// Signed links to a challenge's video and best frame: the signature is the only credential. Bytes go out decrypted, as
// a download, with byte ranges.
import { Type } from 'typebox';
import type { ChallengeServices } from '../../challenge/services.ts';
import { Id } from '../../contract/field-types.ts';
import type { App } from '../app-type.ts';
import { problemResponses } from '../documents/openapi.ts';
import { readRange } from './byte-range.ts';

const AssetPath = Type.Object({ asset_id: Id('ast') });
const Signed = Type.Object({
  expires: Type.String({ maxLength: 32 }),
  signature: Type.String({ maxLength: 128 }),
});
const Range = Type.Object({ range: Type.Optional(Type.String({ description: 'One byte range.' })) });

const EXTENSIONS: Readonly<Record<string, string>> = {
  'video/webm': 'webm',
  'video/mp4': 'mp4',
  'image/bmp': 'bmp',
};

/** One entry for all: which type a file has, the file alone says. */
const FILE = { '*/*': { schema: {} } };
const TYPES = 'its `Content-Type` is `video/webm`, `video/mp4`, `image/bmp` or `application/octet-stream`';

export function assetLinkRoutes(app: App, challenges: Pick<ChallengeServices, 'readAsset'>): void {
  app.route({
    method: 'GET',
    url: '/assets/links/:asset_id',
    schema: {
      operationId: 'getAsset',
      tags: ['Assets'],
      summary: 'Download an asset by its presigned link',
      description: 'Take the whole URL from `assets_links`: it needs no API key and works until it expires.',
      security: [],
      params: AssetPath,
      querystring: Signed,
      headers: Range,
      response: {
        200: { description: `The file; ${TYPES}`, content: FILE },
        206: { description: `The requested range of the file; ${TYPES}`, content: FILE },
        ...problemResponses(
          'bad-request',
          'not-found',
          'gone',
          'validation-failed',
          'rate-limited',
          'internal',
          'saturated',
          'storage-unavailable',
        ),
      },
    },
    handler: async (request, reply) => {
      const { asset_id } = request.params;
      const outcome = await challenges.readAsset(asset_id, request.query);
      if (outcome.status === 'not_found') return reply.problem('not-found');
      if (outcome.status === 'expired') return reply.problem('gone', { detail: 'The link has expired.' });
      const name = `${asset_id}.${EXTENSIONS[outcome.mimeType.split(';', 1)[0]!] ?? 'bin'}`;
      reply.headers({
        'content-disposition': `attachment; filename="${name}"`,
        'cache-control': 'private, no-store',
        // Clients may show it in a page of their own.
        'cross-origin-resource-policy': 'cross-origin',
        'accept-ranges': 'bytes',
      });
      const range = readRange(request.headers.range, outcome.sizeBytes);
      const bytes = await outcome.open(range === 'whole' ? undefined : range);
      reply.type(outcome.mimeType);
      if (range === 'whole') return reply.header('content-length', outcome.sizeBytes).send(bytes);
      reply.code(206).headers({
        'content-length': range.to + 1 - range.from,
        'content-range': `bytes ${range.from}-${range.to}/${outcome.sizeBytes}`,
      });
      return reply.send(bytes);
    },
  });
}
