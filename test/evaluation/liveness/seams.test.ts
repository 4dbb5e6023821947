// What seams in footage leave in the picture, on synthetic pictures: waves that drift as a scene does.
import { describe, expect, it } from 'vitest';
import { crossFade, hardCut } from '../../../src/evaluation/liveness/seams.ts';
import { THUMBNAIL_WIDTH } from '../../../src/evaluation/video/clip.ts';
import { evidence, observe } from './evidence.ts';

/** Frames are 40 ms apart; the seam is in the middle of 4 s. */
const FRAME_MS = 40;
const LENGTH_MS = 4000;
const SEAM_MS = 2000;

/** A moving scene; `take` offsets it, as another take of the same person does. */
function scene(frame: number, at: number, take: number): number {
  const x = (at % THUMBNAIL_WIDTH) + frame * 0.3 + take * 11;
  const y = Math.floor(at / THUMBNAIL_WIDTH) + take * 5;
  return 128 + 60 * Math.sin(x / 5) * Math.cos(y / 4);
}

/** Where the face is in a take: it sways, and is elsewhere in the other take. */
const faceOf = (timeMs: number, take: number) => ({
  box: { x: 100 + 6 * Math.sin(timeMs / 400) + 25 * take, y: 100 + 10 * take, width: 200, height: 200 },
  yaw: 0.03 * Math.sin(timeMs / 300) + 0.1 * take,
});

/** One take until the seam, then another; `mix` is the share of the second in a frame. */
function twoTakes(mix: (frame: number) => number) {
  const observations = observe(LENGTH_MS, (timeMs) => faceOf(timeMs, mix(timeMs / FRAME_MS) < 0.5 ? 0 : 1));
  return evidence({ observations }, LENGTH_MS, (frame, at) => {
    const share = mix(frame);
    return Math.round((1 - share) * scene(frame, at, 0) + share * scene(frame, at, 1));
  });
}

const cutAt = (frame: number) => (frame * FRAME_MS < SEAM_MS ? 0 : 1);
const fadeOver = (frames: number) => (frame: number) =>
  Math.min(1, Math.max(0, (frame - SEAM_MS / FRAME_MS) / frames));

describe('hard_cut', () => {
  it('is found where picture and face jump at once', () => {
    expect(hardCut.run(twoTakes(cutAt))).toMatchObject({ status: 'failed', reason: 'picture_broken' });
  });
  it('is not found where both continue, or where only one of them jumps', () => {
    expect(hardCut.run(twoTakes(() => 0))).toMatchObject({ status: 'passed' });
    const { clip } = twoTakes(cutAt);
    expect(hardCut.run({ ...twoTakes(() => 0), clip })).toMatchObject({ status: 'passed' });
    const { observations } = twoTakes(cutAt);
    expect(hardCut.run({ ...twoTakes(() => 0), observations })).toMatchObject({ status: 'passed' });
  });
  it.each<[string, (frame: number) => number]>([
    ['pulses', (frame) => 0.85 + 0.1 * Math.sin(frame / 3)],
    ['is switched on', (frame) => 0.6 + 0.4 * cutAt(frame)],
  ])('is neither made nor hidden by a lamp that %s', (_, lamp) => {
    const { observations } = twoTakes(cutAt);
    const lit = (take: (frame: number) => number) =>
      evidence({ observations }, LENGTH_MS, (frame, at) =>
        Math.round(lamp(frame) * scene(frame, at, take(frame))),
      );
    expect(hardCut.run(lit(() => 0))).toMatchObject({ status: 'passed' });
    expect(hardCut.run(lit(cutAt))).toMatchObject({ status: 'failed', reason: 'picture_broken' });
  });
  it('is not evaluated almost without a face', () => {
    const faceless = evidence({ observations: observe(3000, (timeMs) => (timeMs < 300 ? {} : null)) });
    expect(hardCut.run(faceless)).toMatchObject({ status: 'notEvaluated', reason: 'face_missing' });
  });
});

describe('cross_fade', () => {
  it.each([3, 4, 6, 8])('is found where one take fades into another within %i frames', (frames) => {
    expect(crossFade.run(twoTakes(fadeOver(frames)))).toMatchObject({
      status: 'failed',
      reason: 'picture_broken',
    });
  });
  it.each([2, 3])('is found if each picture is repeated %i times', (times) => {
    const stands = (frame: number) => Math.floor((frame - 50) / times) + 50;
    const clip = evidence({ observations: twoTakes(fadeOver(4)).observations }, LENGTH_MS, (frame, at) => {
      const share = fadeOver(4)(stands(frame));
      return Math.round((1 - share) * scene(stands(frame), at, 0) + share * scene(stands(frame), at, 1));
    });
    expect(crossFade.run(clip)).toMatchObject({ status: 'failed', reason: 'picture_broken' });
  });
  it('is found if one of its pictures is repeated', () => {
    const seam = SEAM_MS / FRAME_MS;
    const shown = (frame: number) => (frame > seam + 2 ? frame - 1 : frame);
    const clip = evidence({ observations: twoTakes(fadeOver(5)).observations }, LENGTH_MS, (frame, at) => {
      const share = fadeOver(5)(shown(frame));
      return Math.round((1 - share) * scene(shown(frame), at, 0) + share * scene(shown(frame), at, 1));
    });
    expect(crossFade.run(clip)).toMatchObject({ status: 'failed', reason: 'picture_broken' });
  });
  it('is not found where only the light changes', () => {
    const ramp = fadeOver(4);
    const lit = (gain: number, offset: number) =>
      evidence({}, LENGTH_MS, (frame, at) =>
        Math.round(scene(frame, at, 0) * (0.8 + gain * ramp(frame)) + offset * ramp(frame)),
      );
    for (const [gain, offset] of [
      [0.2, 0],
      [0, 40],
      [0.1, 20],
    ] as const)
      expect(crossFade.run(lit(gain, offset))).toMatchObject({ status: 'passed' });
  });
  it('is not found in a continuous scene or at a hard cut', () => {
    expect(crossFade.run(twoTakes(() => 0))).toMatchObject({ status: 'passed' });
    // Too few source frames for any stretch that could be one.
    expect(crossFade.run(evidence({}, 280))).toMatchObject({
      status: 'notEvaluated',
      reason: 'too_few_frames',
    });
    expect(crossFade.run(evidence({}, 320))).toMatchObject({ status: 'passed' });
    expect(crossFade.run(twoTakes(cutAt))).toMatchObject({ status: 'passed' });
  });
});
