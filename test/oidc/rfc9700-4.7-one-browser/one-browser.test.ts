// A login belongs to the browser in which it began (RFC 9700 section 4.7 and beyond): another person's link, cookie or
// address takes nobody into it.
import type * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StartAnswer } from '../../../src/contract/capture-page.ts';
import { PageClient } from '../../support/page-client.ts';
import { logIn } from '../support/log-in.ts';
import { createOidcRig, type OidcRig, PERSON } from '../support/oidc-rig.ts';

let rig: OidcRig;
let config: client.Configuration;
beforeAll(async () => {
  rig = await createOidcRig();
  const { id, secret } = await rig.addClient();
  config = await rig.relyingParty(id, secret);
});
afterAll(() => rig?.close());

describe('a login', () => {
  it('continues only in the browser in which it began', async () => {
    const victim = await logIn(rig, config, { params: { login_hint: 'grace' }, faces: [] });
    const stranger = rig.browser();
    const without = await stranger.follow(victim.interaction);
    expect(without.answer.status).toBe(404);
    const attacker = await logIn(rig, config, { params: { login_hint: 'mallory' }, faces: [] });
    expect((await attacker.browser.follow(victim.interaction)).answer.status).toBe(404);
    // Every cookie of the stranger's own login, in place of the victim's.
    const path = new URL(victim.interaction).pathname;
    for (const [key, cookie] of [...attacker.browser.cookies]) {
      const [name] = key.split(' ');
      if (name!.startsWith('likeness_login'))
        attacker.browser.cookies.set(`${name} ${path}`, { ...cookie, path });
    }
    expect((await attacker.browser.follow(victim.interaction)).answer.status).toBe(404);
    const forgedCookies = rig.browser();
    const uid = path.split('/').at(-1)!;
    forgedCookies.cookies.set(`likeness_login ${path}`, { value: uid, path });
    expect((await forgedCookies.follow(victim.interaction)).answer.status).toBe(404);
  });

  it('gives its challenge to no other browser: a forwarded link starts nothing', async () => {
    const attacker = await logIn(rig, config, { params: { login_hint: 'joan' }, faces: [] });
    const victim = rig.browser();
    const started = await victim.fetch(`${attacker.url}/start`, { method: 'POST', json: {} });
    expect(started.status).toBe(409);
    expect(await started.json()).toMatchObject({ conflict: 'other_device' });
    const second = await logIn(rig, config, { params: { login_hint: 'joan' }, faces: [] });
    const path = new URL(attacker.url).pathname;
    const [cookie] = [...second.browser.cookies].filter(([key]) => key.startsWith('likeness_challenge'));
    victim.cookies.set(`likeness_challenge ${path}`, { ...cookie![1], path });
    expect((await victim.fetch(`${attacker.url}/start`, { method: 'POST', json: {} })).status).toBe(409);
    expect((await attacker.browser.fetch(`${attacker.url}/start`, { method: 'POST', json: {} })).status).toBe(
      200,
    );
  });

  it('continues in no other browser, even if the device token is forwarded with the link', async () => {
    const attacker = await logIn(rig, config, { params: { login_hint: 'lynn' }, faces: [] });
    const started = await attacker.browser.fetch(`${attacker.url}/start`, { method: 'POST', json: {} });
    const { device_token, state } = (await started.json()) as StartAnswer;
    const { text_version } = state.consent;
    // `challenge_url#d=TOKEN` gives this to the browser that opens it.
    const victim = new PageClient(attacker.url, device_token);
    const elsewhere = { status: 409, body: { conflict: 'other_device' } };
    const steps = async () => [
      await victim.call('POST', '/start', {}),
      await victim.consent(text_version),
      await victim.call('POST', '/events', { name: 'camera_granted' }),
      await victim.call('POST', '/captures', {}),
    ];
    expect(await steps()).toMatchObject([elsewhere, elsewhere, elsewhere, elsewhere]);
    // Nor if everything before the recording was done in the browser in which it began.
    const own = new PageClient(attacker.url, device_token, attacker.browser.pageFetch);
    expect((await own.consent(text_version)).status).toBe(200);
    expect(await steps()).toMatchObject([elsewhere, elsewhere, elsewhere, elsewhere]);
    expect((await own.call('POST', '/captures', {})).status).toBe(201);
  });

  it('is taken over by a later tab of its own browser, and by no other browser', async () => {
    const { browser, url } = await logIn(rig, config, { params: { login_hint: 'barbara' }, faces: [] });
    const first = new PageClient(url, undefined, browser.pageFetch);
    await first.start();
    const stranger = await new PageClient(url).call('POST', '/start', {});
    expect(stranger).toMatchObject({ status: 409, body: { conflict: 'other_device', tied: true } });
    expect((await first.call('POST', '/state', {})).body.bound_here).toBe(true);
    const later = new PageClient(url, undefined, browser.pageFetch);
    await later.start();
    expect((await later.call('POST', '/state', {})).body.bound_here).toBe(true);
    const lost = await first.call('POST', '/events', { name: 'camera_granted' });
    expect(lost).toMatchObject({ status: 409, body: { conflict: 'other_device' } });
    expect(lost.body.tied).toBeUndefined();
  });

  it('gives no code before the check is done, whatever the browser requests', async () => {
    const { browser, url, interaction } = await logIn(rig, config, {
      params: { login_hint: 'edsger' },
      faces: [],
    });
    const uid = interaction.split('/').at(-1)!;
    const resumed = await browser.follow(`${rig.issuer}/auth/${uid}`);
    expect(new URL(resumed.url).searchParams.get('code')).toBeNull();
    // A new challenge: nothing of the first one counts.
    expect(resumed.url).toContain('/c/');
    expect(resumed.url).not.toBe(url);
    expect((await browser.follow(interaction)).answer.status).toBe(404);
    for (const path of ['login', 'abort', 'done', 'confirm']) {
      const posted = await browser.fetch(`${interaction}/${path}`, {
        method: 'POST',
        form: { login: PERSON },
      });
      expect(posted.status).toBeGreaterThanOrEqual(400);
    }
    const asPost = await browser.fetch(interaction, {
      method: 'POST',
      form: { accountId: 'x', result: 'pass' },
    });
    expect(asPost.status).toBeGreaterThanOrEqual(400);
  });

  it('enrols nobody under an existing name: two concurrent logins end with one person', async () => {
    const params = { login_hint: 'ada and eve' };
    const [first, second] = [
      await logIn(rig, config, { params, faces: [] }),
      await logIn(rig, config, { params, faces: [] }),
    ];
    await rig.capture(first.browser, first.url);
    await rig.capture(second.browser, second.url);
    const done = await first.browser.follow(first.interaction);
    expect(new URL(done.url).searchParams.get('code')).toBeTruthy();
    // The second has to match the face of the first.
    const next = await second.browser.follow(second.interaction);
    expect(next.url).toContain('/c/');
    expect(next.url).not.toBe(second.url);
    await rig.capture(second.browser, next.url, 'other');
    const end = await second.browser.follow(second.interaction);
    expect(new URL(end.url).searchParams.get('error')).toBe('access_denied');
  });
});
