import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isReachable, LOOPBACK_HOSTS, parseAllowList } from '../../src/outbound/address.ts';
import {
  createGuardedAgent,
  type GuardedAgent,
  type GuardedCall,
  type GuardOptions,
} from '../../src/outbound/guarded-agent.ts';
import { RECEIVER_CERTIFICATE } from '../support/certificate.ts';
import { answer, type Receiver, startReceiver } from '../support/receiver.ts';

const NOTHING = parseAllowList([]);
const LOOPBACK = parseAllowList([...LOOPBACK_HOSTS]);
const agents: GuardedAgent[] = [];

function agentWith(options: Partial<GuardOptions>): GuardedAgent {
  const agent = createGuardedAgent({ allow: NOTHING, ...options });
  agents.push(agent);
  return agent;
}

const get = (agent: GuardedAgent, url: string, more: Partial<GuardedCall> = {}) =>
  agent.call({ url, method: 'GET', timeoutMs: 5_000, maxBodyBytes: 65_536, ...more });
const resolving = (addresses: string[]) => ({ public: async () => addresses, system: async () => addresses });

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
beforeEach(() => {
  receiver.requests.length = 0;
  receiver.script([]);
});
afterEach(async () => {
  await Promise.all(agents.splice(0).map((agent) => agent.close()));
});
afterAll(() => receiver.close());

describe('addresses', () => {
  it('lets public addresses through, including in NAT64 and mapped forms', () => {
    const open = [
      '8.8.8.8',
      '93.184.215.14',
      '2606:4700::1111',
      '::ffff:8.8.8.8',
      '64:ff9b::8.8.8.8',
      '172.32.0.1',
    ];
    expect(open.filter((address) => !isReachable(address, NOTHING))).toEqual([]);
  });

  it('never treats an embedded private IPv4 address as public', () => {
    const privateIpv4 = fc.constantFrom(
      '127.0.0.1',
      '10.1.2.3',
      '172.20.0.9',
      '192.168.7.7',
      '169.254.169.254',
    );
    const wrapped = fc.tuple(fc.constantFrom('::ffff:', '::', '64:ff9b::', '64:ff9b:1::'), privateIpv4);
    fc.assert(fc.property(wrapped, ([prefix, ipv4]) => !isReachable(prefix + ipv4, NOTHING)));
    fc.assert(fc.property(fc.string(), (text) => !isReachable(`${text}!`, NOTHING)));
  });
});

describe('the allow list', () => {
  it('allows single addresses, networks and names, and nothing else', async () => {
    const allow = parseAllowList([
      ' 10.1.0.0/16',
      '192.168.3.4',
      'hooks.internal.',
      '[fd12::]/16',
      '',
      '::1',
    ]);
    expect(isReachable('10.1.200.3', allow)).toBe(true);
    expect(isReachable('::ffff:10.1.200.3', allow)).toBe(true);
    expect(isReachable('10.2.0.1', allow)).toBe(false);
    expect(isReachable('192.168.3.4', allow)).toBe(true);
    expect(isReachable('192.168.3.5', allow)).toBe(false);
    expect(isReachable('::1', allow)).toBe(true);
    expect(isReachable('127.0.0.1', allow)).toBe(false);
    expect(allow.hosts).toEqual(new Set(['hooks.internal']));
  });

  it.each(['http://x', 'a b', '10.0.0.0/33', '*', '-x'])('refuses the entry %j at startup', (entry) => {
    expect(() => parseAllowList([entry])).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
  });

  it('reaches loopback where it is allowed, by address and by name', async () => {
    const agent = agentWith({ allow: LOOPBACK });
    for (const host of ['127.0.0.1', 'localhost', '2130706433', '[::ffff:127.0.0.1]']) {
      const result = await get(agent, `http://${host}:${receiver.port}/`);
      expect(result).toMatchObject({ kind: 'response', status: 204 });
    }
  });

  it('trusts a named host whatever address it resolves to', async () => {
    const allow = parseAllowList(['hooks.internal']);
    const agent = agentWith({ allow, resolution: resolving(['127.0.0.1']) });
    const ok = { kind: 'response', status: 204 };
    expect(await get(agent, `http://hooks.internal:${receiver.port}/`)).toMatchObject(ok);
    expect(await get(agent, `http://HOOKS.internal.:${receiver.port}/`)).toMatchObject(ok);
    const other = { kind: 'failed', code: 'refused_address' };
    expect(await get(agent, `http://x.hooks.internal:${receiver.port}/`)).toMatchObject(other);
  });
});

describe('limits', () => {
  it('does not follow redirects', async () => {
    receiver.script([answer(302, { location: `${receiver.url}/elsewhere` })]);
    expect(await get(agentWith({ allow: LOOPBACK }), receiver.url)).toMatchObject({ status: 302 });
    expect(receiver.requests).toHaveLength(1);
  });

  it('requires https where configured', async () => {
    const agent = agentWith({ allow: LOOPBACK });
    const refused = { code: 'https_required' };
    expect(await get(agent, receiver.url, { requireHttps: true })).toMatchObject(refused);
  });

  it('cuts off a receiver that never answers', async () => {
    receiver.script([() => {}]);
    const result = await get(agentWith({ allow: LOOPBACK }), receiver.url, { timeoutMs: 200 });
    expect(result).toMatchObject({ kind: 'failed', code: 'timeout' });
  });

  it('cuts off a body that is too long or too slow, but keeps the status', async () => {
    const agent = agentWith({ allow: LOOPBACK });
    receiver.script([answer(200, {}, 'x'.repeat(5_000_000))]);
    const long = await get(agent, receiver.url, { maxBodyBytes: 1_000 });
    expect(long).toMatchObject({ status: 200, truncated: true });
    expect(long.kind === 'response' && long.body.length).toBe(1_000);
    receiver.script([
      (_request, response) => {
        response.writeHead(202);
        response.write('drip');
      },
    ]);
    const dripping = await get(agent, receiver.url, { timeoutMs: 300 });
    expect(dripping).toMatchObject({ status: 202, truncated: true });
    expect(dripping.kind === 'response' && dripping.body.toString()).toBe('drip');
  });

  it('distinguishes refused connections, broken ones and answers that are not HTTP', async () => {
    const agent = agentWith({ allow: LOOPBACK });
    const closed = await withServer(
      (socket) => socket.destroy(),
      (port) => get(agent, `http://127.0.0.1:${port}/`),
    );
    expect(closed).toMatchObject({ code: 'connection_lost' });
    const babble = await withServer(
      (socket) => socket.end('220 mail.example ESMTP\r\n'),
      (port) => get(agent, `http://127.0.0.1:${port}/`),
    );
    expect(babble).toMatchObject({ code: 'malformed_response' });
    const huge = await withServer(
      (socket) => socket.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`),
      (port) => get(agent, `http://127.0.0.1:${port}/`),
    );
    expect(huge).toMatchObject({ code: 'malformed_response' });
    let freePort = 0;
    await withServer(
      () => {},
      async (port) => {
        freePort = port;
      },
    );
    expect(await get(agent, `http://127.0.0.1:${freePort}/`)).toMatchObject({ code: 'connect_failed' });
  });
});

describe('TLS', () => {
  it('refuses an untrusted certificate and one for another name; accepts a trusted one', async () => {
    const secure = await startReceiver(RECEIVER_CERTIFICATE);
    try {
      const options = { allow: LOOPBACK, resolution: resolving(['127.0.0.1']) };
      const url = `https://receiver.example:${secure.port}/`;
      expect(await get(agentWith(options), url)).toMatchObject({ code: 'tls_failed' });
      const trusting = agentWith({ ...options, certificateAuthorities: RECEIVER_CERTIFICATE.cert });
      expect(await get(trusting, url)).toMatchObject({ kind: 'response', status: 204 });
      const otherName = `https://other.example:${secure.port}/`;
      expect(await get(trusting, otherName)).toMatchObject({ code: 'tls_failed' });
      expect(await get(trusting, `https://127.0.0.1:${receiver.port}/`)).toMatchObject({
        code: 'tls_failed',
      });
    } finally {
      await secure.close();
    }
  });
});

async function withServer<T>(
  onSocket: (socket: Socket) => void,
  use: (port: number) => Promise<T>,
): Promise<T> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => onSocket(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await use((server.address() as AddressInfo).port);
  } finally {
    server.close();
  }
}
