// Which link and which device a request of the capture page is for.
import type { FastifyRequest } from 'fastify';
import type { Link } from '../../challenge/services.ts';
import { DEVICE_HEADER, type DeviceRequest } from '../../contract/capture-page.ts';

type LinkRequest = Pick<FastifyRequest, 'headers'> & { readonly params: { readonly token: string } };

/** The link of a request, as the challenge room expects it. */
export function linkOf(request: LinkRequest): Link {
  const { [DEVICE_HEADER]: device, authorization } = request.headers;
  const [, bearer] = /^Bearer (\S+)$/i.exec(authorization ?? '') ?? [];
  return { token: request.params.token, device: typeof device === 'string' ? device : bearer };
}

/** The link of a request in JSON, and what it says besides its device. */
export function sentBy<Body extends DeviceRequest>(request: LinkRequest & { readonly body: Body }) {
  const { device_token, ...body } = request.body;
  const link = linkOf(request);
  return { link: device_token === undefined ? link : { ...link, device: device_token }, body };
}
