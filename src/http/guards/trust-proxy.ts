// Parses TRUST_PROXY for fastify: whose X-Forwarded-* headers are trusted.
import ipaddr from 'ipaddr.js';
import { Fault } from '../../base/errors.ts';

/**
 * The `trustProxy` option for TRUST_PROXY.
 * @throws Fault CONFIG_INVALID for anything but false, true, a hop count, or addresses and networks separated by commas
 */
export function readTrustProxy(
  text: string,
): boolean | string[] | ((address: string, hop: number) => boolean) {
  const value = text.trim();
  if (value === '' || value === 'false') return false;
  if (value === 'true') return true;
  if (/^\d{1,2}$/.test(value)) {
    // The number of proxies in front, according to the operator. Clients that bypass them can forge the other entries.
    const hops = Number(value);
    return (_address, hop) => hop < hops;
  }
  const entries = value.split(',').map((entry) => entry.trim());
  if (entries.every(isAddressOrNetwork)) return entries;
  throw new Fault('CONFIG_INVALID', 'TRUST_PROXY must be false, true, a hop count or a list of addresses');
}

function isAddressOrNetwork(entry: string): boolean {
  // Names that fastify's proxy-addr accepts for whole ranges.
  if (['loopback', 'linklocal', 'uniquelocal'].includes(entry)) return true;
  return entry.includes('/') ? ipaddr.isValidCIDR(entry) : ipaddr.isValid(entry);
}
