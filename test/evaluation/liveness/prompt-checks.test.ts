// The script's checks on made-up faces: what counts as a neutral start, a smile, a turn, a reaction.
import { describe, expect, it } from 'vitest';
import type { Script } from '../../../src/contract/script.ts';
import type { ObservedFace } from '../../../src/evaluation/face/observation.ts';
import { contrary } from '../../../src/evaluation/liveness/contrary.ts';
import {
  coverage,
  foresight,
  neutralKept,
  neutralStart,
  reaction,
  smile,
  turn,
} from '../../../src/evaluation/liveness/prompt-checks.ts';
import { evidence, observe, SMILE } from './evidence.ts';

const showing = (at: (timeMs: number) => Partial<ObservedFace> | null, script?: Script) =>
  evidence({ observations: observe(3000, at), ...(script ? { script } : {}) });
const smilingFrom = (fromMs: number, toMs = 3000) =>
  showing((timeMs) => (timeMs >= fromMs && timeMs < toMs ? SMILE : {}));

describe('smile', () => {
  it('passes when it comes after the prompt and is held', () => {
    const given = smilingFrom(1300);
    expect(smile(given)).toMatchObject({ status: 'passed', value: 1 });
    expect(neutralStart(given)).toMatchObject({ status: 'passed', value: 1 });
    expect(reaction(given)).toMatchObject({ status: 'passed', value: 360 });
  });

  it.each([
    ['a twitch', smilingFrom(1300, 1450)],
    ['none at all', smilingFrom(9999)],
    ['a happy face whose mouth stays as it was', showing((t) => (t > 1300 ? { happy: 0.99 } : {}))],
    ['a wide mouth without happiness', showing((t) => (t > 1300 ? { mouthWidth: 1.2 } : {}))],
    ['a smile out of the window', smilingFrom(0, 900)],
    ['a face turned away', showing((t) => (t > 1300 ? { ...SMILE, yaw: 0.6 } : {}))],
    ['no face', showing(() => null)],
  ])('fails for %s', (_, given) => {
    expect(smile(given)).toMatchObject({ status: 'failed', reason: 'smile_missing' });
  });

  it('finds no neutral start in a face that smiles all the time', () => {
    const given = showing(() => SMILE);
    expect(neutralStart(given)).toMatchObject({ status: 'failed', reason: 'neutral_missing' });
    expect(smile(given)).toMatchObject({ status: 'failed' });
  });
});

describe('reaction', () => {
  it('before the prompt is none', () => {
    expect(reaction(smilingFrom(800))).toMatchObject({ status: 'failed', reason: 'prompt_not_followed' });
  });
  it('comes too late after a second and a half, and what lies between the clocks', () => {
    expect(reaction(smilingFrom(2600))).toMatchObject({ status: 'passed' });
    const slow = evidence({
      observations: observe(4000, (t) => (t > 3000 ? SMILE : {})),
      script: {
        steps: [
          { prompt: 'neutral', from_ms: 0, to_ms: 1000 },
          { prompt: 'smile', from_ms: 1000, to_ms: 4000 },
        ],
      },
    });
    expect(reaction(slow)).toMatchObject({ status: 'failed', reason: 'prompt_not_followed' });
  });
  it('counts from the beginning of the movement, not from its end', () => {
    const slowly = showing((t) => {
      const share = Math.min(1, Math.max(0, (t - 1500) / 700));
      return { happy: share, mouthWidth: 0.8 + 0.3 * share };
    });
    expect(reaction(slowly)).toMatchObject({ status: 'passed' });
    expect(reaction(slowly).value).toBeLessThan(800);
  });
  it('still counts where it lasts into the next prompt', () => {
    const script: Script = {
      steps: [
        { prompt: 'neutral', from_ms: 0, to_ms: 1000 },
        { prompt: 'smile', from_ms: 1000, to_ms: 2000 },
        { prompt: 'turn_left', from_ms: 2000, to_ms: 3000 },
      ],
    };
    expect(smile(showing((t) => (t >= 1850 && t < 2350 ? SMILE : {}), script))).toMatchObject({
      status: 'passed',
    });
  });
});

describe('foresight', () => {
  const steps: Script = {
    steps: [
      { prompt: 'neutral', from_ms: 0, to_ms: 500 },
      { prompt: 'turn_left', from_ms: 500, to_ms: 1300 },
      { prompt: 'smile', from_ms: 1300, to_ms: 2100 },
      { prompt: 'turn_right', from_ms: 2100, to_ms: 2900 },
    ],
  };
  const early = (byMs: number) =>
    showing((t) => {
      if (t >= 500 + 300 && t < 1300 - byMs) return { yaw: 0.5 };
      if (t >= 1300 - byMs && t < 2000 - byMs) return SMILE;
      return t >= 2100 - byMs ? { yaw: -0.5 } : {};
    }, steps);

  it('is evidence when prompts are answered before they are shown', () => {
    expect(foresight(early(250))).toMatchObject({ status: 'failed', value: 2, reason: 'foreseen' });
    expect(foresight(early(-300))).toMatchObject({ status: 'passed', value: 0 });
  });
  it('does not take a smile that lasts for one', () => {
    const lasting = showing((t) => (t < 900 ? {} : SMILE), {
      steps: [
        { prompt: 'neutral', from_ms: 0, to_ms: 600 },
        { prompt: 'smile', from_ms: 600, to_ms: 1400 },
        { prompt: 'turn_left', from_ms: 1400, to_ms: 2200 },
        { prompt: 'smile', from_ms: 2200, to_ms: 3000 },
      ],
    });
    expect(foresight(lasting)).toMatchObject({ status: 'passed', value: 0 });
  });
});

describe('contrary', () => {
  const script: Script = {
    steps: [
      { prompt: 'neutral', from_ms: 0, to_ms: 500 },
      { prompt: 'smile', from_ms: 500, to_ms: 1300 },
      { prompt: 'turn_left', from_ms: 1300, to_ms: 2100 },
      { prompt: 'smile', from_ms: 2100, to_ms: 2900 },
    ],
  };
  const answering = (...moves: Partial<ObservedFace>[]) =>
    showing((t) => (t < 800 ? {} : (moves[Math.floor((t - 800) / 800)] ?? {})), script);

  it('finds the answers to another script', () => {
    expect(contrary(answering({ yaw: 0.5 }, SMILE, { yaw: 0.5 }))).toMatchObject({
      ...{ status: 'failed', value: 3, reason: 'other_script' },
    });
  });
  it('forgives one mistake, and confusing left and right', () => {
    expect(contrary(answering(SMILE, SMILE, SMILE))).toMatchObject({ status: 'passed' });
    expect(contrary(answering(SMILE, { yaw: -0.5 }, SMILE))).toMatchObject({ status: 'passed', value: 0 });
    expect(contrary(answering(SMILE, { yaw: 0.5 }, SMILE))).toMatchObject({ status: 'passed', value: 0 });
    expect(contrary(answering({}, {}, {}))).toMatchObject({ status: 'passed', value: 0 });
  });
});

describe('turn', () => {
  const script: Script = {
    steps: [
      { prompt: 'neutral', from_ms: 0, to_ms: 1000 },
      { prompt: 'turn_left', from_ms: 1000, to_ms: 3000 },
    ],
  };
  const turned = (yaw: number, rest = 0) => showing((t) => ({ yaw: t > 1400 ? yaw : rest }), script);

  it('goes to the side that was asked for, far enough', () => {
    expect(turn(turned(0.5))).toMatchObject({ status: 'passed' });
    expect(turn(turned(0.3))).toMatchObject({ status: 'failed', reason: 'turn_missing' });
    expect(turn(turned(-0.5))).toMatchObject({ status: 'failed', reason: 'turn_missing' });
  });
  it('counts from where the head rests', () => {
    expect(turn(turned(0.4, 0.2))).toMatchObject({ status: 'failed' });
  });
  it('makes a smile not required', () => {
    expect(smile(turned(0.5))).toMatchObject({ status: 'notEvaluated', reason: 'smile_not_required' });
  });
});

describe('neutral_kept', () => {
  const script: Script = {
    steps: [
      { prompt: 'neutral', from_ms: 0, to_ms: 1000 },
      { prompt: 'turn_left', from_ms: 1000, to_ms: 2500 },
      { prompt: 'neutral', from_ms: 2500, to_ms: 4000 },
      { prompt: 'smile', from_ms: 4000, to_ms: 5500 },
    ],
  };
  /** Turns left when asked to, then does \`then\` from \`atMs\` to \`untilMs\`, then smiles. */
  const following = (then: Partial<ObservedFace>, atMs: number, untilMs: number) =>
    evidence({
      script,
      observations: observe(5500, (t) => {
        if (t >= atMs && t < untilMs) return then;
        return t > 1500 && t < 3000 ? { yaw: 0.6 } : t > 4500 ? SMILE : {};
      }),
    });

  it('holds when the head only returns, however late the turn before it came', () => {
    expect(neutralKept(following({}, 0, 0))).toMatchObject({ status: 'passed', value: 0 });
    expect(neutralKept(following({ yaw: 0.6 }, 2600, 3800))).toMatchObject({ status: 'passed' });
    expect(neutralKept(following(SMILE, 4200, 5500))).toMatchObject({ status: 'passed' });
  });

  it('fails when a movement begins there: the answer to another script', () => {
    const missing = { status: 'failed', value: 1, reason: 'neutral_missing' };
    expect(neutralKept(following({ yaw: -0.6 }, 3200, 4300))).toMatchObject(missing);
    expect(neutralKept(following(SMILE, 3200, 4300))).toMatchObject(missing);
  });

  it('is not evaluated where no neutral face is asked for between the prompts', () => {
    const moving = { steps: script.steps.filter(({ prompt }, i) => i === 0 || prompt !== 'neutral') };
    expect(neutralKept({ ...following({}, 0, 0), script: moving })).toMatchObject({
      status: 'notEvaluated',
      reason: 'not_applicable',
    });
  });
});

it('a video that ends before its script is too short', () => {
  expect(coverage(evidence({}, 2000))).toMatchObject({ status: 'failed', reason: 'too_short' });
});

it('without a script nothing of it is evaluated', () => {
  for (const check of [neutralStart, neutralKept, smile, turn, coverage, reaction])
    expect(check(evidence({ script: null }))).toMatchObject({ status: 'notEvaluated', reason: 'no_script' });
});
