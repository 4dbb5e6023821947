// The script's checks on synthetic faces: what counts as a response to each prompt, and what counts against it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Asked,
  isMovement,
  PROMPT_NAMES,
  type Prompt,
  type Script,
} from '../../../src/contract/script.ts';
import type { Direction } from '../../../src/contract/target.ts';
import { CHECKS } from '../../../src/evaluation/liveness/checks.ts';
import type { Cue } from '../../../src/evaluation/liveness/cue.ts';
import type { CaptureEvidence } from '../../../src/evaluation/liveness/evidence.ts';
import { fuse } from '../../../src/evaluation/liveness/fusion.ts';
import {
  ANSWER_CHECKS,
  contrary,
  coverage,
  foresight,
  neutralKept,
  targetChance,
} from '../../../src/evaluation/liveness/prompt-checks.ts';
import { PROMPT_ROWS } from '../../../src/evaluation/liveness/prompts.ts';
import { evidence, identityOf, type Look, observe, SMILE } from './evidence.ts';

/** Up and to the person's own left, near; its dot, and one on the other side. */
const TARGET = { angle_deg: 45, amount: 'near' } as const;
const ON_DOT: Direction = { x: 7, y: 7 };
const ELSEWHERE: Direction = { x: -7, y: 7 };
const ASKED: Readonly<Record<Prompt, Asked>> = {
  neutral: { prompt: 'neutral' },
  smile: { prompt: 'smile' },
  target: { prompt: 'target', ...TARGET },
};

/** A face that responds to each prompt. */
const ANSWERS: Readonly<Record<Prompt, Look>> = { neutral: {}, smile: SMILE, target: { head: ON_DOT } };

/** The verdict if everything else passed. */
function verdictOf(given: CaptureEvidence) {
  const ofTheScript = [...ANSWER_CHECKS, neutralKept, foresight, contrary, coverage];
  return fuse(
    CHECKS.map(
      ({ cue }): Cue => ({
        cue,
        ...(ofTheScript.find((check) => check.cue === cue)?.run(given) ?? {
          status: 'passed',
          value: 1,
          threshold: 0,
          reason: null,
        }),
      }),
    ),
  );
}

const answered = (cue: string, given: CaptureEvidence) =>
  ANSWER_CHECKS.find((check) => check.cue === cue)!.run(given);
const showing = (at: (timeMs: number) => Look | null, script?: Script) =>
  evidence({ observations: observe(3000, at), ...(script ? { script } : {}) });
const smilingFrom = (fromMs: number, toMs = 3000) =>
  showing((timeMs) => (timeMs >= fromMs && timeMs < toMs ? SMILE : {}));
const scriptOf = (prompts: readonly Prompt[], stepMs = 1600): Script => ({
  steps: prompts.map((prompt, i) => ({ ...ASKED[prompt], from_ms: i * stepMs, to_ms: (i + 1) * stepMs })),
});

/**
 * A person who responds to each step of the script after `delayMs`, except the steps left out, and keeps the pose until
 * the next response.
 */
function performer(
  script: Script,
  { delayMs = 500, leavesOut = () => false }: { delayMs?: number; leavesOut?: (at: number) => boolean } = {},
) {
  return (timeMs: number): Look => {
    const { steps } = script;
    const at = steps.findLastIndex(({ from_ms }) => timeMs >= from_ms + delayMs);
    const step = steps[at];
    return step && !leavesOut(at) ? ANSWERS[step.prompt] : {};
  };
}

const performed = (script: Script, how?: Parameters<typeof performer>[1]) => {
  const endMs = script.steps.at(-1)!.to_ms;
  return evidence({ script, observations: observe(endMs + 80, performer(script, how)) }, endMs + 80);
};

describe('every prompt', () => {
  const order = fc
    .array(fc.constantFrom(...PROMPT_NAMES), { minLength: 1, maxLength: 7 })
    .map((prompts) => ['neutral' as const, ...prompts])
    .filter((prompts) => prompts.every((prompt, i) => i === 0 || prompt !== prompts[i - 1]));

  it('that gets its response fails nothing, however long people take', () => {
    fc.assert(
      fc.property(order, fc.integer({ min: 250, max: 2500 }), (prompts, delayMs) => {
        const script = scriptOf(prompts, delayMs + 700);
        const given = performed(script, { delayMs });
        for (const check of [...ANSWER_CHECKS, neutralKept, foresight, contrary, coverage])
          expect(check.run(given).status, check.cue).not.toBe('failed');
      }),
      { numRuns: 60 },
    );
  });

  it('that gets no response fails the capture, with its own reason, and may be tried again', () => {
    const movements = order.filter((prompts) => prompts.some((prompt) => prompt !== 'neutral'));
    fc.assert(
      fc.property(movements, fc.nat(), (prompts, pick) => {
        const moving = prompts.flatMap((prompt, i) => (prompt === 'neutral' ? [] : [i]));
        const missed = moving[pick % moving.length]!;
        const given = performed(scriptOf(prompts), { leavesOut: (at) => at === missed });
        const { liveness, reasons } = verdictOf(given);
        expect(liveness.overall).toBe(false);
        expect(reasons).toContain(PROMPT_ROWS[prompts[missed]!].missing);
        const own = ANSWER_CHECKS.find(({ cue }) => cue === PROMPT_ROWS[prompts[missed]!].cue)!;
        expect(own.run(given)).toMatchObject({ status: 'failed' });
      }),
      { numRuns: 60 },
    );
  });

  it('that another person responds to counts as missed', () => {
    fc.assert(
      fc.property(order, fc.nat(), (prompts, pick) => {
        const script = scriptOf(prompts);
        const stolen = script.steps[pick % script.steps.length]!;
        const given = performed(script);
        const isStolen = (timeMs: number) => timeMs >= stolen.from_ms && timeMs < stolen.to_ms + 600;
        const identity = identityOf(given.observations, (timeMs) => (isStolen(timeMs) ? 0.1 : 0.9));
        expect(answered(PROMPT_ROWS[stolen.prompt].cue, { ...given, identity })).toMatchObject({
          status: 'failed',
          reason: PROMPT_ROWS[stolen.prompt].missing,
        });
      }),
      { numRuns: 100 },
    );
  });
});

describe('smile', () => {
  it('passes when it comes after the prompt and is held', () => {
    const given = smilingFrom(1300);
    expect(answered('smile', given)).toMatchObject({ status: 'passed', value: 1 });
    expect(answered('neutral', given)).toMatchObject({ status: 'passed', value: 1 });
  });

  it('passes with closed lips: slightly wider, with the corners raised', () => {
    const closed = { happy: 0.95, mouthWidth: 0.92, cornersBelowEyes: 0.94, cornersBelowNose: 0.34 };
    const given = showing((t) => (t > 1300 ? closed : {}));
    expect(answered('smile', given)).toMatchObject({ status: 'passed' });
  });

  it('passes where the head has moved with it, as it does', () => {
    const given = showing((t) => (t > 1300 ? { ...SMILE, head: { x: 3, y: -8 } } : {}));
    expect(answered('smile', given)).toMatchObject({ status: 'passed' });
  });

  const shout = { happy: 0.95, mouthWidth: 1.05, cornersBelowEyes: 1.05, cornersBelowNose: 0.43 };
  it.each([
    ['a twitch', smilingFrom(1300, 1450)],
    ['none at all', smilingFrom(9999)],
    ['a happy face whose mouth stays as it was', showing((t) => (t > 1300 ? { happy: 0.99 } : {}))],
    ['a wide mouth without happiness', showing((t) => (t > 1300 ? { ...SMILE, happy: 0.1 } : {}))],
    ['a shout that shows the teeth', showing((t) => (t > 1300 ? shout : {}))],
    ['a smile outside the window', smilingFrom(0, 900)],
    ['a face turned away', showing((t) => (t > 1300 ? { ...SMILE, yaw: 0.6 } : {}))],
    ['a head that looks up', showing((t) => (t > 1300 ? { ...SMILE, head: { x: 0, y: 11 } } : {}))],
    ['a head that looks down', showing((t) => (t > 1300 ? { ...SMILE, head: { x: 2, y: -11 } } : {}))],
    ['no face', showing(() => null)],
  ])('fails for %s', (_, given) => {
    expect(answered('smile', given)).toMatchObject({ status: 'failed', reason: 'smile_missing' });
  });

  const pout = { mouthWidth: 0.6, cornersBelowEyes: 1.15, cornersBelowNose: 0.55 };
  const after = (look: Look) => showing((t) => (t > 1300 ? look : pout));
  it('is not found in a wide open mouth without happiness, also where the rest was a pout', () => {
    const shouting = after({ ...shout, happy: 0.1 });
    expect(answered('neutral', shouting)).toMatchObject({ status: 'passed' });
    expect(answered('smile', shouting)).toMatchObject({ status: 'failed', reason: 'smile_missing' });
    expect(answered('smile', after(SMILE))).toMatchObject({ status: 'passed' });
  });

  it('is found, a known limit, in a wide open mouth after a pout where the network calls it happy', () => {
    expect(answered('smile', after(shout))).toMatchObject({ status: 'passed' });
  });

  it('counts in frames that are not clear, where the person is recognised all the same', () => {
    const given = smilingFrom(1300);
    const covered = given.identity.map((moment) => ({ ...moment, isClear: moment.timeMs < 1300 }));
    expect(answered('smile', { ...given, identity: covered })).toMatchObject({ status: 'passed' });
  });

  it('finds no rest in a face that smiles all the time', () => {
    const given = showing(() => SMILE);
    expect(answered('neutral', given)).toMatchObject({ status: 'failed', reason: 'neutral_missing' });
    expect(answered('smile', given)).toMatchObject({ status: 'failed' });
  });

  it('still counts if it lasts into the next prompt', () => {
    const script = scriptOf(['neutral', 'smile', 'target'], 1000);
    const given = showing((t) => (t >= 1850 && t < 2350 ? SMILE : {}), script);
    expect(answered('smile', given)).toMatchObject({ status: 'passed' });
  });
});

describe('foresight', () => {
  const script = scriptOf(['neutral', 'smile', 'neutral', 'smile', 'target'], 1000);
  /** Smiles twice for half a second, by this much before each prompt, and answers the target in time. */
  const early = (byMs: number) =>
    evidence(
      {
        script,
        observations: observe(5000, (t) => {
          if (t > 4300) return { head: ON_DOT };
          return [1000, 3000].some((from) => t >= from - byMs && t < from - byMs + 700) ? SMILE : {};
        }),
      },
      5000,
    );

  it('is found when responses come before their prompts are shown', () => {
    expect(foresight.run(early(-300))).toMatchObject({ status: 'passed', value: 0 });
    expect(foresight.run(early(250))).toMatchObject({ status: 'passed', value: 1 });
  });
  it('does not count a smile that lasts', () => {
    const lasting = showing(
      (t) => (t < 1000 ? {} : SMILE),
      scriptOf(['neutral', 'smile', 'target', 'smile'], 700),
    );
    expect(foresight.run(lasting)).toMatchObject({ status: 'passed', value: 0 });
  });
  it('allows none where only one prompt was answered', () => {
    const smiling = showing((t) => (t < 600 ? {} : SMILE), scriptOf(['neutral', 'smile'], 1000));
    expect(foresight.run(smiling)).toMatchObject({ status: 'failed', value: 1, reason: 'foreseen' });
  });
});

describe('contrary', () => {
  const script = scriptOf(['neutral', 'smile', 'target', 'smile'], 1000);
  const answering = (...moves: Look[]) =>
    evidence(
      {
        script,
        observations: observe(4200, (t) => (t < 1200 ? {} : (moves[Math.floor((t - 1200) / 1000)] ?? {}))),
      },
      4200,
    );

  it('is found in responses to another script', () => {
    const smiles = scriptOf(['neutral', 'smile', 'neutral', 'smile'], 1000);
    const turning = answering({ head: ELSEWHERE }, {}, { head: ELSEWHERE });
    expect(contrary.run({ ...turning, script: smiles })).toMatchObject({ status: 'failed', value: 2 });
  });
  it('allows one mistake, and a turn to another place', () => {
    expect(contrary.run(answering(SMILE, SMILE, SMILE))).toMatchObject({ status: 'passed' });
    expect(contrary.run(answering(SMILE, { head: ELSEWHERE }, SMILE))).toMatchObject({
      status: 'passed',
      value: 0,
    });
    expect(contrary.run(answering({}, {}, {}))).toMatchObject({ status: 'passed', value: 0 });
  });
  it('is not evaluated for a face that was never at rest, which gives no response', () => {
    const restless = evidence({ script, observations: observe(4200, () => SMILE) }, 4200);
    for (const check of [contrary, neutralKept])
      expect(check.run(restless)).toMatchObject({ status: 'notEvaluated', reason: 'not_applicable' });
    expect(verdictOf(restless).liveness.overall).toBe(false);
  });
  it('is not found in responses that come one prompt late throughout the script', () => {
    const late = performed(scriptOf(['neutral', 'smile', 'target', 'smile', 'target'], 1400), {
      delayMs: 1900,
    });
    expect(contrary.run(late)).toMatchObject({ status: 'passed', value: 0 });
    const { liveness, retryable } = verdictOf(late);
    expect(liveness.overall).toBe(false);
    expect(retryable).not.toBeNull();
  });
});

describe('neutral_kept', () => {
  const script = scriptOf(['neutral', 'target', 'neutral', 'target'], 1500);
  /** Turns to the dot when asked to, then does `then` from `atMs` to `untilMs`, then turns to the dot again. */
  const following = (then: Look, atMs: number, untilMs: number) =>
    evidence(
      {
        script,
        observations: observe(6000, (t) => {
          if (t >= atMs && t < untilMs) return then;
          return (t > 2000 && t < 3400) || t > 5000 ? { head: ON_DOT } : {};
        }),
      },
      6000,
    );

  it('passes when the head only returns, however late the turn before was', () => {
    expect(neutralKept.run(following({}, 0, 0))).toMatchObject({ status: 'passed', value: 0 });
    expect(neutralKept.run(following({ head: ON_DOT }, 2900, 4200))).toMatchObject({ status: 'passed' });
    expect(neutralKept.run(following(SMILE, 4600, 5000))).toMatchObject({ status: 'passed' });
  });

  it('fails when a movement of another kind begins there, as in the response to another script', () => {
    const missing = { status: 'failed', value: 1, reason: 'neutral_missing' };
    expect(neutralKept.run(following(SMILE, 3700, 4800))).toMatchObject(missing);
    const smiles = scriptOf(['neutral', 'smile', 'neutral', 'smile'], 1500);
    expect(neutralKept.run({ ...following({ head: ELSEWHERE }, 3900, 4900), script: smiles })).toMatchObject(
      missing,
    );
  });

  it('is not evaluated if no rest is required between the prompts', () => {
    const moving = { steps: script.steps.filter(({ prompt }, i) => i === 0 || isMovement(prompt)) };
    expect(neutralKept.run({ ...following({}, 0, 0), script: moving })).toMatchObject({
      status: 'notEvaluated',
      reason: 'not_applicable',
    });
  });
});

it('a video that ends before its script is too short', () => {
  expect(coverage.run(evidence({}, 2000))).toMatchObject({ status: 'failed', reason: 'too_short' });
});

it('without a script none of these is evaluated', () => {
  for (const check of [...ANSWER_CHECKS, targetChance, neutralKept, coverage, foresight, contrary])
    expect(check.run(evidence({ script: null }))).toMatchObject({
      status: 'notEvaluated',
      reason: 'no_script',
    });
});
