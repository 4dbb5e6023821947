// Footage that did not come from a camera just now: seen before, or too long for its script.
import { describe, expect, it } from 'vitest';
import { earlierUpload } from '../../../src/evaluation/liveness/earlier-upload.ts';
import { elapsed } from '../../../src/evaluation/liveness/elapsed.ts';
import { padPack } from '../../../src/evaluation/liveness/pad-pack.ts';
import { sequencePrints } from '../../../src/evaluation/liveness/sequence-prints.ts';
import { evidence } from './evidence.ts';

const submitted = (given: { elapsedMs?: number; seenBefore?: number | null }) => {
  const announced = { announcements: [], handedOutMs: [], justInTime: false };
  return evidence({ submission: { elapsedMs: 9000, seenBefore: 0, ...announced, ...given } });
};

describe('cues of a submission', () => {
  it('limit a video to the time for which its script has existed', () => {
    expect(elapsed.run(submitted({ elapsedMs: 3000 }))).toMatchObject({ status: 'passed' });
    expect(elapsed.run(submitted({ elapsedMs: 2500 }))).toMatchObject({
      status: 'failed',
      reason: 'longer_than_elapsed',
    });
  });

  it('refuse frames of an earlier capture', () => {
    expect(earlierUpload.run(submitted({ seenBefore: 0 }))).toMatchObject({ status: 'passed' });
    expect(earlierUpload.run(submitted({ seenBefore: 0.5 }))).toMatchObject({ reason: 'uploaded_before' });
    expect(earlierUpload.run(submitted({ seenBefore: null }))).toMatchObject({ status: 'notEvaluated' });
  });

  it('are not evaluated for a file that was not submitted to a challenge', () => {
    for (const check of [elapsed, earlierUpload])
      expect(check.run(evidence({}))).toMatchObject({ status: 'notEvaluated', reason: 'not_applicable' });
  });
});

describe('pad_pack', () => {
  const scored = (live: number | null, given: Parameters<typeof evidence>[0] = {}) =>
    padPack.run(evidence({ pad: { live, threshold: 0.5 }, ...given }));

  it("uses the pack's threshold", () => {
    expect(scored(0.49)).toMatchObject({ status: 'failed', reason: 'pad_pack' });
    expect(scored(0.5)).toMatchObject({ status: 'passed' });
  });

  it('says that it is off, or had nothing to examine', () => {
    expect(padPack.run(evidence({ pad: null }))).toMatchObject({
      status: 'notEvaluated',
      reason: 'no_pad_pack',
    });
    expect(scored(null)).toMatchObject({ status: 'notEvaluated', reason: 'face_missing' });
  });

  it('does not treat a dark face as a picture, and asks for light', () => {
    const dark = {
      brightness: 30,
      contrast: 20,
      surround: 60,
      burntShare: 0,
      sharpness: 0.2,
      unevenness: 0,
      flaws: [],
    };
    const selection = { portraits: [], best: null, missing: null, quality: [dark] };
    expect(scored(0.1, { selection })).toMatchObject({ status: 'notEvaluated', reason: 'too_dark' });
    expect(scored(0.6, { selection })).toMatchObject({ status: 'passed' });
  });
});

describe('sequencePrints', () => {
  it('gives none for pictures that are the same in every take', () => {
    const black = evidence({}, 3000, () => 16);
    expect(sequencePrints(black.clip)).toEqual([]);
  });
});
