// The published table of addresses, at every outlet through which a client-given URL is called: webhook, OAuth and
// logo, over http and https. Also names, resolved by a real name server, that point inwards or change.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { type AllowList, parseAllowList } from '../../src/outbound/address.ts';
import { createImageFetcher } from '../../src/outbound/fetch-image.ts';
import { createGuardedAgent, type GuardedAgent } from '../../src/outbound/guarded-agent.ts';
import { createDnsResolver } from '../../src/outbound/resolve.ts';
import { createAccessTokens } from '../../src/webhook/access-tokens.ts';
import { createSender } from '../../src/webhook/sender.ts';
import { type NameServer, startNameServer } from '../support/name-server.ts';
import { answer, type Receiver, startReceiver } from '../support/receiver.ts';
import { notification, USER_AGENT } from '../webhook/delivery-rig.ts';
import { REFUSED_ADDRESSES, REFUSED_URLS } from './refused-addresses.ts';

const NOTHING = parseAllowList([]);
const SECRETS = [`whsec_${Buffer.alloc(32, 7).toString('base64')}`];
let receiver: Receiver;
let nameServer: NameServer;
const agents: GuardedAgent[] = [];

beforeAll(async () => {
  receiver = await startReceiver();
  nameServer = await startNameServer();
});
beforeEach(() => {
  receiver.requests.length = 0;
  receiver.script([]);
  nameServer.asked.length = 0;
});
afterEach(async () => {
  await Promise.all(agents.splice(0).map((agent) => agent.close()));
});
afterAll(async () => {
  await receiver.close();
  await nameServer.close();
});

/** The three outlets on one agent, joined as src/composition joins them. */
function createOutlets(allow: AllowList = NOTHING, requireHttps = false) {
  const resolve = createDnsResolver([nameServer.address]);
  const agent = createGuardedAgent({
    allow,
    resolution: { public: resolve, system: resolve },
  });
  agents.push(agent);
  const clientOptions = { agent, clock: systemClock, userAgent: USER_AGENT };
  const tokens = createAccessTokens({ ...clientOptions, requireHttps: false });
  const send = createSender({ ...clientOptions, tokens, requireHttps, timeoutMs: 5_000 });
  const message = { deliveryId: 'msg_1', body: '{}', secrets: SECRETS };
  const image = createImageFetcher(agent);
  return {
    webhook: async (url: string) => (await send({ ...message, configuration: notification(url) })).outcome,
    oauth: async (url: string) =>
      (await send({ ...message, configuration: notification(receiver.url, url) })).outcome,
    logo: (url: string) => image(url, { maxBytes: 1_000, timeoutMs: 5_000 }),
  };
}

async function expectRefused(url: string, code: string, allow = NOTHING): Promise<void> {
  const { webhook, oauth, logo } = createOutlets(allow);
  expect(await Promise.all([webhook(url), oauth(url), logo(url)])).toEqual([code, `oauth_${code}`, null]);
}

describe('the address table', () => {
  it('has at least 60 rows, each once', () => {
    expect(REFUSED_ADDRESSES.length).toBeGreaterThanOrEqual(60);
    expect(new Set(REFUSED_ADDRESSES.map(([host]) => host)).size).toBe(REFUSED_ADDRESSES.length);
  });

  it.each(REFUSED_ADDRESSES)('%s (%s) is refused at every outlet, over http and https', async (host) => {
    for (const url of [
      `http://${host}:${receiver.port}/x`,
      `https://${host}:${receiver.port}/`,
      `https://${host}/`,
    ]) {
      await expectRefused(url, 'refused_address');
    }
    expect(receiver.requests).toEqual([]);
    expect(nameServer.asked).toEqual([]);
  });

  it.each(REFUSED_URLS)('%s is refused at every outlet as %s', async (url, code) => {
    await expectRefused(url, code);
  });
});

describe('names', () => {
  /** Every row that is an address as a name server could return it. */
  const answers = REFUSED_ADDRESSES.filter(([host]) =>
    /^\[|^(\d|[1-9]\d+)(\.(\d|[1-9]\d+)){3}$/.test(host),
  ).map(([host, what]) => [new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, ''), what] as const);

  it.each(answers)('resolving to %s (%s) are refused at every outlet', async (address) => {
    nameServer.set('inward.example', [address]);
    await expectRefused('http://inward.example/', 'refused_address');
    await expectRefused('https://inward.example./', 'refused_address');
    expect(nameServer.asked).toContain('inward.example');
  });

  it('are refused for one forbidden address among public ones, in either family', async () => {
    nameServer.set('mixed.example', ['93.184.215.14', '10.0.0.1']);
    await expectRefused('https://mixed.example/', 'refused_address');
    nameServer.set('mixed.example', ['93.184.215.14', 'fd00::1']);
    await expectRefused('https://mixed.example/', 'refused_address');
  });

  it('that are an alias of an inward name are refused; unknown names do not resolve', async () => {
    nameServer.set('metadata.internal', ['169.254.169.254']);
    nameServer.set('alias.example', 'metadata.internal');
    await expectRefused('http://alias.example/', 'refused_address');
    await expectRefused('http://nowhere.example/', 'dns_failed');
  });

  it.each([
    '10.0.0.1',
    '169.254.169.254',
    '::ffff:127.0.0.2',
    'fd00::1',
  ])('that later resolve to %s are refused at the next connection', async (inward) => {
    const url = `http://rebinding.example:${receiver.port}/`;
    // The receiver stands in for a public address. Every connection is closed, so that the next call resolves again.
    const allow = parseAllowList(['127.0.0.1']);
    nameServer.set('rebinding.example', ['127.0.0.1'], [inward]);
    receiver.script([answer(204, { connection: 'close' })]);
    const { webhook, logo, oauth } = createOutlets(allow);
    expect(await webhook(url)).toBe('delivered');
    expect(nameServer.asked).toEqual(['rebinding.example']);
    expect(await webhook(url)).toBe('refused_address');
    expect(await oauth(url)).toBe('oauth_refused_address');
    expect(await logo(url)).toBeNull();
    expect(receiver.requests).toHaveLength(1);
  });

  it('are resolved once per connection, and the checked address is the one connected to', async () => {
    const allow = parseAllowList(['127.0.0.1']);
    // If the check and the connection each resolved the name, the connection would go to the second answer.
    nameServer.set('twice.example', ['127.0.0.1'], ['127.0.0.2']);
    const { webhook } = createOutlets(allow);
    expect(await webhook(`http://twice.example:${receiver.port}/`)).toBe('delivered');
    expect(nameServer.asked).toEqual(['twice.example']);
  });
});

describe('redirects', () => {
  it.each([
    301, 302, 303, 307, 308,
  ])('with %d to an inward address are not followed at any outlet', async (status) => {
    receiver.script([], answer(status, { location: 'http://169.254.169.254/latest/meta-data/' }));
    const { webhook, oauth, logo } = createOutlets(parseAllowList(['127.0.0.1']));
    expect(await webhook(receiver.url)).toBe('redirect_refused');
    expect(await oauth(receiver.url)).toBe('oauth_rejected');
    expect(await logo(receiver.url)).toBeNull();
  });
});

describe('WEBHOOK_ALLOW_HOSTS', () => {
  it.each([
    'a b',
    'shop.example/path',
    '10.0.0.0/33',
    '*',
  ])('with “%s” is refused with an error that names the variable', (entry) => {
    expect(() => parseAllowList([entry])).toThrow(/WEBHOOK_ALLOW_HOSTS/);
  });
});

describe('WEBHOOK_REQUIRE_HTTPS', () => {
  it("applies only to webhooks: OAuth follows its mode's rule, a logo has none", async () => {
    receiver.script([], answer(200, { 'content-type': 'image/png' }, 'picture'));
    const { webhook, oauth, logo } = createOutlets(parseAllowList(['127.0.0.1']), true);
    expect(await webhook(receiver.url)).toBe('https_required');
    expect(receiver.requests).toEqual([]);
    // The call was made, and the answer is not a token.
    expect(await oauth(receiver.url)).toBe('oauth_malformed_response');
    expect(receiver.requests).toHaveLength(1);
    expect(String(await logo(receiver.url))).toBe('picture');
  });
});
