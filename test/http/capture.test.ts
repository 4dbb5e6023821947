import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { escapeMarkup } from '../../src/base/escape-markup.ts';
import type { IssuedCapture, StartAnswer } from '../../src/contract/capture-page.ts';
import { LANGUAGES } from '../../src/contract/languages.ts';
import { CAMERA_REFUSALS } from '../../src/contract/page-event.ts';
import type { Problem } from '../../src/contract/problem.ts';
import { serverTexts } from '../../web/capture/build/server-texts.ts';
import { performedScript } from '../support/page-client.ts';
import { createHttpRig, type HttpRig, SCRIPT_TEXT, sha256 } from './http-rig.ts';

let rig: HttpRig;
beforeAll(async () => {
  rig = await createHttpRig();
});
afterAll(() => rig.close());

/** The page's side of the protocol: calls below a link, with its device token. */
function visitor(path: string) {
  let device: string | undefined;
  const call = (method: 'GET' | 'POST', below: string, payload?: object | Buffer, headers = {}) =>
    rig.app.inject({
      method,
      url: `${path}${below}`,
      headers: { ...(device ? { 'likeness-device': device } : {}), ...headers },
      ...(payload === undefined ? {} : { payload }),
    });
  return {
    get device() {
      return device;
    },
    get: (below: string) => call('GET', below),
    post: (below: string, body: object) => call('POST', below, body),
    send: (captureId: string, offset: number | null, bytes: Buffer) =>
      call('POST', `/captures/${captureId}/bytes${offset === null ? '' : `?offset=${offset}`}`, bytes, {
        'content-type': 'application/octet-stream',
      }),
    tryWay: (bytes: Buffer) =>
      call('POST', '/captures/trial/bytes', bytes, { 'content-type': 'application/octet-stream' }),
    async start() {
      const answer = await call('POST', '/start', {});
      expect(answer.statusCode, answer.body).toBe(200);
      device = answer.json<StartAnswer>().device_token;
      return answer.json<StartAnswer>();
    },
  };
}

const status = async (id: string) => (await rig.call('GET', `/v1/challenges/${id}`)).json();

const stateIn = (page: string) =>
  JSON.parse(/<script type="application\/json"[^>]*>(.*?)<\/script>/s.exec(page)![1]!);

describe('the page behind a link', () => {
  it('carries the state and a nonce, under a strict policy, and changes nothing', async () => {
    const made = await rig.create({
      liveness_only: true,
      flow_style: { terms_of_service_url: 'https://e.com/?a=</script><script>alert(1)</script>' },
    });
    const page = await rig.app.inject({ url: made.path });
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    const policy = String(page.headers['content-security-policy']);
    const nonce = /script-src 'nonce-([^']+)' 'strict-dynamic'/.exec(policy)?.[1];
    expect(nonce).toMatch(/^[A-Za-z0-9+/]{22}==$/);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain('frame-ancestors *');
    expect(policy).not.toMatch(/unsafe|data:|blob:|mediastream:/);
    expect(page.body.split(`nonce="${nonce}"`)).toHaveLength(3);
    expect(page.body).not.toContain('%');
    expect(page.body.split('</script>')).toHaveLength(3);
    const state = /<script type="application\/json"[^>]*>(.*?)<\/script>/s.exec(page.body)![1]!;
    expect(JSON.parse(state)).toMatchObject({
      status: 'created',
      style: { terms_of_service_url: 'https://e.com/?a=</script><script>alert(1)</script>' },
    });
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store, no-transform',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(page.headers['permissions-policy']).toContain('camera=(self)');
    expect(page.headers['x-frame-options']).toBeUndefined();
    expect(page.headers['set-cookie']).toBeUndefined();
    const second = await rig.app.inject({ url: made.path });
    expect(second.headers['content-security-policy']).not.toBe(policy);
    expect(await status(made.challenge_id)).toMatchObject({
      status: 'created',
      events: [],
      initiated_at: null,
    });
  });

  it('is found where mail or chat spoilt the end of its link', async () => {
    const { path } = await rig.create();
    const marks = [...'.,)>"\';:!', ').', '>.', '\u00a0', '\u200b', '\u2060', '\ufeff', '”.', '。', '&gt;'];
    const tails = [
      ...marks,
      ...[...marks, ' ', '?', '\r\n'].map(encodeURIComponent),
      '%27',
      '%21',
      '%29',
      '%2E',
    ];
    // Encoded twice.
    tails.push('%2520', '%25C2%25A0', '%25E2%2580%258B');
    // Of a link that was never given out too: the answer is the same.
    for (const link of [path, `/c/${'A'.repeat(43)}`])
      for (const tail of tails) {
        const answer = await rig.app.inject({ url: `${link}${tail}?lang=de` });
        expect(answer.statusCode, tail).toBe(302);
        expect(answer.headers, tail).toMatchObject({
          location: `http://likeness.test${link}?lang=de`,
          'cache-control': 'no-store',
        });
      }
    for (const tail of ['?', '/'])
      expect((await rig.app.inject({ url: `${path}${tail}` })).statusCode, tail).toBe(200);
    for (const tail of ['x', '-', '.0123456789'])
      expect((await rig.app.inject({ url: `${path}${tail}` })).statusCode).toBe(404);
    // Nor is a token of another form led anywhere.
    expect((await rig.app.inject({ url: `${path.slice(0, -1)}.` })).statusCode).toBe(404);
  });

  it('is served without a challenge where the link is unknown or closed', async () => {
    const unknown = await rig.app.inject({ url: '/c/nonsense' });
    expect(unknown.statusCode).toBe(404);
    const made = await rig.create({
      liveness_only: true,
      flow_behaviour: { exit_redirect_url: 'https://e.com/back?a=1&b="2"' },
      flow_style: { primary_colour_hex: '#0a66c2' },
    });
    await rig.call('POST', `/v1/challenges/${made.challenge_id}/cancel`);
    const closed = await rig.app.inject({ url: made.path });
    expect(closed.statusCode).toBe(410);
    for (const page of [unknown, closed]) {
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(page.headers['cache-control']).toBe('no-store, no-transform');
      expect(page.body).toContain('<script data-cfasync="false" type="module"');
      expect(page.body).toContain('<h1 class="title">');
      expect(page.body).not.toMatch(/<noscript>|%/);
      expect(page.headers['permissions-policy']).toContain('camera=(self)');
      expect(page.headers['content-security-policy']).toContain('frame-ancestors *');
    }
    expect(stateIn(unknown.body)).toEqual({ dead_link: 'unknown', owner: null });
    // It shows whose it was, its style and its exit, and nothing of what happened in it.
    expect(stateIn(closed.body)).toEqual({
      dead_link: 'cancelled',
      owner: {
        account: { display_name: 'first' },
        style: {
          primary_colour_hex: '#0a66c2',
          header_text_colour_hex: null,
          body_text_colour_hex: null,
          logo: false,
          terms_of_service_url: null,
        },
        exit_redirect_url: 'https://e.com/back?a=1&b="2"',
        alternative_url: null,
      },
    });
    expect(closed.body).toContain('<span class="bar__name" dir="auto">first</span>');
    expect(closed.body).toContain('href="https://e.com/back?a=1&amp;b=&quot;2&quot;"');
    expect(
      (await rig.app.inject({ method: 'POST', url: `${made.path}/state`, payload: {} })).statusCode,
    ).toBe(410);
  });

  it('expands no placeholder that a client wrote', async () => {
    const exit_redirect_url = 'https://e.com/?a=%NONCE%&b=%STATE%&c=<!--content-->';
    const made = await rig.create({ liveness_only: true, flow_behaviour: { exit_redirect_url } });
    const live = await rig.app.inject({ url: made.path });
    expect(stateIn(live.body)).toMatchObject({ exit_redirect_url });
    await rig.call('POST', `/v1/challenges/${made.challenge_id}/cancel`);
    const closed = await rig.app.inject({ url: made.path });
    expect(stateIn(closed.body)).toMatchObject({ owner: { exit_redirect_url } });
    const written = 'https://e.com/?a=%NONCE%&amp;b=%STATE%&amp;c=&lt;!--content--&gt;';
    expect(closed.body).toContain(`href="${written}"`);
  });

  it('uses the language that the browser or the link asks for', async () => {
    const { path } = await rig.create();
    const wishes = { 'accept-language': 'sv;q=0.9, de-AT, fr;q=0.2' };
    const page = await rig.app.inject({ url: path, headers: wishes });
    expect(page.body).toContain('<html lang="de" dir="ltr">');
    const arabic = await rig.app.inject({ url: `${path}?lang=ar-EG`, headers: wishes });
    expect(arabic.body).toContain('<html lang="ar" dir="rtl">');
    const unknown = await rig.app.inject({ url: `${path}?lang=%3Cb%3E`, headers: {} });
    expect(unknown.body).toContain('<html lang="en" dir="ltr">');
  });

  it('of a dead link contains every language, in markup that needs no script', async () => {
    const cancelled = await rig.create();
    await rig.call('POST', `/v1/challenges/${cancelled.challenge_id}/cancel`);
    const expired = await rig.create();
    await rig.db
      .updateTable('challenge')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .where('id', '=', expired.challenge_id)
      .execute();
    const texts = await serverTexts();
    for (const language of LANGUAGES) {
      const { deadLinks, direction } = texts[language]!;
      for (const [path, status, kind] of [
        ['/c/nonsense', 404, 'unknown'],
        [cancelled.path, 410, 'cancelled'],
        [expired.path, 410, 'expired'],
      ] as const) {
        const page = await rig.app.inject({ url: `${path}?lang=${language}` });
        expect(page.statusCode).toBe(status);
        expect(page.body).toContain(`<html lang="${language}" dir="${direction}">`);
        for (const words of Object.values(deadLinks[kind])) expect(page.body).toContain(escapeMarkup(words));
      }
    }
  });

  it('of an unknown link contains nothing specific to that link', async () => {
    const erased = await rig.create();
    await rig.call('DELETE', `/v1/challenges/${erased.challenge_id}`);
    const made = await rig.create();
    const other = made.path.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    const bodies = await Promise.all(
      ['/c/nonsense', erased.path, other].map(async (url) => {
        const { statusCode, body } = await rig.app.inject({ url });
        return [statusCode, body.replace(/nonce="[^"]+"/g, '')];
      }),
    );
    expect(bodies[0]![0]).toBe(404);
    expect(bodies[1]).toEqual(bodies[0]);
    expect(bodies[2]).toEqual(bodies[0]);
  });

  it('is the same behind a link with a trailing slash', async () => {
    const { path } = await rig.create();
    const page = await rig.app.inject({ url: `${path}/` });
    expect(page.statusCode).toBe(200);
    expect(stateIn(page.body)).toMatchObject({ status: 'created' });
  });

  it('is 410 after the deadline', async () => {
    const made = await rig.create();
    await rig.db
      .updateTable('challenge')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .where('id', '=', made.challenge_id)
      .execute();
    expect((await rig.app.inject({ url: made.path })).statusCode).toBe(410);
  });

  it('never shows the link to the log', async () => {
    const made = await rig.create();
    const token = made.path.split('/')[2]!;
    await rig.app.inject({ url: made.path });
    await rig.app.inject({ method: 'POST', url: `${made.path}/state?x=1`, payload: {} });
    await rig.app.inject({ url: `${made.path}/nothing` });
    await rig.app.inject({ method: 'PUT', url: made.path });
    await rig.app.inject({ url: `${made.path}/%zz` });
    await rig.app.inject({
      method: 'POST',
      url: `${made.path}/start`,
      payload: '{',
      headers: { 'content-type': 'application/json' },
    });
    const log = rig.logLines.join('');
    expect(log).not.toContain(token);
    expect(log).not.toContain('127.0.0.1');
    expect(log).toContain('"route":"/c/:token"');
    expect(await rig.metrics.metrics()).not.toContain(token);
  });
});

describe('a capture over the wire', () => {
  it('knows the device by the body of a request where that is JSON', async () => {
    const made = await rig.create({ liveness_only: true, require_consent: true });
    const { device_token } = await visitor(made.path).start();
    const { post } = visitor(made.path);
    const consent = { text_version: '2026-11-27.2', text_sha256: 'a'.repeat(64), language: 'en' };
    expect((await post('/state', {})).json()).toMatchObject({ bound_here: false });
    expect((await post('/state', { device_token })).json()).toMatchObject({ bound_here: true });
    const given = await post('/consent', { decision: 'given', ...consent, device_token });
    expect(given.json()).toMatchObject({ consent: { given: true } });
    expect((await post('/events', { name: 'camera_granted', device_token })).statusCode).toBe(204);
    expect((await post('/captures', {})).json()).toMatchObject({ conflict: 'other_device' });
    const issued = (await post('/captures', { device_token })).json<IssuedCapture>();
    const begun = { slices: [{ index: 0, sha256: sha256(Buffer.of(0x1a)), size_bytes: 1, to_ms: 1 }] };
    const announced = await post(`/captures/${issued.capture_id}/slices`, { ...begun, device_token });
    expect(announced.statusCode, announced.body).toBe(200);
  });

  it('runs from start to the last byte, resumes at the true offset, and refuses other devices', async () => {
    const made = await rig.create({ liveness_only: true, require_consent: true });
    const person = visitor(made.path);
    const { device_token, state } = await person.start();
    expect(device_token).toMatch(/^[A-Za-z0-9_-]{43,}$/);
    expect(state).toMatchObject({ status: 'initiated', device_bound: true });

    const early = await person.post('/captures', {});
    expect(early.statusCode).toBe(409);
    expect(early.json<Problem & { conflict: string }>().conflict).toBe('consent_required');
    const consent = {
      decision: 'given',
      text_version: '2026-11-27.2',
      text_sha256: 'a'.repeat(64),
      language: 'en',
    };
    expect((await person.post('/consent', consent)).json()).toMatchObject({ consent: { given: true } });
    expect((await person.post('/events', { name: 'camera_granted' })).statusCode).toBe(204);

    const issued = await person.post('/captures', {});
    expect(issued.statusCode, issued.body).toBe(201);
    const capture = issued.json<IssuedCapture>();
    const bytes = Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), randomBytes(700_000)]);
    const slice = { index: 0, sha256: sha256(bytes), size_bytes: bytes.length, to_ms: 1 };
    const below = `/captures/${capture.capture_id}`;
    expect(capture.script.steps).toHaveLength(1);
    const announced = await person.post(`${below}/slices`, { slices: [slice], steps: capture.step_count });
    expect(announced.json(), announced.body).toMatchObject({ announced_slices: 1, state: 'issued' });
    const { steps } = announced.json<{ steps: IssuedCapture['script']['steps'] }>();
    expect(steps).toHaveLength(capture.step_count);
    const commit = {
      slices: 1,
      size_bytes: bytes.length,
      mime_type: 'video/webm',
      duration_ms: 3_000,
      script: performedScript({ ...capture.script, steps }, 1_000),
    };
    const skipped = await person.post(`${below}/slices`, { slices: [{ ...slice, index: 2 }] });
    expect(skipped.statusCode).toBe(409);
    expect(skipped.json()).toMatchObject({ conflict: 'wrong_slice', announced_slices: 1 });
    const committed = await person.post(`${below}/commit`, commit);
    expect(committed.json(), committed.body).toMatchObject({ received_bytes: 0 });

    const intruder = visitor(made.path);
    const refused = await intruder.post('/captures', {});
    expect(refused.statusCode).toBe(409);
    expect(refused.json<{ conflict: string }>().conflict).toBe('other_device');
    const instead = await intruder.post('/start', {});
    expect(instead.statusCode).toBe(409);
    expect(instead.json<{ conflict: string }>().conflict).toBe('other_device');

    const bearer = { authorization: `Bearer ${person.device}` };
    const byStandard = await rig.app.inject({ url: `${made.path}${below}`, headers: bearer });
    expect(byStandard.json(), byStandard.body).toMatchObject({ state: 'committed' });

    const first = bytes.subarray(0, capture.chunk_bytes);
    expect((await person.send(capture.capture_id, 0, first)).json()).toMatchObject({
      received_bytes: first.length,
    });
    const again = await person.send(capture.capture_id, 0, first);
    expect(again.statusCode).toBe(409);
    expect(again.json()).toMatchObject({ received_bytes: first.length, conflict: 'wrong_offset' });
    expect((await person.get(below)).json()).toMatchObject({ received_bytes: first.length });
    const last = await person.send(capture.capture_id, first.length, bytes.subarray(first.length));
    expect(last.json(), last.body).toMatchObject({ received_bytes: bytes.length, state: 'submitted' });
    expect((await person.get('/outcome?wait_seconds=0')).json()).toMatchObject({ status: 'processing' });
    const result = await status(made.challenge_id);
    expect(result.status).toBe('processing');
    expect(result.events.map((event: { name: string }) => event.name)).toEqual([
      'challenge_opened',
      'consent_given',
      'camera_granted',
      'capture_started',
      'capture_submitted',
    ]);
  });

  it('says when a new recording that must wait for the current one may begin', async () => {
    const { path } = await rig.create({ liveness_only: true, require_consent: false });
    const person = visitor(path);
    await person.start();
    const [first, second] = [await person.post('/captures', {}), await person.post('/captures', {})];
    expect([first.statusCode, second.statusCode]).toEqual([201, 201]);
    const refused = await person.post('/captures', {});
    expect(refused.statusCode).toBe(409);
    expect(refused.json<{ conflict: string }>().conflict).toBe('capture_under_way');
    const waitMs = Number(refused.headers['retry-after']) * 1000;
    const { commit_within_ms } = second.json<IssuedCapture>();
    expect(waitMs).toBeGreaterThan(commit_within_ms - 10_000);
    expect(waitMs).toBeLessThanOrEqual(commit_within_ms + 1_000);
  });

  it('shows what denied the camera, if the page says so', async () => {
    const made = await rig.create({ liveness_only: true, require_consent: false });
    const person = visitor(made.path);
    await person.start();
    const denied = { name: 'camera_denied' };
    for (const cause of CAMERA_REFUSALS)
      expect((await person.post('/events', { ...denied, cause })).statusCode).toBe(204);
    // A page that was opened before causes were known; and a cause of nothing.
    expect((await person.post('/events', denied)).statusCode).toBe(204);
    expect((await person.post('/events', { name: 'camera_granted', cause: 'blocked' })).statusCode).toBe(204);
    const timestamp = expect.any(String);
    expect((await status(made.challenge_id)).events).toEqual([
      { name: 'challenge_opened', timestamp },
      ...CAMERA_REFUSALS.map((cause) => ({ ...denied, timestamp, cause })),
      { ...denied, timestamp },
      { name: 'camera_granted', timestamp },
    ]);
  });

  it('takes bytes that try the way of a recording, and keeps nothing of them', async () => {
    const made = await rig.create({ liveness_only: true, require_consent: false });
    const person = visitor(made.path);
    const conflict = async (answer: ReturnType<typeof person.tryWay>) => {
      expect((await answer).statusCode).toBe(409);
      return (await answer).json<{ conflict: string }>().conflict;
    };
    expect(await conflict(person.tryWay(randomBytes(32_768)))).toBe('not_started');
    await person.start();
    expect(await conflict(visitor(made.path).tryWay(Buffer.of(1)))).toBe('other_device');
    const before = await status(made.challenge_id);
    for (const size of [0, 1, 262_144]) expect((await person.tryWay(randomBytes(size))).statusCode).toBe(204);
    expect((await person.tryWay(Buffer.alloc(600_000))).statusCode).toBe(413);
    expect((await person.post('/captures/trial/bytes', {})).statusCode).toBe(415);
    expect(await status(made.challenge_id)).toEqual(before);
    expect((await person.post('/state', {})).json()).toMatchObject({ capture: null, tries_left: 3 });
    await rig.call('POST', `/v1/challenges/${made.challenge_id}/cancel`);
    expect((await person.tryWay(Buffer.of(1))).statusCode).toBe(410);
  });

  it('checks every body, offset and type', async () => {
    const { path } = await rig.create();
    const person = visitor(path);
    await person.start();
    const code = async (answer: Promise<{ statusCode: number }>) => (await answer).statusCode;
    expect(await code(person.post('/consent', { decision: 'maybe' }))).toBe(422);
    expect(await code(person.post('/events', { name: 'challenge_opened' }))).toBe(422);
    const unknown = await person.post('/events', { name: 'camera_denied', cause: 'by_magic' });
    expect(unknown.statusCode).toBe(422);
    expect(unknown.json<Problem>().errors).toMatchObject([{ pointer: '/cause' }]);
    expect(await code(person.post('/captures', { extra: 1 }))).toBe(422);
    const id = `cap_${'0'.repeat(26)}`;
    expect(await code(person.send(id, -1, Buffer.from('x')))).toBe(422);
    expect(await code(person.send(id, null, Buffer.from('x')))).toBe(422);
    expect(await code(person.send(id, 0, Buffer.alloc(600_000)))).toBe(413);
    expect(await code(person.send('cap_x', 0, Buffer.from('x')))).toBe(404);
    const json = rig.app.inject({
      method: 'POST',
      url: `${path}/captures/${id}/bytes?offset=0`,
      payload: {},
    });
    expect(await code(json)).toBe(415);
    expect(await code(person.get('/outcome?wait_seconds=500'))).toBe(422);
    expect(await code(person.get('/logo'))).toBe(404);
  });

  it('takes an answer of the device only in its form and size, before anything of it is read', async () => {
    const { path } = await rig.create({
      liveness_only: true,
      require_consent: false,
      device_binding: 'offer',
    });
    const person = visitor(path);
    await person.start();
    const { capture_id } = (await person.post('/captures', {})).json<IssuedCapture>();
    const give = (body: object) => person.post(`/captures/${capture_id}/passkey`, body);
    const response = { clientDataJSON: 'A'.repeat(4_000), attestationObject: 'A'.repeat(16_000) };
    const made = { id: 'AQID', rawId: 'AQID', type: 'public-key', response };
    const proof = { clientDataJSON: 'A', authenticatorData: 'A', signature: 'A'.repeat(8_000) };
    const signed = { ...made, response: proof };
    // The largest are well-formed: they are refused because the recording is not over.
    for (const body of [
      { kind: 'made', made },
      { kind: 'signed', signed },
    ])
      expect((await give(body)).json()).toMatchObject({ conflict: 'passkey_not_asked' });
    const madeWith = (change: object) => ({ kind: 'made', made: { ...made, ...change } });
    const respondedWith = (change: object) => madeWith({ response: { ...response, ...change } });
    const signedWith = (change: object) => ({
      kind: 'signed',
      signed: { ...signed, response: { ...proof, ...change } },
    });
    for (const [pointer, body] of [
      ['/made/response/attestationObject', respondedWith({ attestationObject: 'A'.repeat(16_001) })],
      ['/made/response/clientDataJSON', respondedWith({ clientDataJSON: 'A'.repeat(4_001) })],
      ['/made/id', madeWith({ id: 'A'.repeat(1_401) })],
      ['/made/response/transports', respondedWith({ transports: Array(9).fill('usb') })],
      ['/made/response/transports/0', respondedWith({ transports: ['u'.repeat(33)] })],
      ['/signed/response/authenticatorData', signedWith({ authenticatorData: 'A'.repeat(4_001) })],
      ['/signed/response/signature', signedWith({ signature: 'A'.repeat(8_001) })],
      ['/made/response/attestationObject', respondedWith({ attestationObject: 'not base64url!' })],
      ['/made/response/attestationObject', respondedWith({ attestationObject: '' })],
      ['/made/response/attestationObject', respondedWith({ attestationObject: ['A'] })],
      ['/made/response/attestationObject', respondedWith({ attestationObject: undefined })],
      ['/made/type', madeWith({ type: 'private-key' })],
      ['/made', { kind: 'made', made: null }],
      ['/kind', { kind: 'stolen' }],
      ['/kind', {}],
      ['/extra', { kind: 'declined', extra: 1 }],
      ['/made/extra', madeWith({ extra: 1 })],
      ['/made/response/publicKey', respondedWith({ publicKey: 'A' })],
      ['/signed/response/extra', signedWith({ extra: 1 })],
    ] as const) {
      const answer = await give(body);
      expect(answer.statusCode, answer.body).toBe(422);
      expect(answer.json<Problem>().errors).toMatchObject([{ pointer }]);
    }
    expect((await give(respondedWith({ attestationObject: 'A'.repeat(300_000) }))).statusCode).toBe(413);
  });

  // The requested wait is longer than the timeout of this test.
  it('ends a long wait when the server closes', { timeout: 20_000 }, async () => {
    const closing = await createHttpRig();
    const made = await closing.create();
    const { pathname } = new URL(made.challenge_url);
    await closing.app.listen({ port: 0, host: '127.0.0.1' });
    const origin = `http://127.0.0.1:${(closing.app.server.address() as AddressInfo).port}`;
    const start = await fetch(`${origin}${pathname}/start`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    const device = ((await start.json()) as StartAnswer).device_token;
    await closing.db
      .updateTable('challenge')
      .set({ status: 'processing' })
      .where('id', '=', made.challenge_id)
      .execute();
    const arrived = once(closing.app.server, 'request');
    const waiting = fetch(`${origin}${pathname}/outcome?wait_seconds=25`, {
      headers: { 'likeness-device': device },
    });
    await arrived;
    await new Promise((done) => setTimeout(done, 300));
    await closing.app.close();
    expect((await waiting).status).toBe(200);
    await closing.close();
  });
});

describe('files of the page', () => {
  const file = (name: string, encoding?: string) =>
    rig.app.inject({
      url: `/assets/capture/${name}`,
      headers: encoding ? { 'accept-encoding': encoding } : {},
    });

  it('have their type, are cached for good, and are compressed for browsers that accept it', async () => {
    const plain = await file('main-abc12345.js');
    expect(plain.statusCode).toBe(200);
    expect(plain.headers['content-type']).toMatch(/^(text|application)\/javascript/);
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(plain.body).toBe(SCRIPT_TEXT);
    for (const [encoding, name] of [
      ['br', 'br, gzip'],
      ['gzip', 'gzip'],
    ] as const) {
      const small = await file('main-abc12345.js', name);
      expect(small.headers['content-encoding']).toBe(encoding);
      expect(small.headers['content-type']).toMatch(/javascript/);
      expect(small.headers.vary).toMatch(/accept-encoding/i);
      expect(small.rawPayload.length).toBeLessThan(500);
    }
    expect((await file('guidance-1a2b3c/tfjs.wasm')).headers['content-type']).toBe('application/wasm');
    expect((await file('guidance-1a2b3c/model.bin')).headers['content-type']).toBe(
      'application/octet-stream',
    );
  });

  it("are limited to the page's own", async () => {
    for (const name of [
      'index.html',
      '',
      '../page/index.html',
      '..%2findex.html',
      'server-texts.json',
      // These, too, lead to that file (GHSA-8pvw-jcv7-9cmj).
      '/server-texts.json',
      './server-texts.json',
      'none/../server-texts.json',
      'none.js',
      'main-abc12345.js.br',
      '.env',
    ]) {
      const answer = await file(name);
      expect([400, 403, 404], name).toContain(answer.statusCode);
      expect(answer.body).not.toContain('%STATE%');
    }
  });
});

describe('asset links', () => {
  const link = async (bytes: Buffer, mimeType?: string) => {
    const { challenge_id } = await rig.create();
    const id = await rig.makeAsset(challenge_id, bytes, mimeType);
    const result = await status(challenge_id);
    const url = new URL(result.assets_links[0].presigned_url);
    return { id, path: url.pathname + url.search, challengeId: challenge_id };
  };

  it('return the decrypted bytes as a download, without a key', async () => {
    const bytes = randomBytes(100_000);
    const { id, path } = await link(bytes);
    const answer = await rig.app.inject({ url: path });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.rawPayload.equals(bytes)).toBe(true);
    expect(answer.headers).toMatchObject({
      'content-type': 'video/webm',
      'content-length': '100000',
      'content-disposition': `attachment; filename="${id}.webm"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
    });
  });

  it('return byte ranges', async () => {
    const bytes = randomBytes(1_000);
    const { path } = await link(bytes);
    const range = (value: string) => rig.app.inject({ url: path, headers: { range: value } });
    const cases: [string, number, number][] = [
      ['bytes=0-9', 0, 10],
      ['bytes=990-', 990, 1_000],
      ['bytes=-5', 995, 1_000],
      ['bytes=500-99999', 500, 1_000],
    ];
    for (const [value, from, to] of cases) {
      const answer = await range(value);
      expect(answer.statusCode).toBe(206);
      expect(answer.headers['content-range']).toBe(`bytes ${from}-${to - 1}/1000`);
      expect(answer.rawPayload.equals(bytes.subarray(from, to))).toBe(true);
    }
    for (const value of ['bytes=5-1', 'bytes=2000-', 'bytes=-', 'lines=1-2', 'bytes=0-1,5-6']) {
      expect((await range(value)).statusCode).toBe(200);
    }
  });

  it('cannot be altered to reach anything else, and expire', async () => {
    const one = await link(Buffer.from('one'));
    const two = await link(Buffer.from('two'));
    const code = async (path: string) => (await rig.app.inject({ url: path })).statusCode;
    expect(await code(one.path.replace(one.id, two.id))).toBe(404);
    expect(await code(one.path.replace(/expires=\d+/, 'expires=9999999999'))).toBe(404);
    const other = one.path.includes('signature=_') ? 'signature=A' : 'signature=_';
    expect(await code(one.path.replace(/signature=./, other))).toBe(404);
    expect(await code(one.path.replace(/&signature=.*/, ''))).toBe(422);
    expect(await code(`${one.path}&signature=x`)).toBe(422);
    expect(await code(one.path)).toBe(200);
    const gone = await rig.call('DELETE', `/v1/challenges/${one.challengeId}`);
    expect(gone).toMatchObject({ statusCode: 204, headers: { 'cache-control': 'no-store' } });
    expect(await code(one.path)).toBe(404);
    rig.skewClock(61_000);
    const late = await rig.app.inject({ url: two.path });
    rig.skewClock(0);
    expect(late.statusCode).toBe(410);
    expect(late.json<Problem>().type).toContain('/gone');
  });
});
