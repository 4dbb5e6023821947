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

  /** Answers as a service that sees the device only where `sees` says so. */
  function serve(sees: (headers: Headers, body: unknown) => boolean) {
    const seen: string[] = [];
    vi.stubGlobal('fetch', async (url: string, { headers, body }: RequestInit) => {
      const isSeen = sees(new Headers(headers), typeof body === 'string' ? JSON.parse(body) : null);
      seen.push(`${url.replace('/c/token', '')} ${isSeen}`);
      if (url.endsWith('/state')) return new Response(JSON.stringify({ bound_here: isSeen }));
      const refusal = JSON.stringify({ type: 'x', status: 409, conflict: 'other_device' });
      return isSeen ? new Response('{}') : new Response(refusal, { status: 409 });
    });
    return { seen, here: createCalls('/c/token', 'device') };
  }
  const inBody = (_: Headers, body: unknown) =>
    (body as { device_token?: string } | null)?.device_token === 'device';

  it('say in their body which device calls, where that is JSON', async () => {
    const { seen, here } = serve(inBody);
    await here.state();
    await here.start();
    await here.consent({ decision: 'given', text_version: '1', text_sha256: '', language: 'en' });
    await here.report({ name: 'camera_granted' });
    await here.issueCapture(null);
    await here.announce('id', { slices: [] });
    expect(seen).toHaveLength(6);
    for (const call of seen) expect(call).toMatch(/ true$/);
  });

  it('say it by a standard header where the body is not JSON and a proxy drops the other header', async () => {
    const { seen, here } = serve((headers) => headers.get('authorization') === 'Bearer device');
    for (const _ of [1, 2]) expect(await here.progress('id')).toMatchObject({ ok: true });
    expect(seen).toEqual(['/captures/id false', '/captures/id true', '/captures/id true']);
  });

  it('name the network where it drops both headers, and believe that the check is elsewhere where it is', async () => {
    const dropped = serve(inBody);
    expect(await dropped.here.progress('id')).toMatchObject({ ok: false, fault: 'blocked' });
    expect(dropped.seen).toEqual(['/captures/id false', '/captures/id false', '/state true']);
    const taken = serve(() => false);
    expect(await taken.here.progress('id')).toMatchObject({ ok: false, fault: 'other_device' });
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
