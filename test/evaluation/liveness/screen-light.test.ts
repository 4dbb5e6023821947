// How the page's light counts: not at all where it is observed, for another try where it is required.
import { describe, expect, it } from 'vitest';
import { runChecks } from '../../../src/evaluation/liveness/checks.ts';
import { fuse } from '../../../src/evaluation/liveness/fusion.ts';
import type { LightMatch, ScreenLight } from '../../../src/evaluation/liveness/light-evidence.ts';
import { screenLight, screenLightRequired } from '../../../src/evaluation/liveness/screen-light.ts';
import { evidence } from './evidence.ts';

const FOUND: LightMatch = {
  ...{ z: 7, delayMs: 120, p: 1e-4, amplitude: 0.03, error: 0.001, symbols: 47 },
};
const ABSENT: LightMatch = { ...FOUND, z: 1, p: 0.4, amplitude: 0.001 };
const light = (match: LightMatch | null, change: Partial<ScreenLight> = {}): ScreenLight => ({
  ...{ required: false, shown: 'shown', match, ...change },
});
const given = (of: ScreenLight | null) => evidence({ light: of });

describe('the light of the screen', () => {
  it.each([
    ['is found', light(FOUND), 'passed', null],
    ['is not there', light(ABSENT), 'failed', 'light_missing'],
    ['shows some sign and no proof', light({ ...ABSENT, p: 0.02 }), 'notEvaluated', 'light_unclear'],
    ['is lost in noise', light({ ...ABSENT, error: 0.01 }), 'notEvaluated', 'light_unclear'],
    ['cannot be read', light(null), 'notEvaluated', 'light_unclear'],
    ['was switched off', light(ABSENT, { shown: 'switched_off' }), 'notEvaluated', 'light_not_shown'],
    [
      'was kept off by the device',
      light(null, { shown: 'device_preference' }),
      'notEvaluated',
      'light_not_shown',
    ],
    ['is not mentioned by the page', light(FOUND, { shown: null }), 'passed', null],
    ['was not drawn', null, 'notEvaluated', 'no_light'],
  ] as const)('%s', (_, of, status, reason) => {
    expect(screenLight.run(given(of))).toMatchObject({ status, reason });
    expect(screenLightRequired.run(given(of))).toMatchObject({ reason: 'not_applicable' });
  });

  it('has no effect where it is observed', () => {
    const without = fuse(runChecks(given(null)));
    for (const of of [light(FOUND), light(ABSENT), light(null), light(null, { shown: 'switched_off' })])
      expect(fuse(runChecks(given(of)))).toEqual(without);
  });
});

describe('a required light of the screen', () => {
  it.each([
    ['is not there', light(ABSENT, { required: true }), 'failed'],
    ['is unclear', light({ ...ABSENT, p: 0.02 }, { required: true }), 'notEvaluated'],
    ['cannot be read', light(null, { required: true }), 'notEvaluated'],
    // The page's statement could be the attacker's.
    ['is said not to have been shown', light(ABSENT, { required: true, shown: 'switched_off' }), 'failed'],
  ] as const)('sends back a capture without it: it %s', (_, of, status) => {
    expect(screenLightRequired.run(given(of))).toMatchObject({ status, reason: 'light_missing' });
    const { liveness, reasons } = fuse(runChecks(given(of)));
    expect(liveness.spoof_result).toBe(false);
    expect(reasons).toContain('light_missing');
  });

  it('never fails a capture finally', () => {
    const cues = runChecks(given(light(FOUND, { required: true }))).map((cue) =>
      cue.cue === 'screen_light_required'
        ? ({ ...cue, status: 'failed', value: 0.4, threshold: 0.001, reason: 'light_missing' } as const)
        : ({ ...cue, status: 'passed', value: 1, threshold: 1, reason: null } as const),
    );
    expect(fuse(cues).retryable).toEqual({ reason: 'light_missing' });
  });

  it('adds nothing if it is found', () => {
    expect(fuse(runChecks(given(light(FOUND, { required: true }))))).toEqual(fuse(runChecks(given(null))));
  });
});
