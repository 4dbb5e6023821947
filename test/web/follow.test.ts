// A check that continues elsewhere is followed to its end, as often as the server allows, and through its silences.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CaptureState } from '../../src/contract/capture-page.ts';
import type { Answer, CallFault, Calls } from '../../web/capture/api/calls.ts';
import type { Device } from '../../web/capture/api/device.ts';
import { createFollower } from '../../web/capture/flow/follow.ts';
import type { PageEvent } from '../../web/capture/flow/screens.ts';
import { sampleState } from '../../web/capture/gallery/sample.ts';

const device = { token: 'x', keep: () => {}, follow: () => {} } as unknown as Device;

const said = <T>(value: T): Answer<T> => ({ ok: true, value });
const refused = (fault: CallFault, status: number, retryAfterMs: number | null = null): Answer<never> => ({
  ok: false,
  fault,
  status,
  body: null,
  retryAfterMs,
});
/** Follows a check whose server gives these answers in turn, the last one for ever. */
function follow(states: Answer<CaptureState>[]) {
  const told: PageEvent[] = [];
  const askedAtMs: number[] = [];
  const calls: Pick<Calls, 'state'> = {
    state: async () => {
      askedAtMs.push(Date.now());
      return states.length > 1 ? states.shift()! : states[0]!;
    },
  };
  const follower = createFollower(calls as Calls, device, (event) => told.push(event));
  follower.follow('phone');
  return { told, askedAtMs, follower };
}

const completed = refused('used', 410);
const waiting = said(sampleState());

describe('a check that continues elsewhere', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 0 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is polled every second or two', async () => {
    const { askedAtMs, follower } = follow([waiting]);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(askedAtMs).toEqual([0, 1_500, 3_000]);
    follower.stop();
    await vi.advanceTimersByTimeAsync(4_000);
    expect(askedAtMs).toHaveLength(3);
  });

  it('is not polled for as long as the server says, up to a minute', async () => {
    const { askedAtMs, told } = follow([
      refused('too_many', 429, 20_000),
      refused('server', 503, 5_000),
      refused('too_many', 429, 86_400_000),
      completed,
    ]);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(askedAtMs).toEqual([0, 20_000, 25_000, 85_000]);
    expect(told).toEqual([{ type: 'followed_to_end' }]);
  });

  it.each([
    ['the network is down', refused('offline', 0)],
    ['the server is overloaded', refused('too_many', 429, 2_000)],
    ['the server is down', refused('server', 502)],
  ])('is not reported as expired when, at its end, %s', async (_what, silence) => {
    const { told } = follow([silence, silence, completed]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(told).toEqual([]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(told).toEqual([{ type: 'followed_to_end' }]);
  });

  const elsewhere = sampleState({ status: 'initiated', device_bound: true });
  const here: CaptureState = { ...elsewhere, bound_here: true };
  const open = (id: string) => ({ ...here, capture: { id, state: 'issued' } as CaptureState['capture'] });

  it.each<[string, CaptureState, CaptureState, PageEvent['type'] | null]>([
    ['nothing happens', sampleState(), sampleState(), null],
    ['nothing more happens', here, here, null],
    ['a recording that failed here is still open', open('mine'), open('mine'), null],
    ['the other device begins', sampleState(), here, 'taken_up'],
    ['the other device consents', here, { ...here, consent: { ...here.consent, given: true } }, 'taken_up'],
    ['the other device records', open('mine'), open('other'), 'taken_up'],
    ['the other device sends its recording', open('other'), { ...here, status: 'processing' }, 'taken_up'],
    ['the other device starts anew', here, elsewhere, 'taken_over'],
    ['the other device had started anew', elsewhere, elsewhere, 'taken_over'],
  ])('tells what becomes of it: %s', async (_, before, now, told) => {
    const followed = follow([said(before), said(now)]);
    await vi.advanceTimersByTimeAsync(1_500);
    followed.follower.stop();
    expect([...new Set(followed.told.map(({ type }) => type))]).toEqual(told === null ? [] : [told]);
  });

  it('is followed once, however often that is asked for', async () => {
    const { askedAtMs, follower } = follow([waiting]);
    follower.follow('elsewhere');
    await vi.advanceTimersByTimeAsync(1_600);
    follower.stop();
    expect(askedAtMs).toEqual([0, 0, 1_500]);
  });
});
