// Freeze, loop and shape change on synthetic pixels and meshes.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Script } from '../../../src/contract/script.ts';
import { light } from '../../../src/evaluation/liveness/face-checks.ts';
import { freeze } from '../../../src/evaluation/liveness/freeze.ts';
import { loop } from '../../../src/evaluation/liveness/loop.ts';
import { rigid } from '../../../src/evaluation/liveness/rigid.ts';
import { samePerson, samePersonThroughout } from '../../../src/evaluation/liveness/same-person.ts';
import { shapeChange } from '../../../src/evaluation/liveness/shape-change.ts';
import { pictureAlive } from '../../../src/evaluation/liveness/view.ts';
import { meanColour } from '../../../src/evaluation/quality/colour.ts';
import type { FrameFlaw, FrameQuality } from '../../../src/evaluation/quality/frame-quality.ts';
import { evidence, neutralFace, observe } from './evidence.ts';

/** A path that never repeats: a sum of waves without a common period. */
const wander = (frame: number) => 60 * Math.sin(frame / 7) + 40 * Math.sin(frame / 17.3);

/** Milliseconds between two frames. */
const FRAME_MS = 40;
/** The same face, so many pixels further to the side. */
function shiftedBy(pixels: number) {
  const landmarks = Float32Array.from(neutralFace().landmarks);
  for (let i = 0; i < landmarks.length; i += 3) landmarks[i] = landmarks[i]! + pixels;
  return { landmarks };
}

/** The same face with some points moved. */
function bent(amount: number) {
  const landmarks = Float32Array.from(neutralFace().landmarks);
  for (let i = 0; i < 600; i += 3) landmarks[i] = landmarks[i]! + amount * ((i % 5) - 2);
  return { landmarks };
}

/** Frames of a dimly lit inner face. */
const dim: FrameQuality[] = Array.from({ length: 30 }, () => ({
  brightness: 35,
  contrast: 20,
  surround: 60,
  burntShare: 0,
  sharpness: 0.3,
  unevenness: 0,
  flaws: [],
}));

describe('colour', () => {
  it('is how far apart the channels of the face’s pixels are, and of no other pixels', () => {
    const [grey, skin] = [
      [90, 90, 91],
      [180, 140, 120],
    ];
    const rgb = Uint8Array.from({ length: 4 * 4 * 3 }, (_, at) => (at < 24 ? skin : grey)![at % 3]!);
    const frame = { timeMs: 0, width: 4, height: 4, rgb };
    const colourIn = (y: number) => meanColour(frame, { box: { x: -1, y, width: 9, height: 2 } });
    expect([0, 1, 2].map(colourIn)).toEqual([60, 30.5, 1]);
  });
});

describe('light', () => {
  it.each([
    ['ample', {}, 'passed', 2],
    ['dim', { brightness: 54 }, 'failed', 0.9],
    ['flat', { contrast: 7 }, 'failed', 0.5],
    ['from behind', { brightness: 66, surround: 240 }, 'failed', 0.917],
    ['from the face alone', { surround: 0 }, 'passed', 2],
  ] as const)('is %s', (_, of, status, value) => {
    const quality = { ...dim[0]!, brightness: 120, contrast: 42, surround: 200, ...of };
    const frame = { timeMs: 0, width: 1, height: 1, rgb: new Uint8Array(3) };
    const best = { ...quality, frame, face: neutralFace(), score: 0 };
    const selection = { portraits: [best], best, missing: null, quality: [quality] };
    const outcome = light.run(evidence({ selection }));
    expect(outcome).toMatchObject({ status, threshold: 1, reason: status === 'failed' ? 'too_dark' : null });
    expect(outcome.value).toBeCloseTo(value, 3);
  });
});

describe('freeze', () => {
  it('fails a still picture, even if it is replaced once', () => {
    const still = evidence({}, 3000, (frame, at) => ((frame < 40 ? 0 : 90) + at) % 256);
    expect(freeze.run(still)).toMatchObject({ status: 'failed', reason: 'frozen' });
  });
  it('does not take a person for a picture who was asked for nothing but rest', () => {
    const still = evidence({}, 3000, (_, at) => at % 256);
    const step = { from_ms: 0, to_ms: 3000 };
    const asked = (...prompts: ('neutral' | 'smile')[]): Script => ({
      steps: prompts.map((prompt) => ({ ...step, prompt })),
    });
    for (const script of [null, asked('neutral')])
      expect(freeze.run({ ...still, script })).toMatchObject({ status: 'notEvaluated', reason: 'too_still' });
    const moving = { ...still, script: asked('neutral', 'smile') };
    expect(freeze.run(moving)).toMatchObject({ status: 'failed', reason: 'frozen' });
  });
  it('passes a picture that changes somewhere in every frame', () => {
    const moving = evidence({}, 3000, (frame, at) => (at < 300 ? (frame * 5) % 200 : (at * 7) % 256));
    expect(freeze.run(moving)).toMatchObject({ status: 'passed', value: 0 });
  });
  it.each([3000, 3040])('passes pictures that a recorder wrote twice each, in %i ms', (lengthMs) => {
    const doubled = evidence({}, lengthMs, (frame, at) => (Math.floor(frame / 2) * 13 + at) % 256);
    expect(freeze.run(doubled)).toMatchObject({ status: 'passed' });
  });
  it('is not evaluated without a face', () => {
    const still = evidence({ observations: observe(3000, () => null) }, 3000, (_, at) => at % 256);
    expect(freeze.run(still)).toMatchObject({ status: 'notEvaluated', reason: 'face_missing' });
  });
  it.each([
    ['dark', { quality: dim }, {}, 'too_dark'],
    ['far away', {}, { eyeDistancePx: 30 }, 'too_far'],
  ] as const)('is not evaluated for a person who is %s', (_, quality, face, reason) => {
    const selection = { portraits: [], best: null, missing: null, quality: [], ...quality };
    const observations = observe(3000, () => face);
    const still = evidence({ selection, observations }, 3000, (_frame, at) => at % 256);
    for (const check of [freeze, pictureAlive])
      expect(check.run(still)).toMatchObject({ status: 'notEvaluated', reason });
  });
});

describe('a lamp alone', () => {
  const picture = (frame: number, at: number) =>
    128 + 60 * Math.sin(((at % 64) + frame) / 5) * Math.cos(at / 64 / 4);

  it.each<[string, (frame: number) => number]>([
    ['pulses', (frame) => 0.85 + 0.1 * Math.sin(frame / 3)],
    ['is switched on', (frame) => (frame < 40 ? 0.6 : 1)],
  ])('that %s makes no still picture alive and no living one still', (_, lamp) => {
    for (const [shown, status] of [
      [() => 0, 'failed'],
      [(frame: number) => frame, 'passed'],
    ] as const) {
      const film = evidence({}, 3000, (frame, at) => Math.round(lamp(frame) * picture(shown(frame), at)));
      for (const check of [freeze, pictureAlive]) expect(check.run(film)).toMatchObject({ status });
    }
  });
});

describe('loop', () => {
  const LENGTH_MS = 6000;
  /** Two movements that never coincide. A single one, like a pendulum, runs back the way it came. */
  const swaying = (frame: number, at: number) =>
    128 + wander(frame) * 0.6 * Math.sin((at % 64) / 9) + 50 * Math.sin(frame / 5.1) * Math.sin(at / 64 / 9);
  /** A film whose frame `n` shows what happened at frame `shown(n)`, under light that changes it. */
  const film = (shown: (frame: number) => number, light = (value: number, _frame: number) => value) => {
    const face = (timeMs: number) => shiftedBy(wander(shown(timeMs / FRAME_MS)) / 4);
    return evidence({ observations: observe(LENGTH_MS, face) }, LENGTH_MS, (frame, at) =>
      light(swaying(shown(frame), at), frame),
    );
  };
  const lamp = (value: number, frame: number) => value * (0.85 + 0.08 * Math.sin(frame / 3));

  it('fails repeated footage', () => {
    expect(loop.run(film((frame) => frame % 60))).toMatchObject({ status: 'failed', reason: 'looped' });
  });
  it('fails footage that runs backwards from its end', () => {
    const there = film((frame) => (frame < 75 ? frame : 149 - frame));
    expect(loop.run(there)).toMatchObject({ status: 'failed', reason: 'looped' });
  });
  it('fails repeated footage whatever its light is made to do', () => {
    expect(loop.run(film((frame) => frame % 60, lamp))).toMatchObject({ status: 'failed', reason: 'looped' });
  });
  it('passes footage without repetition, under a lamp that pulses too', () => {
    expect(loop.run(film((frame) => frame))).toMatchObject({ status: 'passed' });
    expect(loop.run(film((frame) => frame, lamp))).toMatchObject({ status: 'passed' });
  });
  it('takes no pulse of the light for a repetition where the face keeps still', () => {
    const still = film(
      () => 0,
      (value, frame) => value + 12 * Math.sin((2 * Math.PI * frame) / 25),
    );
    expect(loop.run(still)).toMatchObject({ status: 'notEvaluated', reason: 'not_applicable' });
  });
  it('takes no repetition of the picture for one of the face', () => {
    const { clip } = film((frame) => frame % 60);
    const { observations } = film((frame) => frame);
    expect(loop.run(evidence({ clip, observations }))).toMatchObject({ status: 'passed' });
  });
  it('is not evaluated for a clip too short to contain a loop', () => {
    expect(loop.run(evidence({}, 1600))).toMatchObject({ status: 'notEvaluated', reason: 'not_applicable' });
    const still = evidence({}, LENGTH_MS, (_, at) => at % 256);
    expect(loop.run(still)).toMatchObject({ status: 'notEvaluated', reason: 'not_applicable' });
  });
});

describe('shapeChange', () => {
  it('is zero for any affine movement of a flat picture', () => {
    const factor = fc.double({ min: 0.5, max: 1.5, noNaN: true });
    const slant = fc.double({ min: -0.3, max: 0.3, noNaN: true });
    const shift = fc.double({ min: -200, max: 200, noNaN: true });
    fc.assert(
      fc.property(factor, slant, slant, factor, shift, shift, (a, b, c, d, tx, ty) => {
        const { landmarks } = neutralFace();
        const moved = Float32Array.from(landmarks);
        for (let i = 0; i < moved.length; i += 3) {
          moved[i] = a * landmarks[i]! + b * landmarks[i + 1]! + tx;
          moved[i + 1] = c * landmarks[i]! + d * landmarks[i + 1]! + ty;
        }
        expect(shapeChange(moved, landmarks, 100)).toBeLessThan(1e-3);
      }),
    );
  });
  it('grows with any other movement', () => {
    const { landmarks } = neutralFace();
    const smiling = Float32Array.from(landmarks);
    for (let i = 0; i < 300; i += 3) smiling[i] = smiling[i]! + (i % 2 === 0 ? 30 : -30);
    expect(shapeChange(smiling, landmarks, 100)).toBeGreaterThan(0.05);
  });
});

describe('rigid', () => {
  it('a face that never changes its shape is rigid, and so are two such pictures', () => {
    const photograph = evidence({ observations: observe(3000, () => ({})) });
    expect(rigid.run(photograph)).toMatchObject({ status: 'failed', reason: 'rigid_face' });
    const two = evidence({ observations: observe(6000, (t) => bent(t < 3000 ? 0 : 8)) });
    expect(rigid.run(two)).toMatchObject({ status: 'failed' });
  });
  it('a still face without prompts is sent back, not refused', () => {
    const still = evidence({ observations: observe(3000, () => ({})), script: null });
    expect(rigid.run(still)).toMatchObject({ status: 'notEvaluated', reason: 'too_still' });
  });
  it('a smoothly moving face is not', () => {
    const alive = evidence({ observations: observe(6000, (t) => bent(8 * Math.sin(t / 500))) });
    expect(rigid.run(alive)).toMatchObject({ status: 'passed' });
  });
});

describe('same_person', () => {
  const unit = (...values: number[]) => Float32Array.from(values);
  it('fails if one portrait is of another person', () => {
    const embeddings = [unit(1, 0), unit(1, 0), unit(0, 1), unit(1, 0)];
    expect(samePerson.run(evidence({ embeddings }))).toMatchObject({
      status: 'failed',
      reason: 'identity_changed',
    });
    expect(samePerson.run(evidence({ embeddings: [unit(1, 0), unit(0.8, 0.6)] }))).toMatchObject({
      status: 'passed',
    });
    expect(samePerson.run(evidence({ embeddings: [] }))).toMatchObject({ status: 'notEvaluated' });
  });

  it('fails if other people are seen between the portraits, in more than two frames', () => {
    const seen = (others: number, isClear = true) => ({
      identity: Array.from({ length: 20 }, (_, i) => ({
        timeMs: i * 160,
        cosine: i < others ? 0.1 : 0.9,
        isClear,
      })),
    });
    expect(samePersonThroughout.run(evidence(seen(3)))).toMatchObject({
      status: 'failed',
      value: 0.1,
      reason: 'identity_changed',
    });
    expect(samePersonThroughout.run(evidence(seen(2)))).toMatchObject({ status: 'passed' });
    expect(samePersonThroughout.run(evidence(seen(3, false)))).toMatchObject({ status: 'notEvaluated' });
    // In bad light no frame is clear, and all are of the person.
    expect(samePersonThroughout.run(evidence(seen(0, false)))).toMatchObject({
      status: 'passed',
      value: 0.9,
    });
    expect(samePersonThroughout.run(evidence({ identity: [] }))).toMatchObject({ status: 'notEvaluated' });
  });

  it.each<[FrameFlaw[], string]>([
    [['dark', 'occluded'], 'too_dark'],
    [['backlit', 'occluded'], 'too_dark'],
    [['small', 'burnt_out'], 'too_bright'],
    [['blurred'], 'blurred'],
    [['occluded'], 'view_broken'],
    // Such frames are clear: there were too few of them.
    [['turned', 'small', 'backlit'], 'too_few_frames'],
  ])('says what is wrong where too few frames are clear, %j: %s', (flaws, reason) => {
    const observations = observe(3000, () => ({}));
    const quality = observations.map((): FrameQuality => ({ ...dim[0]!, flaws }));
    const selection = { portraits: [], best: null, missing: null, quality };
    const identity = [0.1, 0.1, 0.1].map((cosine, i) => ({ timeMs: i * 160, cosine, isClear: false }));
    const unclear = evidence({ observations, selection, identity });
    expect(samePersonThroughout.run(unclear)).toMatchObject({ status: 'notEvaluated', reason });
    // Half of the frames and more decide, and a face that was not there is a cause too.
    const [half, less] = [0.5, 0.4].map((share) =>
      observations.map((one, i) => (i < share * observations.length ? { ...one, face: null } : one)),
    );
    const clear = { ...selection, quality: quality.map((one) => ({ ...one, flaws: [] })) };
    for (const [seen, told] of [
      [half!, 'face_missing'],
      [less!, 'too_few_frames'],
    ] as const)
      expect(samePersonThroughout.run({ ...unclear, observations: seen, selection: clear })).toMatchObject({
        status: 'notEvaluated',
        reason: told,
      });
  });
});
