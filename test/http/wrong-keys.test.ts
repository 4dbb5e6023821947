// Floods of well-formed wrong API keys: how many database queries they cause, and that keys in use are not delayed.
import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccounts } from '../../src/keys/accounts.ts';
import { generateApiKey, parseApiKey } from '../../src/keys/api-key.ts';
import { createMasterKeyRing } from '../../src/keys/master-key-ring.ts';
import { createAccountStore } from '../../src/keys/tables/account-store.ts';
import { createApiKeyStore } from '../../src/keys/tables/api-key-store.ts';
import { createHttpRig, type HttpRig } from './http-rig.ts';

const PER_MINUTE = 20;

describe('wrong API keys', () => {
  let rig: HttpRig;
  beforeAll(async () => {
    rig = await createHttpRig({
      limits: { wrongKeyRatePerMinute: PER_MINUTE },
      settings: { limits: { unknownKeysPerSecond: 1_000 } },
    });
  });
  afterAll(() => rig.close());

  const ask = (key: string, remoteAddress: string) =>
    rig.app.inject({ url: '/v1/challenges', headers: { authorization: `Basic ${key}` }, remoteAddress });
  const wrongKey = () => generateApiKey('live').text;
  /** Sends `count` different wrong keys without waiting for answers; counts the answers. */
  const flood = async (count: number, addressOf: (index: number) => string) => {
    const asked: Promise<{ statusCode: number }>[] = [];
    for (let index = 0; index < count; index++) {
      asked.push(ask(wrongKey(), addressOf(index)));
      // Each request is read in its own turn of the event loop, as from sockets.
      await setImmediate();
    }
    const statuses = (await Promise.all(asked)).map(({ statusCode }) => statusCode);
    return {
      refused: statuses.filter((status) => status === 401).length,
      limited: statuses.filter((status) => status === 429).length,
    };
  };
  const lookUpsDuring = async (work: () => Promise<unknown>) => {
    const before = rig.keyLookUps();
    await work();
    return rig.keyLookUps() - before;
  };

  it('are looked up only up to a limit per address, and then get 429 without a query', async () => {
    let answered = {};
    const lookUps = await lookUpsDuring(async () => {
      answered = await flood(200, () => '10.1.0.1');
    });
    expect(answered).toEqual({ refused: PER_MINUTE, limited: 180 });
    expect(lookUps).toBe(PER_MINUTE);
    const limited = await ask(wrongKey(), '10.1.0.1');
    expect(limited.headers).toMatchObject({
      'content-type': expect.stringContaining('application/problem+json'),
      'retry-after': expect.stringMatching(/^\d+$/),
      'ratelimit-limit': String(PER_MINUTE),
      'ratelimit-remaining': '0',
      'ratelimit-reset': expect.stringMatching(/^\d+$/),
    });
    // Another address has its own limit.
    expect((await ask(wrongKey(), '10.1.0.2')).statusCode).toBe(401);
  });

  it('are counted by the /64 of an IPv6 address, and an IPv4-mapped one as itself', async () => {
    const fromOnePrefix = await flood(100, (index) => `2001:db8:1:2::${(index + 1).toString(16)}`);
    expect(fromOnePrefix).toEqual({ refused: PER_MINUTE, limited: 80 });
    expect((await ask(wrongKey(), '2001:db8:1:3::1')).statusCode).toBe(401);
    expect((await ask(wrongKey(), '::ffff:10.1.0.1')).statusCode).toBe(429);
    expect((await ask(wrongKey(), '::ffff:10.1.0.3')).statusCode).toBe(401);
  });

  it('are counted by the address alone where a proxy adds the port to it', async () => {
    const proxied = await createHttpRig({
      environment: { TRUST_PROXY: '1' },
      limits: { wrongKeyRatePerMinute: 2 },
    });
    for (const addressAt of [
      (port: number) => `203.0.113.9:${port}`,
      (port: number) => `[2001:db8:0:1::${port}]:${port}`,
      (port: number) => `2001:db8:0:2::${port}`,
    ]) {
      const statuses: number[] = [];
      for (let port = 50_001; port <= 50_003; port++) {
        const headers = { authorization: 'Basic wrong', 'x-forwarded-for': addressAt(port % 1_000) };
        statuses.push((await proxied.app.inject({ url: '/v1/challenges', headers })).statusCode);
      }
      expect(statuses).toEqual([401, 401, 429]);
    }
    await proxied.close();
  });

  it('are not looked up again when repeated, but still counted', async () => {
    const key = wrongKey();
    const lookUps = await lookUpsDuring(async () => {
      for (let time = 0; time < PER_MINUTE; time++) expect((await ask(key, '10.1.0.4')).statusCode).toBe(401);
      expect((await ask(key, '10.1.0.4')).statusCode).toBe(429);
    });
    expect(lookUps).toBe(1);
  });

  it('from many addresses cause few queries, and a key in use passes from anywhere', async () => {
    const small = await createHttpRig({ settings: { limits: { unknownKeysPerSecond: 5 } } });
    try {
      const stranger = (index: number) =>
        small.app.inject({
          url: '/v1/challenges',
          headers: { authorization: `Basic ${wrongKey()}` },
          remoteAddress: `10.2.${index}.1`,
        });
      const served: number[] = [];
      const limited: number[] = [];
      const from = performance.now();
      for (let round = 0; round < 5; round++) {
        const flooding = Array.from({ length: 40 }, (_, index) => stranger(round * 40 + index));
        served.push((await small.call('GET', '/v1/challenges')).statusCode);
        for (const { statusCode } of await Promise.all(flooding)) limited.push(statusCode);
      }
      const seconds = Math.ceil((performance.now() - from) / 1000);
      expect(served).toEqual([200, 200, 200, 200, 200]);
      expect(limited.filter((status) => status === 429).length).toBeGreaterThan(0);
      // A limited number per second of unknown keys, and one per second of the known key.
      expect(small.keyLookUps()).toBeLessThanOrEqual(6 * (seconds + 1));
    } finally {
      await small.close();
    }
  });

  it('do not delay recently used keys, even in a process that has just started', async () => {
    const { key } = await rig.makeAccount('early');
    expect((await ask(key, '10.1.0.6')).statusCode).toBe(200);
    const restarted = createAccounts({
      accounts: createAccountStore(rig.db),
      apiKeys: createApiKeyStore(rig.db),
      masterKeys: createMasterKeyRing([randomBytes(32)]),
    });
    expect(restarted.recall(parseApiKey(key)!)).toBe('unknown');
    await restarted.recallKeysInUse();
    expect(restarted.recall(parseApiKey(key)!)).toBe('trusted');
    expect(restarted.recall(generateApiKey('live'))).toBe('unknown');
  });

  it('end the trust in a revoked key at its next look-up', async () => {
    const { key, keyId, accountId } = await rig.makeAccount('revoked');
    expect((await ask(key, '10.1.0.7')).statusCode).toBe(200);
    await rig.accounts.revokeKey(accountId, keyId, 'test');
    const lookUps = await lookUpsDuring(async () => {
      for (let time = 0; time < 5; time++) expect((await ask(key, '10.1.0.7')).statusCode).toBe(401);
    });
    expect(lookUps).toBe(1);
  });
});
