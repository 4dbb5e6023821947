// How the capture page interprets answers, including those that do not come from the service.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createCalls } from '../../web/capture/api/calls.ts';

const HTML = '<!doctype html><title>nginx</title>';

describe('calls of the capture page', () => {
  const calls = createCalls('/c/token', 'device');
  const answer = (status: number, body: string, headers: Record<string, string> = {}) =>
    vi.stubGlobal('fetch', async () => new Response(body, { status, headers }));
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it.each([
    [502, 'server'],
    [503, 'server'],
    [504, 'server'],
    [429, 'too_many'],
  ] as const)('a proxy’s own page with %i is a fault of the service, not of the connection', async (status, fault) => {
    answer(status, HTML, { 'retry-after': '7' });
    expect(await calls.state()).toEqual({ ok: false, fault, status, body: null, retryAfterMs: 7_000 });
  });

  it.each([
    200, 302, 401, 407, 511,
  ])('a captive portal’s page with %i counts as no connection', async (status) => {
    answer(status, HTML);
    expect(await calls.state()).toMatchObject({ ok: false, fault: 'offline', status: 0 });
  });

  it.each([
    [403, HTML],
    [405, ''],
    [413, HTML],
    [403, '{"message":"Forbidden"}'],
  ])('a refusal with %i that is no problem of the service’s comes from something before it', async (status, body) => {
    answer(status, body);
    expect(await calls.state()).toMatchObject({ ok: false, fault: 'blocked', status });
  });

  it('say which device calls by a standard header where a proxy drops the other', async () => {
    const seen: (string | null)[] = [];
    vi.stubGlobal('fetch', async (_url: string, { headers }: { headers: Record<string, string> }) => {
      const given = new Headers(headers).get('authorization');
      seen.push(given);
      const refusal = JSON.stringify({ type: 'x', status: 409, conflict: 'other_device' });
      return given === 'Bearer device' ? new Response('{}') : new Response(refusal, { status: 409 });
    });
    const here = createCalls('/c/token', 'device');
    expect(await here.state()).toMatchObject({ ok: true });
    expect(await here.state()).toMatchObject({ ok: true });
    expect(seen).toEqual([null, 'Bearer device', 'Bearer device']);
  });

  it('ask once more by that header where the state is said to be another device’s, and then believe it', async () => {
    const seen: (string | null)[] = [];
    let knows = 'nobody';
    vi.stubGlobal('fetch', async (_url: string, { headers }: { headers: Record<string, string> }) => {
      const given = new Headers(headers).get('authorization');
      seen.push(given);
      return new Response(JSON.stringify({ device_bound: true, bound_here: given === knows }));
    });
    const lost = createCalls('/c/token', 'device');
    for (const _ of [1, 2]) expect(await lost.state()).toMatchObject({ value: { bound_here: false } });
    expect(seen).toEqual([null, 'Bearer device', null]);
    knows = 'Bearer device';
    const proxied = createCalls('/c/token', 'device');
    for (const _ of [1, 2]) expect(await proxied.state()).toMatchObject({ value: { bound_here: true } });
    expect(seen.slice(3)).toEqual([null, 'Bearer device', 'Bearer device']);
  });

  it.each([
    ['expired', 'gone'],
    ['cancelled', 'cancelled'],
    ['completed', 'used'],
    [undefined, 'gone'],
  ] as const)('a check that is closed as %s is reported as it ended', async (closed, fault) => {
    answer(410, JSON.stringify({ type: 'x', status: 410, closed }));
    expect(await calls.state()).toMatchObject({ fault, status: 410 });
  });

  it('a refusal by the service is understood', async () => {
    answer(409, JSON.stringify({ type: 'x', status: 409, conflict: 'other_device' }));
    expect(await calls.state()).toMatchObject({ fault: 'other_device', status: 409 });
    answer(409, JSON.stringify({ type: 'x', status: 409, conflict: 'other_device', tied: true }));
    expect(await calls.state()).toMatchObject({ fault: 'other_browser', status: 409 });
  });
});
