// Whether a recording was announced while it was made, and its prompts were not known earlier, judged by the positions
// of its pictures in the file.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  announced,
  promptKnown,
  promptLead,
  promptLeadRequired,
} from '../../../src/evaluation/liveness/announced.ts';
import type { CaptureEvidence } from '../../../src/evaluation/liveness/evidence.ts';
import type { Submission } from '../../../src/evaluation/liveness/submission.ts';
import { evidence } from './evidence.ts';

/** Seconds of footage, at 25 pictures of 1,000 bytes per second. */
const SECONDS = 9;
const SCRIPT: CaptureEvidence['script'] = {
  steps: [
    { prompt: 'neutral', from_ms: 0, to_ms: 2_000 },
    { prompt: 'smile', from_ms: 2_000, to_ms: 5_000 },
    { prompt: 'target', angle_deg: 0, amount: 'near', from_ms: 5_000, to_ms: 8_000 },
  ],
};

/** Slices of 0.4 s, each announced 0.3 s after its end. */
const PROMPT_SLICES = Array.from({ length: 23 }, (_, i) => ({
  endByte: (i + 1) * 10_000,
  announcedMs: (i + 1) * 400 + 300,
}));
/** Each step is requested half a second before it is shown. */
const HANDED_OUT_MS = [0, 1_500, 4_500];

const submitted = (given: Partial<Submission> = {}): CaptureEvidence => {
  const submission = {
    elapsedMs: 9_500,
    seenBefore: 0,
    justInTime: false,
    announcements: PROMPT_SLICES,
    handedOutMs: HANDED_OUT_MS,
    ...given,
  };
  return evidence({ script: SCRIPT, submission }, SECONDS * 1000);
};

describe('a recording that is announced while it is made', () => {
  it('passes, with its longest delay and lead', () => {
    expect(announced.run(submitted())).toMatchObject({ status: 'passed', value: 700 });
    // Shown at 2 and 5 s, in slices announced at 2.7 s (its picture is the first of its slice) and 5.5 s.
    expect(promptLead.run(submitted())).toMatchObject({ status: 'passed', value: 1_200 });
  });

  it('is judged by its bytes, whatever times its slices state', () => {
    // One byte each in time, and everything else with the last slice.
    const announcements = PROMPT_SLICES.map(({ announcedMs }, i) => ({
      announcedMs,
      endByte: i === PROMPT_SLICES.length - 1 ? 230_000 : i + 1,
    }));
    expect(announced.run(submitted({ announcements }))).toMatchObject({
      status: 'failed',
      reason: 'announced_late',
      value: 9_500,
    });
    expect(promptLead.run(submitted({ announcements }))).toMatchObject({ reason: 'prompts_ahead' });
  });

  it('fails from the exact delay on, wherever the delayed part is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 22 }), fc.integer({ min: 0, max: 12_000 }), (at, laterMs) => {
        // No slice is announced before an earlier one.
        const announcements = PROMPT_SLICES.map((slice, i) => ({
          ...slice,
          announcedMs: Math.max(slice.announcedMs, i >= at ? PROMPT_SLICES[at]!.announcedMs + laterMs : 0),
        }));
        const { status } = announced.run(submitted({ announcements }));
        expect(status).toBe(laterMs + 700 <= 6_500 ? 'passed' : 'failed');
      }),
    );
  });

  it('does not pass if no picture has a position', () => {
    const known = submitted();
    const nowhere = { ...known, clip: { ...known.clip, packets: [] } };
    expect(announced.run(nowhere)).toMatchObject({ status: 'notEvaluated', reason: 'announced_late' });
    for (const { run } of [promptLead, promptKnown])
      expect(run(nowhere)).toMatchObject({ status: 'notEvaluated', reason: 'not_applicable' });
  });

  it('treats pictures of unknown position as part of the last slice', () => {
    const known = submitted();
    const packets = known.clip.packets.map((packet) => ({ ...packet, endByte: Number.POSITIVE_INFINITY }));
    expect(announced.run({ ...known, clip: { ...known.clip, packets } })).toMatchObject({ status: 'failed' });
  });
});

describe('prompts', () => {
  it('that were allegedly shown before they were handed out are foreseen', () => {
    expect(promptKnown.run(submitted())).toMatchObject({ status: 'passed', value: 1_000 });
    // Shown at 5 s, in a slice announced at 5.5 s.
    expect(promptKnown.run(submitted({ handedOutMs: [0, 1_500, 6_500] }))).toMatchObject({
      status: 'passed',
    });
    const afterwards = { handedOutMs: [0, 9_100, 9_200] };
    expect(promptKnown.run(submitted(afterwards))).toMatchObject({ status: 'failed', reason: 'foreseen' });
    expect(promptLead.run(submitted(afterwards))).toMatchObject({ status: 'passed' });
  });

  it('are judged by the decoded pictures, not by undecodable packets between them', () => {
    const known = submitted({ handedOutMs: [0, 9_100, 9_200] });
    /** Packets next to the pictures at which the steps began, in the last slice and in the first. */
    const scattered = (endByte: number) => ({
      ...known,
      script: { steps: SCRIPT!.steps.map((step, i) => ({ ...step, from_ms: step.from_ms - (i && 10) })) },
      clip: {
        ...known.clip,
        packets: [
          ...known.clip.packets,
          ...[1_995, 4_995].map((timeMs) => ({ timeMs, startByte: endByte, endByte })),
        ].sort((a, b) => a.timeMs - b.timeMs),
      },
    });
    expect(promptKnown.run(scattered(230_000))).toMatchObject({ status: 'failed', reason: 'foreseen' });
    const ahead = { ...scattered(1), submission: { ...known.submission!, handedOutMs: [0, 700, 700] } };
    expect(promptLead.run(ahead)).toMatchObject({ status: 'failed', reason: 'prompts_ahead' });
  });

  it('are judged by the worst of several positions of one picture, and fail if it has none', () => {
    const known = submitted({ handedOutMs: [0, 9_100, 9_200] });
    const twice = known.clip.packets.map(({ timeMs }) => ({ timeMs, startByte: 229_000, endByte: 230_000 }));
    const packets = [...known.clip.packets, ...twice];
    expect(promptKnown.run({ ...known, clip: { ...known.clip, packets } })).toMatchObject({
      reason: 'foreseen',
    });
    const elsewhere = known.clip.packets.map((packet) => ({ ...packet, timeMs: packet.timeMs + 15 }));
    const nowhere = { ...known, clip: { ...known.clip, packets: elsewhere } };
    expect(promptKnown.run(nowhere)).toMatchObject({ reason: 'foreseen' });
    const early = { ...nowhere, submission: { ...known.submission!, handedOutMs: [0, 400, 400] } };
    expect(promptLead.run(early)).toMatchObject({ reason: 'prompts_ahead' });
  });

  it('are judged by where a picture begins, because the container can state any end', () => {
    const known = submitted({ handedOutMs: [0, 9_100, 9_200] });
    const packets = known.clip.packets.map((packet) => ({ ...packet, endByte: packet.endByte + 200_000 }));
    expect(promptKnown.run({ ...known, clip: { ...known.clip, packets } })).toMatchObject({
      reason: 'foreseen',
    });
  });

  it('that were all handed out at the beginning were known ahead', () => {
    const atOnce = { handedOutMs: [0, 400, 400] };
    expect(promptLead.run(submitted(atOnce))).toMatchObject({ reason: 'prompts_ahead', value: 5_100 });
    expect(promptLeadRequired.run(submitted(atOnce))).toMatchObject({ status: 'notEvaluated' });
    expect(promptLeadRequired.run(submitted({ ...atOnce, justInTime: true }))).toMatchObject({
      status: 'failed',
      reason: 'prompts_ahead',
    });
  });

  it('are not evaluated where nothing was submitted, or where there is only one', () => {
    for (const check of [announced, promptLead, promptLeadRequired])
      expect(check.run(evidence({ script: SCRIPT }))).toMatchObject({ reason: 'not_applicable' });
    const passive = { ...submitted(), script: { steps: SCRIPT!.steps.slice(0, 1) } };
    expect(promptLead.run(passive)).toMatchObject({ reason: 'not_applicable' });
  });
});
