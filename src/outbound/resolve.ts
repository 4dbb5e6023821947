// Resolves a host name to addresses that may be called; the guarded agent connects to exactly these.
import { lookup, Resolver } from 'node:dns/promises';
import { type AllowList, isAllowedHost, isLoopbackName, isReachable } from './address.ts';
import { CallError } from './call-error.ts';

/** Resolves a name to its addresses, in order of preference; empty if there are none. */
export type Resolve = (hostname: string) => Promise<string[]>;

/** One query and one retry: together with connecting, this stays well within the 15 s of an attempt. */
const QUERY_TIMEOUT_MS = 2_500;
const QUERY_TRIES = 2;

/**
 * Queries DNS directly. getaddrinfo runs on libuv's four threads, where a few names with dead name servers would block
 * every other receiver and all file access of the process.
 * @param servers `address:port` of name servers; default: the system's
 */
export function createDnsResolver(servers?: readonly string[]): Resolve {
  return async (hostname) => {
    const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
    if (servers) resolver.setServers(servers);
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}

/** The system's own resolution, because names that the operator allows may be in /etc/hosts or a search domain. */
const resolveSystem: Resolve = async (hostname) => {
  const answers = await lookup(hostname, { all: true }).catch(() => []);
  return answers.map((answer) => answer.address);
};

/** How names become addresses. */
export interface Resolution {
  readonly public: Resolve;
  /** For names that the operator allows. */
  readonly system: Resolve;
}

export const DEFAULT_RESOLUTION: Resolution = { public: createDnsResolver(), system: resolveSystem };

/**
 * The addresses to connect to. A single forbidden address refuses the whole name: a public name that also points to an
 * internal address is an attack or a mistake.
 * @throws CallError `dns_failed` or `refused_address`
 */
export async function resolveGuarded(
  hostname: string,
  allow: AllowList,
  resolution: Resolution,
): Promise<string[]> {
  const named = isAllowedHost(hostname, allow);
  if (!named && isLoopbackName(hostname)) throw new CallError('refused_address');
  const addresses = await (named ? resolution.system : resolution.public)(hostname);
  if (addresses.length === 0) throw new CallError('dns_failed');
  if (!named && !addresses.every((address) => isReachable(address, allow))) {
    throw new CallError('refused_address');
  }
  return addresses;
}
