// The recording that is not wholly with the server yet: what becomes of one that cannot be made ready, or is not there.
import { describe, expect, it } from 'vitest';
import type { CaptureState } from '../../src/contract/capture-page.ts';
import type { Calls } from '../../web/capture/api/calls.ts';
import type { PageEvent } from '../../web/capture/flow/screens.ts';
import { createUnsent } from '../../web/capture/flow/unsent.ts';
import { sampleState } from '../../web/capture/gallery/sample.ts';
import type { PendingCapture } from '../../web/capture/upload/pending.ts';

const LOST: PageEvent = { type: 'upload_lost', why: 'upload_lost' };
const DEADLINES = { commitByMs: 1, uploadByMs: 2 };
const pending = { captureId: 'cap_1', deadlines: DEADLINES } as PendingCapture;

function setUp() {
  const told: PageEvent[] = [];
  // None of these cases may call the server.
  const calls = new Proxy({} as Calls, {
    get: (_, name) => () => Promise.reject(new Error(`called ${String(name)}`)),
  });
  return { told, unsent: createUnsent(calls, (event) => told.push(event)) };
}

function challengeWith(capture: { id: string; state: string } | null): CaptureState {
  return sampleState({ capture: capture as CaptureState['capture'] });
}

describe('unsent recording', () => {
  it('is lost, and never waited for, where there is none or it could not be made ready', async () => {
    const { told, unsent } = setUp();
    await unsent.send(false);
    unsent.hold(Promise.reject(new Error('no digest')));
    await unsent.send(false);
    expect(told).toEqual([LOST, LOST]);
  });

  it('is found again as long as its capture is open', async () => {
    const { unsent } = setUp();
    unsent.hold(Promise.resolve({ ...pending, blob: new Blob(['x']) }));
    expect(await unsent.resume(challengeWith({ id: 'cap_1', state: 'committed' }))).toEqual(DEADLINES);
    expect(await unsent.resume(challengeWith({ id: 'cap_1', state: 'issued' }))).toEqual(DEADLINES);
  });

  it.each([
    ['another capture is open', { id: 'cap_2', state: 'issued' }],
    ['its capture is closed', { id: 'cap_1', state: 'submitted' }],
    ['no capture is open', null],
  ])('is let go where %s', async (_why, capture) => {
    const { told, unsent } = setUp();
    unsent.hold(Promise.resolve({ ...pending, blob: new Blob(['x']) }));
    expect(await unsent.resume(challengeWith(capture))).toBeNull();
    await unsent.send(true);
    expect(told).toEqual([LOST]);
  });
});
