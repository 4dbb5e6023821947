// Small seams at every prompt, on synthetic pictures: waves that drift as a scene does.
import { describe, expect, it } from 'vitest';
import type { Script } from '../../../src/contract/script.ts';
import type { CaptureEvidence } from '../../../src/evaluation/liveness/evidence.ts';
import { hardCut } from '../../../src/evaluation/liveness/seams.ts';
import { cutAtPrompts, detailAtPrompts } from '../../../src/evaluation/liveness/seams-at-prompts.ts';
import { pictureKept } from '../../../src/evaluation/liveness/view.ts';
import { THUMBNAIL_WIDTH } from '../../../src/evaluation/video/clip.ts';
import { evidence, observe } from './evidence.ts';

const FRAME_MS = 40;
const LENGTH_MS = 6000;
const SCRIPT: Script = {
  steps: [
    { prompt: 'neutral', from_ms: 0, to_ms: 1200 },
    { prompt: 'smile', from_ms: 1200, to_ms: 2400 },
    { prompt: 'target', angle_deg: 0, amount: 'near', from_ms: 2400, to_ms: 3600 },
    { prompt: 'smile', from_ms: 3600, to_ms: 4800 },
  ],
};
const SHORT: Script = { steps: SCRIPT.steps.slice(0, 3) };
/** Shortly after each prompt was shown. */
const SEAMS_MS = [1480, 2680, 3880];

/**
 * The offset of another take of the same scene, in pixels of a thumbnail: too small for a single cut to be detected.
 */
const ASIDE = 2.2;

/** A film whose scene is offset from each seam on. */
function joined(seamsMs: readonly number[]) {
  const takeAt = (timeMs: number) => seamsMs.filter((seamMs) => timeMs >= seamMs).length % 2;
  const observations = observe(LENGTH_MS, (timeMs) => ({
    box: { x: 100 + 6 * Math.sin(timeMs / 400) + 6 * takeAt(timeMs), y: 100, width: 200, height: 200 },
  }));
  return evidence({ observations, script: SCRIPT }, LENGTH_MS, (frame, at) => {
    const x = (at % THUMBNAIL_WIDTH) + frame * 0.3 + ASIDE * takeAt(frame * FRAME_MS);
    return Math.round(128 + 60 * Math.sin(x / 5) * Math.cos(Math.floor(at / THUMBNAIL_WIDTH) / 4));
  });
}

/** The film at another frame interval, with a script slowed down equally. */
function atInterval(film: CaptureEvidence, intervalMs: number): CaptureEvidence {
  const sourceTimesMs = film.clip.sourceTimesMs.map((_, i) => i * intervalMs);
  const slower = (timeMs: number) => (timeMs * intervalMs) / FRAME_MS;
  const steps = SCRIPT.steps.map((step) => ({
    ...step,
    from_ms: slower(step.from_ms),
    to_ms: slower(step.to_ms),
  }));
  return { ...film, script: { steps }, clip: { ...film.clip, sourceTimesMs } };
}

/** A film of a person who comes nearer and goes back: its content swells within 16 frames. */
function swelling() {
  return evidence({ script: SCRIPT }, LENGTH_MS, (frame, at) => {
    const contrast = 1 - 0.15 * Math.cos((frame * Math.PI) / 8);
    const x = (at % THUMBNAIL_WIDTH) + frame * 0.3;
    return Math.round(128 + contrast * 60 * Math.sin(x / 5) * Math.cos(Math.floor(at / THUMBNAIL_WIDTH) / 4));
  });
}

/** A film with less detail from each of these moments on, for `frames` frames. */
function paled(momentsMs: readonly number[], frames: number) {
  return evidence({ script: SCRIPT }, LENGTH_MS, (frame, at) => {
    const since = momentsMs.map((momentMs) => frame - momentMs / FRAME_MS);
    const contrast = since.some((count) => count >= 0 && count < frames) ? 0.85 : 1;
    const x = (at % THUMBNAIL_WIDTH) + frame * 0.3;
    return Math.round(128 + contrast * 60 * Math.sin(x / 5) * Math.cos(Math.floor(at / THUMBNAIL_WIDTH) / 4));
  });
}

describe('cut_at_prompts', () => {
  it('fails if each prompt comes with a jump that alone would pass', () => {
    const film = joined(SEAMS_MS);
    expect(hardCut.run(film)).toMatchObject({ status: 'passed' });
    expect(cutAtPrompts.run(film)).toMatchObject({ status: 'failed', reason: 'picture_broken' });
    const two = joined(SEAMS_MS.slice(1));
    expect(cutAtPrompts.run(two)).toMatchObject({ status: 'failed' });
  });
  it('passes if fewer than half of the prompts do', () => {
    expect(cutAtPrompts.run(joined([]))).toMatchObject({ status: 'passed' });
    expect(cutAtPrompts.run(joined([3480]))).toMatchObject({ status: 'passed' });
  });
});

describe('detail_at_prompts', () => {
  it('fails if each prompt comes with pictures that have less detail than those around them', () => {
    const film = paled(SEAMS_MS, 3);
    expect(pictureKept.run(film)).toMatchObject({ status: 'passed' });
    expect(detailAtPrompts.run(film)).toMatchObject({ status: 'failed', reason: 'picture_broken' });
  });
  it('passes if fewer than half of the prompts do', () => {
    expect(detailAtPrompts.run(paled([], 3))).toMatchObject({ status: 'passed' });
    expect(detailAtPrompts.run(paled([3280], 3))).toMatchObject({ status: 'passed' });
  });
  it('does not take movement for a seam at a low frame rate', () => {
    expect(detailAtPrompts.run(swelling())).toMatchObject({ status: 'failed' });
    expect(detailAtPrompts.run(atInterval(swelling(), 100))).toMatchObject({ status: 'passed' });
    expect(detailAtPrompts.run(atInterval(paled(SEAMS_MS, 1), 100))).toMatchObject({ status: 'failed' });
  });
});

it.each([
  cutAtPrompts,
  detailAtPrompts,
])('$cue is not evaluated with few prompts, with none, or without faces', (check) => {
  expect(check.run({ ...joined(SEAMS_MS), script: SHORT })).toMatchObject({
    status: 'notEvaluated',
    reason: 'not_applicable',
  });
  expect(check.run({ ...joined(SEAMS_MS), script: null })).toMatchObject({ reason: 'no_script' });
});
