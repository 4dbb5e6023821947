// Which addresses a call to a client-given URL may reach: public unicast, and what the operator allows explicitly.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Fault } from '../base/errors.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The operator's exceptions: host names, and networks (a single address is a network of size one). */
export interface AllowList {
  readonly hosts: ReadonlySet<string>;
  readonly networks: readonly (readonly [Address, number])[];
}

/** What development mode allows by default. */
export const LOOPBACK_HOSTS = ['localhost', '127.0.0.0/8', '::1'] as const;

/**
 * Public according to the registry, but internal to a platform: Azure's WireServer. (169.254.169.254 and similar
 * addresses are link-local already.)
 */
const PLATFORM_ADDRESSES: ReadonlySet<string> = new Set(['168.63.129.16']);

/** IANA allocates global unicast addresses only from 2000::/3 (RFC 4291 §2.4, IANA IPv6 address space). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
const IPV4_COMPATIBLE = ipaddr.IPv6.parseCIDR('::/96');

/**
 * Parses the entries of `WEBHOOK_ALLOW_HOSTS`: host names, addresses, CIDR networks.
 * @throws Fault CONFIG_INVALID for an entry that is none of these.
 */
export function parseAllowList(entries: readonly string[]): AllowList {
  const hosts = new Set<string>();
  const networks: [Address, number][] = [];
  for (const entry of entries.map((each) => each.trim()).filter((each) => each !== '')) {
    const bare = entry.replace(/^\[([^\]]*)\]/, '$1').replace(/\.$/, '');
    if (ipaddr.isValidCIDR(bare)) networks.push(ipaddr.parseCIDR(bare));
    else if (ipaddr.IPv6.isValid(bare) || ipaddr.IPv4.isValidFourPartDecimal(bare)) {
      const address = ipaddr.process(bare);
      networks.push([address, address.kind() === 'ipv4' ? 32 : 128]);
    } else if (/^[a-z0-9_]([a-z0-9._-]*[a-z0-9_])?$/i.test(bare)) hosts.add(canonicalHost(bare));
    else
      throw new Fault('CONFIG_INVALID', `WEBHOOK_ALLOW_HOSTS: not a host name, address or network: ${entry}`);
  }
  return { hosts, networks };
}

/** Lower case, without the trailing root dot: `LOCALHOST.` and `localhost` are the same name. */
function canonicalHost(hostname: string): string {
  return hostname.toLowerCase().replace(/\.$/, '');
}

/** Whether the operator allows this host by name, whatever it resolves to. */
export function isAllowedHost(hostname: string, allow: AllowList): boolean {
  return allow.hosts.has(canonicalHost(hostname));
}

/**
 * Whether a host is an IP address literal, which is connected to without a look-up. node:net uses the same predicate to
 * skip the look-up.
 */
export function isLiteral(hostname: string): boolean {
  return isIP(hostname) !== 0;
}

/** Whether a name means this machine by RFC 6761 §6.3, whatever a resolver says. */
export function isLoopbackName(hostname: string): boolean {
  return /(^|\.)localhost$/.test(canonicalHost(hostname));
}

/**
 * Whether a URL's host can never be called, however it resolves: a literal that is not public, or a name of this
 * machine. The WHATWG URL parser has already normalised decimal, octal and short forms.
 */
export function isRefusedHost(url: URL, allow: AllowList): boolean {
  const bare = bareHost(url);
  if (isAllowedHost(bare, allow)) return false;
  return isLiteral(bare) ? !isReachable(bare, allow) : isLoopbackName(bare);
}

/** Whether the operator allows a URL's host as it is written: its name, or a network in which its address is. */
export function isNamed(url: URL, allow: AllowList): boolean {
  const bare = bareHost(url);
  return isLiteral(bare) ? isInAllowedNetwork(unwrap(ipaddr.parse(bare)), allow) : isAllowedHost(bare, allow);
}

const bareHost = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

/**
 * Whether an address may be called: public unicast after unwrapping, or inside an allowed network.
 * Text that is not an address is refused.
 */
export function isReachable(address: string, allow: AllowList): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = unwrap(ipaddr.parse(address));
  return isInAllowedNetwork(parsed, allow) || isPublic(parsed);
}

const isInAllowedNetwork = (address: Address, allow: AllowList): boolean =>
  allow.networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));

/**
 * An IPv4-mapped, IPv4-compatible or NAT64 address is checked as the IPv4 address that it reaches. 6to4 and Teredo
 * addresses are not unwrapped: no public receiver uses them, and their ranges are refused as a whole.
 */
function unwrap(address: Address): Address {
  if (address.kind() === 'ipv4') return address;
  const six = address as ipaddr.IPv6;
  if (six.isIPv4MappedAddress()) return six.toIPv4Address();
  const carriesIpv4 = six.match(NAT64) || (six.match(IPV4_COMPATIBLE) && six.range() === 'unicast');
  return carriesIpv4 ? new ipaddr.IPv4(six.toByteArray().slice(12)) : six;
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast' || PLATFORM_ADDRESSES.has(address.toString())) return false;
  return address.kind() === 'ipv4' || ((address as ipaddr.IPv6).match(GLOBAL_UNICAST) && !isIsatap(address));
}

/** ISATAP (RFC 5214) embeds an IPv4 address after the interface identifier ::5efe or ::200:5efe, under any prefix. */
function isIsatap(address: Address): boolean {
  const [high, low] = (address as ipaddr.IPv6).parts.slice(4, 6);
  return (high === 0 || high === 0x200) && low === 0x5efe;
}
