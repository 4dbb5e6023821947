// The recording that the server does not have completely: what happens when it is given up, left behind or missing.
import { describe, expect, it } from 'vitest';
import type { CaptureState } from '../../src/contract/capture-page.ts';
import type { Calls } from '../../web/capture/api/calls.ts';
import type { IssuedCapture, PageEvent } from '../../web/capture/flow/screens.ts';
import { createUnsent } from '../../web/capture/flow/unsent.ts';
import { sampleState } from '../../web/capture/gallery/sample.ts';
import type { CommitDetails } from '../../web/capture/upload/growing-recording.ts';
import type { AskedSteps } from '../../web/capture/upload/port.ts';

const LOST: PageEvent = { type: 'upload_lost', why: 'upload_lost' };
const DEADLINES = { commitByMs: 1, uploadByMs: 2 };
const capture = { captureId: 'cap_1', chunkBytes: 100, passkey: null } as IssuedCapture;
const script: AskedSteps = { asked: undefined, learn: () => {} };
const details = { mime_type: 'video/webm' } as CommitDetails;

function setUp() {
  const told: PageEvent[] = [];
  const called: string[] = [];
  // In these cases no call is answered.
  const calls = new Proxy({} as Calls, {
    get: (_, name) => () => {
      called.push(String(name));
      return new Promise(() => {});
    },
  });
  return { told, called, unsent: createUnsent(calls, (event) => told.push(event)) };
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 20));

function challengeWith(open: { id: string; state: string } | null): CaptureState {
  return sampleState({ capture: open as CaptureState['capture'] });
}

describe('unsent recording', () => {
  it('is reported as lost at once when there is none', () => {
    const { told, unsent } = setUp();
    unsent.send(false);
    expect(told).toEqual([LOST]);
  });

  it('is sent from its first slice on, until it is given up', async () => {
    const { called, unsent } = setUp();
    const recording = unsent.begin(capture, script);
    await settle();
    expect(called).toEqual([]);
    recording.add(new Blob(['x']), 400);
    await expect.poll(() => called).toEqual(['announce']);
    unsent.giveUp();
    recording.add(new Blob(['y']), 800);
    await settle();
    expect(called).toEqual(['announce']);
  });

  it('is resumed as long as its capture is open', async () => {
    const { unsent } = setUp();
    unsent.begin(capture, script).add(new Blob(['x']), 400);
    unsent.end(details, DEADLINES);
    expect(await unsent.resume(challengeWith({ id: 'cap_1', state: 'committed' }))).toEqual(DEADLINES);
    expect(await unsent.resume(challengeWith({ id: 'cap_1', state: 'issued' }))).toEqual(DEADLINES);
  });

  it.each([
    ['another capture is open', { id: 'cap_2', state: 'issued' }],
    ['its capture is closed', { id: 'cap_1', state: 'submitted' }],
    ['no capture is open', null],
  ])('is dropped when %s', async (_why, open) => {
    const { told, unsent } = setUp();
    unsent.begin(capture, script).add(new Blob(['x']), 400);
    unsent.end(details, DEADLINES);
    expect(await unsent.resume(challengeWith(open))).toBeNull();
    told.length = 0;
    unsent.send(true);
    expect(told).toEqual([LOST]);
  });

  it('knows its slices once it is over, and takes what the device answers', async () => {
    const { unsent } = setUp();
    expect(await unsent.slices()).toEqual([]);
    const recording = unsent.begin({ ...capture, passkey: {} as IssuedCapture['passkey'] }, script);
    recording.add(new Blob(['x']), 400);
    unsent.end(details, DEADLINES);
    expect(await unsent.slices()).toHaveLength(1);
    expect(recording.deviceAnswer).toBe('awaited');
    unsent.answer({ kind: 'declined' });
    expect(recording.deviceAnswer).toBe('given');
  });
});
