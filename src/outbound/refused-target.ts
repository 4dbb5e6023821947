// Checks a client-given URL by itself, before any name is looked up.
import { type AllowList, isRefusedHost } from './address.ts';
import { hasRefusedPort } from './bad-ports.ts';

/** Why a call to this URL would always be refused, whatever its name resolves to; null if it may be made. */
export function refusedTarget(url: URL, allow: AllowList): 'address_not_allowed' | 'port_not_allowed' | null {
  if (isRefusedHost(url, allow)) return 'address_not_allowed';
  return hasRefusedPort(url, allow) ? 'port_not_allowed' : null;
}
