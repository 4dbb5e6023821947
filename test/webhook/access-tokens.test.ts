import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LOOPBACK_HOSTS, parseAllowList } from '../../src/outbound/address.ts';
import { createGuardedAgent, type GuardedAgent } from '../../src/outbound/guarded-agent.ts';
import { createAccessTokens } from '../../src/webhook/access-tokens.ts';
import { createSender, type Send } from '../../src/webhook/sender.ts';
import { type OAuthServer, startOAuthServer } from '../support/oauth-server.ts';
import { answer, type Receiver, startReceiver } from '../support/receiver.ts';
import { notification, USER_AGENT } from './delivery-rig.ts';

const SECRET = 's3cr3t+/="';
const webhookSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
let receiver: Receiver;
let oauth: OAuthServer;
let agent: GuardedAgent;
let now: Date;
const clock = { now: () => now };

beforeAll(async () => {
  receiver = await startReceiver();
  oauth = await startOAuthServer();
});
beforeEach(() => {
  oauth.reset();
  agent = createGuardedAgent({ allow: parseAllowList([...LOOPBACK_HOSTS]) });
  now = new Date();
  receiver.requests.length = 0;
  receiver.script([]);
});
afterEach(() => agent.close());
afterAll(async () => {
  await receiver.close();
  await oauth.close();
});

function sender(options: { requireHttps?: boolean; timeoutMs?: number } = {}): Send {
  const clientOptions = { agent, clock, userAgent: USER_AGENT };
  const tokens = createAccessTokens({ ...clientOptions, requireHttps: options.requireHttps ?? false });
  return createSender({ ...clientOptions, tokens, timeoutMs: options.timeoutMs ?? 3_000 });
}

const message = (tokenUrl = oauth.tokenUrl, secret = SECRET) => ({
  deliveryId: 'msg_1',
  configuration: notification(receiver.url, tokenUrl, secret),
  body: '{}',
  secrets: [webhookSecret],
});
const bearers = () => receiver.requests.map((request) => request.headers.authorization);

describe('the access token', () => {
  it('is obtained by client credentials over Basic and sent to the receiver', async () => {
    const sent = await sender()(message());
    expect(sent).toMatchObject({ outcome: 'delivered', responseStatus: 204 });
    expect(bearers()).toEqual([`Bearer ${oauth.tokens[0]}`]);
    const [call] = oauth.calls;
    expect(call!.body).toMatchObject({
      grant_type: 'client_credentials',
      scope: 'webhooks',
      audience: 'receiver',
    });
    expect(call!.body.client_secret).toBeUndefined();
    const [id, secret] = Buffer.from(call!.authorization!.slice('Basic '.length), 'base64')
      .toString()
      .split(':');
    const formDecoded = [id, secret].map((part) => decodeURIComponent(part!.replaceAll('+', ' ')));
    expect(formDecoded).toEqual(['the client', SECRET]);
  });

  it('is requested with the secret in the body if the server refuses Basic, and from then on', async () => {
    oauth.alter((response, call) => {
      if (!call.authorization) return;
      response.statusCode = 401;
      response.body = { error: 'invalid_client' };
    });
    const send = sender();
    expect(await send(message())).toMatchObject({ outcome: 'delivered' });
    expect(oauth.calls.map((call) => call.body.client_secret)).toEqual([undefined, SECRET]);
    now = new Date(now.getTime() + 3_600_000);
    expect(await send(message())).toMatchObject({ outcome: 'delivered' });
    expect(oauth.calls).toHaveLength(3);
  });

  it('is kept until shortly before it expires, per URL, client and secret', async () => {
    const send = sender();
    await send(message());
    await send(message());
    now = new Date(now.getTime() + 3_530_000);
    await send(message());
    expect(oauth.calls).toHaveLength(1);
    now = new Date(now.getTime() + 15_000);
    await send(message());
    expect(oauth.calls).toHaveLength(2);
    await send(message(oauth.tokenUrl, 'another secret'));
    expect(oauth.calls).toHaveLength(3);
  });

  it('is fetched once for many concurrent attempts', async () => {
    const send = sender();
    await Promise.all(Array.from({ length: 20 }, () => send(message())));
    expect(oauth.calls).toHaveLength(1);
    expect(new Set(bearers())).toEqual(new Set([`Bearer ${oauth.tokens[0]}`]));
  });

  it('is renewed once when the receiver answers 401, even for many attempts at once', async () => {
    const send = sender();
    await send(message());
    const stale = `Bearer ${oauth.tokens[0]}`;
    receiver.script([], (request, response) => {
      response.writeHead(request.headers.authorization === stale ? 401 : 204).end();
    });
    const sent = await Promise.all(Array.from({ length: 5 }, () => send(message())));
    expect(sent.map((each) => each.outcome)).toEqual(Array(5).fill('delivered'));
    expect(oauth.calls).toHaveLength(2);
    receiver.script([], answer(401));
    receiver.requests.length = 0;
    expect(await send(message())).toMatchObject({ outcome: 'http_status', responseStatus: 401 });
    expect(receiver.requests).toHaveLength(2);
    expect(oauth.calls).toHaveLength(3);
  });
});

describe('without a token', () => {
  it('does not call the receiver, and the code says why', async () => {
    oauth.alter((response) => {
      response.statusCode = 400;
      response.body = { error: 'invalid_client', error_description: SECRET };
    });
    const rejected = await sender()(message());
    expect(rejected).toMatchObject({ outcome: 'oauth_rejected', responseStatus: 400, excerpt: null });
    expect(JSON.stringify(rejected)).not.toContain('s3cr3t');
    oauth.alter((response) => {
      response.body = { access_token: 'a\nb', token_type: 'Bearer' };
    });
    expect(await sender()(message())).toMatchObject({ outcome: 'oauth_malformed_response' });
    oauth.alter((response) => {
      response.body = { token_type: 'Bearer' };
    });
    expect(await sender()(message())).toMatchObject({ outcome: 'oauth_malformed_response' });
    expect(receiver.requests).toEqual([]);
  });

  it.each([
    ['http://10.0.0.1/token', 'oauth_refused_address'],
    ['http://169.254.169.254/latest/meta-data/', 'oauth_refused_address'],
    ['http://user:pw@127.0.0.1/token', 'oauth_invalid_url'],
    ['http://127.0.0.1:25/token', 'oauth_refused_port'],
  ])('%s gives %s', async (url, outcome) => {
    expect(await sender()(message(url))).toMatchObject({ outcome, responseStatus: null });
    expect(receiver.requests).toEqual([]);
  });

  it('refuses plain http in production, and cuts off a slow server', async () => {
    const strict = sender({ requireHttps: true });
    expect(await strict(message())).toMatchObject({ outcome: 'oauth_https_required' });
    const slow = await startReceiver();
    slow.script([], () => {});
    try {
      const sent = await sender({ timeoutMs: 300 })(message(slow.url));
      expect(sent).toMatchObject({ outcome: 'oauth_timeout' });
    } finally {
      await slow.close();
    }
  });

  it('does not follow a redirect of the token endpoint', async () => {
    const redirecting = await startReceiver();
    redirecting.script([], answer(307, { location: oauth.tokenUrl }));
    try {
      const sent = await sender()(message(redirecting.url));
      expect(sent).toMatchObject({ outcome: 'oauth_rejected', responseStatus: 307 });
      expect(oauth.calls).toEqual([]);
    } finally {
      await redirecting.close();
    }
  });
});

describe('secrets', () => {
  it('are removed from an excerpt when the receiver echoes its request', async () => {
    receiver.script([], (request, response) => {
      response.writeHead(500);
      response.end(
        `${request.headers.authorization} and ${JSON.stringify(SECRET)} and ${encodeURIComponent(SECRET)}`,
      );
    });
    const sent = await sender()(message());
    expect(sent.excerpt).toContain('[redacted]');
    expect(sent.excerpt).not.toContain(oauth.tokens[0]);
    expect(sent.excerpt).not.toContain('s3cr3t');
  });
});
