// What an upload's calls say: an announcement lists every waiting slice, and how many steps of the script are wanted;
// an answer that the server has taken is not asked for again.
import { expect, it } from 'vitest';
import type { SliceAnnouncement, SlicesRequest } from '../../src/contract/capture-page.ts';
import type { DrawnStep } from '../../src/contract/script.ts';
import type { Calls } from '../../web/capture/api/calls.ts';
import { KnownScript } from '../../web/capture/flow/known-script.ts';
import type { GrowingRecording } from '../../web/capture/upload/growing-recording.ts';
import { uploadPort } from '../../web/capture/upload/port.ts';

const STEPS: DrawnStep[] = [
  { prompt: 'neutral', hold_ms: 700 },
  { prompt: 'smile', hold_ms: 300 },
  { prompt: 'target', angle_deg: 30, amount: 'far', hold_ms: 300 },
];
const slices = Array.from({ length: 20 }, (_, index) => ({ index }) as SliceAnnouncement);

it('an announcement lists the waiting slices, and learns the requested steps', async () => {
  const said: SlicesRequest[] = [];
  const announce = async (_: string, body: SlicesRequest) => {
    said.push(body);
    const value = { received_bytes: 0, announced_slices: 1, state: 'issued' as const };
    return {
      ok: true as const,
      value: { ...value, ...(body.steps && { steps: STEPS.slice(0, body.steps) }) },
    };
  };
  const drawn = { steps: STEPS.slice(0, 1), max_step_ms: 6000 };
  const script = new KnownScript({ script: drawn, stepCount: 3 }, 2);
  const recording = { slices } as unknown as GrowingRecording;
  const port = uploadPort(
    { announce } as unknown as Calls,
    'cap',
    recording,
    script,
    new AbortController().signal,
  );

  await port.announce(18, 20);
  expect(said.pop()).toEqual({ slices: slices.slice(18) });
  script.want(2);
  await port.announce(19, 20);
  expect(said.pop()).toEqual({ slices: slices.slice(19), steps: 2 });
  expect(script.steps).toEqual(STEPS.slice(0, 2));
  // These steps are known by now. More steps than the script has cannot be requested.
  script.want(2);
  expect(script.asked).toBeUndefined();
  script.want(9);
  expect(script.asked).toBe(3);
});

it('an answer that the server has taken is settled, and one that it does not ask for leads to its standing', async () => {
  const said: unknown[] = [];
  const taken = { received_bytes: 1, announced_slices: 1, state: 'committed' as const };
  const refused = { ok: false, fault: 'conflict', status: 409, body: { conflict: 'passkey_not_asked' } };
  const answers = [
    { ok: true, value: taken },
    { ...refused, retryAfterMs: null },
  ];
  const answer = async (id: string, body: unknown) => {
    said.push(id, body);
    return answers.shift();
  };
  const recording = { answer: { kind: 'declined' } } as unknown as GrowingRecording;
  const { signal } = new AbortController();
  const port = uploadPort({ answer } as unknown as Calls, 'cap', recording, null, signal);
  expect(await port.answer()).toEqual({ ok: true, value: { ...taken, passkey: null } });
  expect(said).toEqual(['cap', { kind: 'declined' }]);
  expect(await port.answer()).toEqual({ ok: false, kind: 'realign', retryAfterMs: null });
});
