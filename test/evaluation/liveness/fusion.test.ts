// The fusion table: what each cue decides, and what may be tried again.
import { describe, expect, it } from 'vitest';
import { CHECKS } from '../../../src/evaluation/liveness/checks.ts';
import type { Cue } from '../../../src/evaluation/liveness/cue.ts';
import { fuse } from '../../../src/evaluation/liveness/fusion.ts';
import type { ReasonCode } from '../../../src/evaluation/reasons.ts';

const passed = (cue: string): Cue => ({ cue, status: 'passed', value: 1, threshold: 0, reason: null });
const failed = (cue: string, reason: ReasonCode): Cue => ({
  cue,
  status: 'failed',
  value: 0,
  threshold: 1,
  reason,
});
const notEvaluated = (cue: string, reason: ReasonCode): Cue => ({
  cue,
  status: 'notEvaluated',
  value: null,
  threshold: null,
  reason,
});
/** All cues passed, except these. */
const cues = (...changed: Cue[]) =>
  CHECKS.map((check) => changed.find(({ cue }) => cue === check.cue) ?? passed(check.cue));

describe('fuse', () => {
  it('passes when every cue does', () => {
    expect(fuse(cues())).toEqual({
      liveness: { face: true, smile: true, spoof_result: true, overall: true },
      retryable: null,
      reasons: [],
    });
  });

  it.each([
    ['face_present', 'face_missing', 'face'],
    ['one_face', 'several_faces', 'face'],
    ['face_size', 'too_far', 'face'],
    ['frontal', 'not_frontal', 'face'],
    ['brightness', 'too_dark', 'face'],
    ['burnt_out', 'too_bright', 'face'],
    ['sharpness', 'blurred', 'face'],
    ['smile', 'smile_missing', 'smile'],
    ['face_in_view', 'view_broken', 'face'],
    ['picture_kept', 'view_broken', 'face'],
    ['neutral', 'neutral_missing', 'smile'],
    ['neutral_kept', 'neutral_missing', 'overall'],
    ['target', 'target_missing', 'overall'],
    ['coverage', 'too_short', 'overall'],
  ] as const)('%s fails %s, which is reported and may be tried again', (cue, reason, result) => {
    const { liveness, retryable, reasons } = fuse(cues(failed(cue, reason)));
    expect(liveness).toMatchObject({ [result]: false, overall: false, spoof_result: true });
    expect(reasons).toEqual([reason]);
    expect(retryable).toEqual({ reason });
  });

  it.each([
    ['same_person', 'identity_changed', 'face'],
    ['same_person_throughout', 'identity_changed', 'face'],
    ['freeze', 'frozen', 'spoof_result'],
    ['loop', 'looped', 'spoof_result'],
    ['rigid', 'rigid_face', 'spoof_result'],
    ['foresight', 'foreseen', 'spoof_result'],
    ['contrary', 'other_script', 'spoof_result'],
    ['earlier_upload', 'uploaded_before', 'spoof_result'],
    ['elapsed', 'longer_than_elapsed', 'spoof_result'],
  ] as const)('%s fails finally, whatever else failed', (cue, reason, result) => {
    const { liveness, retryable } = fuse(cues(failed(cue, reason), failed('sharpness', 'blurred')));
    expect(liveness).toMatchObject({ [result]: false, overall: false });
    expect(retryable).toBeNull();
  });

  it.each([
    'picture_alive',
    'hard_cut',
    'cross_fade',
    'cut_at_prompts',
    'detail_at_prompts',
  ])('counts what %s finds against `spoof_result`, not against the face, and not finally', (cue) => {
    expect(fuse(cues(failed(cue, 'picture_broken')))).toEqual({
      liveness: { face: true, smile: true, spoof_result: false, overall: false },
      retryable: { reason: 'picture_broken' },
      reasons: ['picture_broken'],
    });
  });

  it('lets the PAD network refuse, but not finally, and reports any other reason first', () => {
    const fused = fuse(cues(failed('pad_pack', 'pad_pack')));
    expect(fused.liveness).toEqual({ face: true, smile: true, spoof_result: false, overall: false });
    expect(fused).toMatchObject({ reasons: ['pad_pack'], retryable: { reason: 'pad_pack' } });
    expect(fuse(cues(failed('pad_pack', 'pad_pack'), failed('sharpness', 'blurred'))).retryable).toEqual({
      reason: 'blurred',
    });
    expect(fuse(cues(failed('pad_pack', 'pad_pack'), failed('freeze', 'frozen'))).retryable).toBeNull();
  });

  it('reports a network that is switched off, and does not fail the capture for it', () => {
    expect(fuse(cues(notEvaluated('pad_pack', 'no_pad_pack')))).toMatchObject({
      liveness: { overall: true },
      reasons: ['no_pad_pack'],
    });
  });

  it('allows another try for a person who neither moved nor smiled', () => {
    const unmoved = fuse(cues(failed('rigid', 'rigid_face'), failed('smile', 'smile_missing')));
    expect(unmoved.liveness).toMatchObject({ smile: false, spoof_result: false });
    expect(unmoved.retryable).toEqual({ reason: 'smile_missing' });
  });

  it('reports a covered mouth only if a smile is missing', () => {
    const covered = failed('mouth_visible', 'mouth_covered');
    expect(fuse(cues(covered))).toMatchObject({ reasons: [], liveness: { overall: true } });
    expect(fuse(cues(covered, failed('smile', 'smile_missing')))).toMatchObject({
      reasons: ['mouth_covered', 'smile_missing'],
      retryable: { reason: 'mouth_covered' },
    });
  });

  it('reports darkness before a missing response or a refusal by the PAD network, and otherwise not at all', () => {
    const dark = failed('light', 'too_dark');
    expect(fuse(cues(dark))).toMatchObject({ reasons: [], liveness: { overall: true } });
    for (const [cue, reason] of [
      ['smile', 'smile_missing'],
      ['neutral', 'neutral_missing'],
      ['target', 'target_missing'],
      ['pad_pack', 'pad_pack'],
    ] as const)
      expect(fuse(cues(dark, failed(cue, reason)))).toMatchObject({
        reasons: ['too_dark', reason],
        retryable: { reason: 'too_dark' },
      });
  });

  it('says that the picture has no colour where the PAD network refuses it, and otherwise not at all', () => {
    const grey = failed('colour', 'no_colour');
    expect(fuse(cues(grey))).toMatchObject({ reasons: [], liveness: { overall: true } });
    expect(fuse(cues(grey, failed('pad_pack', 'pad_pack')))).toMatchObject({
      reasons: ['no_colour', 'pad_pack'],
      retryable: { reason: 'no_colour' },
    });
  });

  it('does not require a smile that was not asked for, and does not report one', () => {
    const { liveness, reasons } = fuse(cues(notEvaluated('smile', 'smile_not_required')));
    expect(liveness).toEqual({ face: true, smile: false, spoof_result: true, overall: true });
    expect(reasons).toEqual(['smile_not_required']);
  });

  it('fails the capture if a required cue could not be evaluated', () => {
    const { liveness, retryable } = fuse(cues(notEvaluated('same_person', 'too_few_frames')));
    expect(liveness).toMatchObject({ face: false, overall: false });
    expect(retryable).toEqual({ reason: 'too_few_frames' });
  });
});
