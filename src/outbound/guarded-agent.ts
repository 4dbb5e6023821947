// Every call to a client-given URL (webhook, OAuth, logo) goes through this agent: it reaches only public addresses,
// follows no redirects, and ends within its time and size limits.

import type { LookupFunction, Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher, request } from 'undici';
import { parseUrl } from '../base/parse-url.ts';
import type { CallFailure } from '../contract/delivery.ts';
import { type AllowList, isAllowedHost, isLiteral, isReachable } from './address.ts';
import { hasRefusedPort } from './bad-ports.ts';
import { CallError } from './call-error.ts';
import { callFailureOf } from './call-failure.ts';
import { DEFAULT_RESOLUTION, type Resolution, resolveGuarded } from './resolve.ts';

/** Below the 15 s of an attempt, so that a dead host is reported as `connect_failed` and not as `timeout`. */
const CONNECT_TIMEOUT_MS = 10_000;

export interface GuardOptions {
  readonly allow: AllowList;
  /** Default: DNS for public names, the system's resolution for allowed ones. */
  readonly resolution?: Resolution;
  /** PEM certificates trusted instead of the system's. */
  readonly certificateAuthorities?: string;
}

export interface GuardedCall {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Limit of the whole exchange: name resolution, connection, headers and body. */
  readonly timeoutMs: number;
  /** Most bytes read of the answer's body. If there are more, the connection is closed. */
  readonly maxBodyBytes: number;
  /** How long to wait for the body after the headers; default: until `timeoutMs`. */
  readonly bodyTimeoutMs?: number;
  /** Refuse plain http. */
  readonly requireHttps?: boolean;
}

/** An answer of any status, or a stable code that says why there is none. */
export type CallResult =
  | {
      readonly kind: 'response';
      readonly status: number;
      /** Lower-case names; repeated fields joined by `, `. */
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Buffer;
      /** Whether the body was longer than `maxBodyBytes`, or did not end in time. */
      readonly truncated: boolean;
      readonly durationMs: number;
    }
  | { readonly kind: 'failed'; readonly code: CallFailure; readonly durationMs: number };

export interface GuardedAgent {
  /** Makes one call. Never throws because of what the other side does. */
  call(call: GuardedCall): Promise<CallResult>;
  close(): Promise<void>;
}

/** Makes the agent. It owns its connections: close it when done. */
export function createGuardedAgent(options: GuardOptions): GuardedAgent {
  const agent = new Agent({
    connect: guardedConnector(options),
    // The call's own timer limits the whole exchange, so undici's are off.
    headersTimeout: 0,
    bodyTimeout: 0,
    pipelining: 1,
  });
  return {
    async call(call) {
      const startedAt = performance.now();
      const durationMs = () => Math.round(performance.now() - startedAt);
      const refusal = refusalOf(call, options.allow);
      if (refusal) return { kind: 'failed', code: refusal, durationMs: 0 };
      const limit = new AbortController();
      const timer = setTimeout(() => limit.abort(new CallError('timeout')), call.timeoutMs);
      try {
        const answer = await exchange(agent, call, limit);
        return { kind: 'response', ...answer, durationMs: durationMs() };
      } catch (error) {
        return { kind: 'failed', code: callFailureOf(error), durationMs: durationMs() };
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => agent.destroy(),
  };
}

/** Why the URL alone rules the call out; null if it does not. */
function refusalOf(call: GuardedCall, allow: AllowList): CallFailure | null {
  const url = parseUrl(call.url);
  if (url === null) return 'invalid_url';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'invalid_url';
  if (url.username !== '' || url.password !== '' || url.hostname === '') return 'invalid_url';
  if (call.requireHttps && url.protocol !== 'https:') return 'https_required';
  return hasRefusedPort(url, allow) ? 'refused_port' : null;
}

async function exchange(agent: Agent, call: GuardedCall, limit: AbortController) {
  const response = await request(call.url, {
    dispatcher: agent,
    method: call.method,
    headers: { ...call.headers },
    body: call.body ?? null,
    signal: limit.signal,
  });
  const timer = call.bodyTimeoutMs && setTimeout(() => limit.abort(), call.bodyTimeoutMs);
  const { body, truncated } = await readAtMost(response.body, call);
  clearTimeout(timer);
  return { status: response.statusCode, headers: flatHeaders(response.headers), body, truncated };
}

/** Reads up to the limit. The status is known already, so a body that breaks off is truncated, not a failed call. */
async function readAtMost(stream: Dispatcher.ResponseData['body'], { maxBodyBytes: maxBytes }: GuardedCall) {
  const chunks: Buffer[] = [];
  let size = 0;
  let truncated = false;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, maxBytes - size));
      size += chunk.length;
      truncated = size > maxBytes;
      if (truncated) break;
    }
  } catch {
    truncated = true;
  }
  // Leaving the loop early destroys the stream, and the connection with it.
  return { body: Buffer.concat(chunks), truncated };
}

function flatHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const entries = Object.entries(headers).filter((entry) => entry[1] !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, [value].flat().join(', ')]));
}

/**
 * Checks at connect time: a literal before the socket is created, a name in the socket's own look-up. The checked
 * address is therefore the one connected to; there is no second resolution that a DNS rebinding attack could answer
 * differently.
 */
function guardedConnector(options: GuardOptions): buildConnector.connector {
  const { allow, resolution = DEFAULT_RESOLUTION } = options;
  const connect = buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    lookup: guardedLookup(allow, resolution),
    ...(options.certificateAuthorities ? { ca: options.certificateAuthorities } : {}),
  });
  const mayReach = (hostname: string, address: string) =>
    isAllowedHost(hostname, allow) || isReachable(address, allow);
  return (target, callback) => {
    if (isLiteral(target.hostname) && !mayReach(target.hostname, target.hostname)) {
      callback(new CallError('refused_address'), null);
      return;
    }
    connect(target, (...result) => {
      const socket = result[1] as Socket | null;
      if (socket && !mayReach(target.hostname, socket.remoteAddress ?? '')) {
        socket.destroy();
        callback(new CallError('refused_address'), null);
      } else callback(...result);
    });
  };
}

function guardedLookup(allow: AllowList, resolution: Resolution): LookupFunction {
  return (hostname, lookupOptions, callback) => {
    resolveGuarded(hostname, allow, resolution).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
        if (lookupOptions.all) callback(null, found);
        else callback(null, found[0]!.address, found[0]!.family);
      },
      (error) => callback(error, '', 4),
    );
  };
}
