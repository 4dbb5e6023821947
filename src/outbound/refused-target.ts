// What a client-given URL alone can tell, before any name is looked up.
import { type AllowList, isRefusedHost } from './address.ts';
import { hasBadPort } from './bad-ports.ts';

/** Why no call to this URL would ever be made, whatever its name resolves to; null where one may be. */
export function refusedTarget(url: URL, allow: AllowList): 'address_not_allowed' | 'port_not_allowed' | null {
  if (isRefusedHost(url, allow)) return 'address_not_allowed';
  return hasBadPort(url) ? 'port_not_allowed' : null;
}
