// What a page says at the end of its check: how that ended, on the device that did it, on a page that followed it there,
// and on any other; and that a page which followed it goes on to the client.
import { describe, expect, it, vi } from 'vitest';
import type { CaptureOutcome, CaptureState, RetryReason } from '../../src/contract/capture-page.ts';
import type { Answer, CallFault, Calls } from '../../web/capture/api/calls.ts';
import type { Device, Followed } from '../../web/capture/api/device.ts';
import type { Effect } from '../../web/capture/flow/effect.ts';
import { createFollower } from '../../web/capture/flow/follow.ts';
import { deadPage, initialPage, transition } from '../../web/capture/flow/machine.ts';
import { awaitOutcome } from '../../web/capture/flow/outcome.ts';
import type { Page, PageEvent, Setting } from '../../web/capture/flow/screens.ts';
import { sampleState } from '../../web/capture/gallery/sample.ts';

const BACK = 'https://client.example/done';
const passkeys = { sign: true, make: true };
const setting: Setting = { computer: true, inApp: false, hasCamera: true, passkeys, handedOver: null };
const begun = sampleState({ status: 'initiated', device_bound: true, exit_redirect_url: BACK });
const here: CaptureState = { ...begun, bound_here: true };

/** How a check ends, and what the server then answers: to the state, and to its own device's wait for the outcome. */
const ENDS = {
  completed: { state: refused('used', 410), outcome: ended('done'), deadLink: 'completed' },
  expired: { state: refused('gone', 410), outcome: ended('expired'), deadLink: 'expired' },
  cancelled: { state: refused('cancelled', 410), outcome: ended('cancelled'), deadLink: 'cancelled' },
  erased: { state: refused('unknown_link', 404), outcome: refused('unknown_link', 404), deadLink: 'unknown' },
} as const;
type End = keyof typeof ENDS;

function refused(fault: CallFault, status: number) {
  return { ok: false, fault, status, body: null, retryAfterMs: null } as const;
}

function ended(status: CaptureOutcome['status']): Answer<CaptureOutcome> {
  const redirect_url = status === 'done' ? BACK : null;
  return { ok: true, value: { status, retry: null, redirect_url, estimate_ms: 0 } };
}

/** A page, its screens and the effects that it asked for. */
function open(page = initialPage(setting, null)) {
  const seen: { page: Page; effects: Effect[] } = { page, effects: [] };
  const dispatch = (event: PageEvent) => {
    const next = transition(seen.page, event);
    seen.page = next.page;
    seen.effects.push(...next.effects);
  };
  return { seen, dispatch };
}

const loaded = (challenge: CaptureState, following: Followed | null = null): PageEvent => ({
  type: 'loaded',
  challenge,
  pending: null,
  following,
});

/** Each kind of page, brought to the end of its check. */
const PAGES: Readonly<Record<string, (end: End) => Promise<ReturnType<typeof open>['seen']>>> = {
  'its own device, waiting for the outcome': async (end) => {
    const { seen, dispatch } = open();
    dispatch(loaded({ ...here, status: 'processing' }));
    await awaitOutcome({ outcome: async () => ENDS[end].outcome } as unknown as Calls, dispatch);
    return seen;
  },
  'its own device, at its next step': async (end) => {
    const { seen, dispatch } = open();
    dispatch(loaded({ ...here, retry_reason: 'too_dark' satisfies RetryReason }));
    dispatch({ type: 'call_failed', fault: ENDS[end].state.fault });
    return seen;
  },
  'another device, which opens the link': async (end) => {
    const owner = { ...begun, account: begun.account };
    return open(deadPage(setting, { dead_link: ENDS[end].deadLink, owner })).seen;
  },
  'another device, whose page was open': async (end) => {
    const { seen, dispatch } = open();
    dispatch(loaded(begun));
    dispatch({ type: 'agree' });
    dispatch({ type: 'call_failed', fault: ENDS[end].state.fault });
    return seen;
  },
  'a computer at its QR code': (end) => following(end, [loaded(here), { type: 'hand_off', target: 'phone' }]),
  'a computer at its QR code that has not begun': (end) =>
    following(end, [
      loaded(sampleState({ exit_redirect_url: BACK })),
      { type: 'hand_off', target: 'phone' },
      { type: 'taken_up' },
    ]),
  'a page that lost the check': (end) =>
    following(end, [loaded(here), { type: 'agree' }, { type: 'call_failed', fault: 'other_device' }]),
  'a page that found the check recorded elsewhere': (end) =>
    following(end, [loaded({ ...begun, may_start: false })]),
  'a page that was reloaded while it followed': (end) => following(end, [loaded(begun, 'elsewhere')]),
};

/** A page that follows the check after these events, until the follower has nothing more to tell. */
async function following(end: End, events: PageEvent[]) {
  const { seen, dispatch } = open();
  for (const event of events) dispatch(event);
  const device = { token: 'x', keep: () => {}, follow: () => {} } as unknown as Device;
  const told = vi.fn(dispatch);
  const calls = { state: async () => ENDS[end].state } as unknown as Calls;
  createFollower(calls, device, told).follow('elsewhere');
  await vi.waitFor(() => expect(told).toHaveBeenCalled());
  return seen;
}

const endedHere = { completed: 'done', expired: 'expired', cancelled: 'cancelled', erased: 'unknown_link' };
const endedElsewhere = { ...endedHere, completed: 'used' };
/** The screen at each end, on each kind of page. */
const SCREENS: Readonly<Record<string, Readonly<Record<End, string>>>> = {
  'its own device, waiting for the outcome': endedHere,
  'its own device, at its next step': endedElsewhere,
  'another device, which opens the link': endedElsewhere,
  'another device, whose page was open': endedElsewhere,
  'a computer at its QR code': endedHere,
  'a computer at its QR code that has not begun': endedHere,
  'a page that lost the check': endedHere,
  'a page that found the check recorded elsewhere': endedHere,
  'a page that was reloaded while it followed': endedHere,
};

describe('the end of a check', () => {
  it.each(
    Object.keys(PAGES).flatMap((page) => (Object.keys(ENDS) as End[]).map((end) => [page, end] as const)),
  )('on %s is said as it was: %s', async (page, end) => {
    const { page: last, effects } = await PAGES[page]!(end);
    expect(last.screen.name).toBe(SCREENS[page]![end]);
    const redirects = effects.filter((effect) => effect.do === 'redirect');
    expect(redirects).toEqual(last.screen.name === 'done' ? [{ do: 'redirect', url: BACK }] : []);
  });
});
