// The script as the page plays it: when a step ends, what counts as its answer, and that the server accepts every
// script that results.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawScript } from '../../src/challenge/capturing/draw-script.ts';
import { matchesDrawnScript } from '../../src/challenge/capturing/performed-script.ts';
import type { AnswerMeasures } from '../../src/contract/answer-measures.ts';
import { drawPath, PATH, pathAt, pathLengthMs } from '../../src/contract/path.ts';
import {
  PROMPTS as CONTRACT_PROMPTS,
  type DrawnScript,
  type Prompt,
  type Script,
} from '../../src/contract/script.ts';
import { promptSteps } from '../../src/contract/script-steps.ts';
import type { ObservedFace } from '../../src/evaluation/face/observation.ts';
import { PROMPT_ROWS } from '../../src/evaluation/liveness/prompts.ts';
import { seededRandom } from '../../src/lab/random.ts';
import { followScript, TAIL_MS, UNWATCHED_STEP_MS } from '../../web/capture/camera/script-clock.ts';
import { KnownScript } from '../../web/capture/flow/known-script.ts';
import { isAnswer, mirroredPrompt, neutralOf } from '../../web/capture/guidance/answers.ts';

const REST: AnswerMeasures = {
  yaw: 0.04,
  pitch: 0,
  mouthWidth: 0.8,
  cornersBelowEyes: 1.2,
  cornersBelowNose: 0.5,
};
const SMILE: AnswerMeasures = {
  yaw: 0.02,
  pitch: 0,
  mouthWidth: 0.98,
  cornersBelowEyes: 1.13,
  cornersBelowNose: 0.43,
};
const SHOUT: AnswerMeasures = {
  yaw: 0.02,
  pitch: 0,
  mouthWidth: 1.1,
  cornersBelowEyes: 1.25,
  cornersBelowNose: 0.55,
};
const turned = (yaw: number): AnswerMeasures => ({ ...REST, yaw });
/** The person's own left is positive, as in the judgement. */
const FACES: Readonly<Record<Prompt, AnswerMeasures>> = {
  neutral: REST,
  smile: SMILE,
  turn_left: turned(0.6),
  turn_right: turned(-0.6),
};
const PROMPTS = Object.keys(FACES) as Prompt[];

const scriptOf = (...prompts: Prompt[]): DrawnScript => ({
  steps: prompts.map((prompt) => ({ prompt, hold_ms: 500 })),
  max_step_ms: 6000,
});

/** A script as the page first has it, and a server that hands out requested steps after `networkMs`. */
function handedOut(script: DrawnScript, networkMs: number, triesLeft = 0) {
  const capture = { script: { ...script, steps: script.steps.slice(0, 1) }, stepCount: script.steps.length };
  const known = new KnownScript(capture, triesLeft);
  /** How many steps each request asked for, and when. */
  const asked: { atMs: number; count: number }[] = [];
  const tick = (nowMs: number) => {
    const count = known.asked;
    if (count !== undefined && (asked.at(-1)?.count ?? 1) < count) asked.push({ atMs: nowMs, count });
    for (const { atMs, count } of asked)
      if (nowMs >= atMs + networkMs) known.learn(script.steps.slice(0, count));
  };
  return { known, asked, tick };
}

/** Plays a script with a look every 100 ms; the test decides what each look sees and how late it arrives. */
function live(
  script: DrawnScript,
  faceAt: (prompt: Prompt | null, sinceMs: number, followsMark: boolean) => AnswerMeasures | null | 'no look',
  { latencyMs = 60, networkMs = 0, triesLeft = 0 } = {},
) {
  const ends: { atMs: number; answered: boolean }[] = [];
  let performed: Script | null = null;
  let gaveUp: string | null = null;
  const { known, asked, tick } = handedOut(script, networkMs, triesLeft);
  const clock = followScript(known, {
    pointed: () => {},
    stepEnded: (_, answered) => ends.push({ atMs: nowMs, answered }),
    ended: (script) => {
      performed = script;
    },
    gaveUp: (because) => {
      gaveUp = because;
    },
  });
  let nowMs = 0;
  for (; nowMs < 100_000 && !performed && !gaveUp; nowMs += 50) {
    tick(nowMs);
    clock.tick(nowMs);
    const pictureMs = nowMs - latencyMs;
    const prompt = promptSteps(script)[ends.length]?.prompt ?? null;
    const isMark = script.steps[ends.length]?.prompt === PATH;
    const face = faceAt(prompt, pictureMs - (ends.at(-1)?.atMs ?? 0), isMark);
    if (nowMs % 100 === 0 && face !== 'no look') clock.saw(face, pictureMs, nowMs);
  }
  return {
    ends,
    gaveUp: gaveUp as string | null,
    asked,
    endedMs: nowMs,
    performed: performed as Script | null,
  };
}

describe('an answer', () => {
  it.each(PROMPTS)('to %s is that movement and no other', (prompt) => {
    const answers = PROMPTS.filter((shown) => isAnswer(prompt, FACES[shown], REST));
    expect(answers).toEqual([prompt]);
    expect(isAnswer(prompt, SHOUT, REST)).toBe(false);
  });

  it('seen in a mirror is the one that the contract names', () => {
    for (const prompt of PROMPTS) expect(mirroredPrompt(prompt)).toBe(CONTRACT_PROMPTS[prompt].mirrored);
  });

  it('cannot be a smile or a turn while the person’s face at rest is not known', () => {
    expect(PROMPTS.filter((prompt) => isAnswer(prompt, FACES[prompt], null))).toEqual(['neutral']);
  });

  it('also counts as one in the judgement, whatever the face measures', () => {
    const measure = (min: number, max: number) => fc.double({ min, max, noNaN: true });
    const anyFace: fc.Arbitrary<AnswerMeasures> = fc.record({
      yaw: measure(-1, 1),
      pitch: measure(-1, 1),
      mouthWidth: measure(0.5, 1.3),
      cornersBelowEyes: measure(0.9, 1.5),
      cornersBelowNose: measure(0.3, 0.8),
    });
    fc.assert(
      fc.property(fc.constantFrom(...PROMPTS), anyFace, (prompt, face) => {
        if (!isAnswer(prompt, face, REST)) return;
        const happy = prompt === 'smile' ? 1 : 0;
        const judged = { ...face, happy } as ObservedFace;
        expect(PROMPT_ROWS[prompt].strength(judged, REST)).toBeGreaterThanOrEqual(1);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is measured from the median face at rest', () => {
    expect(neutralOf([])).toBeNull();
    expect(neutralOf([REST, turned(0.1), turned(0.9)])).toEqual(turned(0.1));
  });
});

describe('a step', () => {
  const script = scriptOf('neutral', 'smile', 'turn_left');

  it.each([300, 900, 1500, 2500])('ends once its answer, %i ms late, has been held', (delayMs) => {
    const { ends, performed } = live(script, (prompt, sinceMs) =>
      prompt && sinceMs >= delayMs ? FACES[prompt] : REST,
    );
    expect(ends.map(({ answered }) => answered)).toEqual([true, true, true]);
    const lengths = performed!.steps.map(({ from_ms, to_ms }) => to_ms - from_ms);
    expect(lengths[0]).toBeLessThan(800);
    for (const length of lengths.slice(1)) {
      expect(length).toBeGreaterThanOrEqual(delayMs + 500);
      expect(length).toBeLessThan(delayMs + 850);
    }
    expect(matchesDrawnScript(performed!, script)).toBe(true);
  });

  it('with a mark takes the time of its path, and is ticked off if the head follows', () => {
    const random = seededRandom(1);
    const path = drawPath(4000, (least, most) => least + Math.floor(random() * (most - least + 1)));
    const marked: DrawnScript = {
      steps: [
        { prompt: 'neutral', hold_ms: 500 },
        { prompt: PATH, hold_ms: pathLengthMs(path), path },
      ],
      max_step_ms: 6000,
    };
    for (const follows of [true, false]) {
      const { ends, performed } = live(marked, (_, sinceMs, shownPath) => {
        // In the step before, the head looks at the place where the mark will start.
        const { x, y } = pathAt(path, shownPath ? sinceMs - 350 : 0);
        return follows ? { ...REST, yaw: 0.04 + 0.0025 * x, pitch: 0.0018 * y } : REST;
      });
      expect(ends.map(({ answered }) => answered)).toEqual([true, follows]);
      expect(matchesDrawnScript(performed!, marked)).toBe(true);
    }
  });

  it('waits for an answer that is held, and does not accept glimpses of one', () => {
    const { ends } = live(script, (prompt, sinceMs) => {
      if (prompt === 'neutral') return REST;
      // The answer is gone in one look of five.
      return prompt && Math.floor(sinceMs / 100) % 5 !== 0 ? FACES[prompt] : REST;
    });
    expect(ends.map(({ answered }) => answered)).toEqual([true, false, false]);
  });

  it('ends at its limit without an answer, and accepts no other movement as one', () => {
    const { ends, performed } = live(script, (prompt) =>
      prompt === 'smile' ? FACES.turn_right : prompt === 'turn_left' ? FACES.smile : REST,
    );
    expect(ends.map(({ answered }) => answered)).toEqual([true, false, false]);
    expect(performed!.steps[1]!.to_ms - performed!.steps[1]!.from_ms).toBe(6000);
    expect(matchesDrawnScript(performed!, script)).toBe(true);
  });

  it('ends the take at its limit if nothing like it was seen and the person may try again', () => {
    const still = live(script, () => REST, { triesLeft: 1 });
    expect(still).toMatchObject({ gaveUp: 'smile_missing', performed: null });
    expect(still.endedMs).toBeLessThan(8_000);
    const turning = scriptOf('neutral', 'turn_left', 'smile');
    const smiling = live(turning, (prompt) => (prompt === 'neutral' ? REST : SMILE), { triesLeft: 1 });
    expect(smiling.gaveUp).toBe('turn_missing');
  });

  it('does not end the take if half of it was seen, if nobody watched, or in the last try', () => {
    const half = scriptOf('neutral', 'turn_left', 'turn_right');
    const weak = live(
      half,
      (prompt) => (prompt === 'neutral' ? REST : turned(prompt === 'turn_left' ? 0.26 : -0.26)),
      {
        triesLeft: 2,
      },
    );
    const seenLittle = live(script, (_, sinceMs) => (sinceMs % 1000 < 100 ? REST : null), { triesLeft: 2 });
    const unwatched = live(script, () => 'no look', { triesLeft: 2 });
    const last = live(script, () => REST, { triesLeft: 0 });
    for (const { gaveUp, performed } of [weak, seenLittle, unwatched, last]) {
      expect(gaveUp).toBeNull();
      expect(performed).not.toBeNull();
    }
  });

  it('is answered to the other side by a camera that mirrors, and by no other', () => {
    const turns = scriptOf('neutral', 'turn_left', 'smile', 'turn_right', 'turn_left');
    const other = { ...FACES, turn_left: FACES.turn_right, turn_right: FACES.turn_left };
    const mirrored = live(turns, (prompt) => (prompt ? other[prompt] : REST), { triesLeft: 1 });
    expect(mirrored.ends.map(({ answered }) => answered)).toEqual([true, true, true, true, true]);
    // The first turn takes longer; the others end as soon as they were held.
    expect(mirrored.ends[1]!.atMs - mirrored.ends[0]!.atMs).toBeGreaterThan(1_500);
    expect(mirrored.ends[4]!.atMs - mirrored.ends[3]!.atMs).toBeLessThan(1_500);
    // Whoever corrects a confused turn has no camera that mirrors, and neither has whoever confuses a later one.
    const confused = live(turns, (prompt, sinceMs) => {
      if (prompt === 'turn_left' && sinceMs < 1_000) return FACES.turn_right;
      return prompt === 'turn_right' ? FACES.turn_left : prompt ? FACES[prompt] : REST;
    });
    expect(confused.ends.map(({ answered }) => answered)).toEqual([true, true, true, false, true]);
  });

  it('is not answered by a picture from before its prompt', () => {
    const clock = followScript(handedOut(scriptOf('neutral'), 0).known, {
      pointed: () => {},
      stepEnded: () => expect.fail('answered'),
      ended: () => {},
      gaveUp: () => {},
    });
    clock.saw(REST, -300, 10);
    clock.saw(REST, 250, 300);
  });

  it('has a fixed length without guidance, even if guidance stops in the middle', () => {
    const unwatched = live(script, () => 'no look');
    const lengths = unwatched.performed!.steps.map(({ from_ms, to_ms }) => to_ms - from_ms);
    expect(lengths).toEqual([UNWATCHED_STEP_MS, UNWATCHED_STEP_MS, UNWATCHED_STEP_MS]);
    expect(unwatched.endedMs - unwatched.performed!.steps[2]!.to_ms).toBeLessThan(TAIL_MS + 100);
    const dying = live(script, (prompt) => (prompt === 'neutral' ? REST : 'no look'));
    expect(dying.ends.map(({ answered }) => answered)).toEqual([true, false, false]);
    expect(dying.performed!.steps[2]!.to_ms - dying.performed!.steps[2]!.from_ms).toBe(UNWATCHED_STEP_MS);
    const passive: DrawnScript = { steps: [{ prompt: 'neutral', hold_ms: 3900 }], max_step_ms: 6000 };
    expect(matchesDrawnScript(live(passive, () => 'no look').performed!, passive)).toBe(true);
  });
});

describe('the next step', () => {
  const script = scriptOf('neutral', 'smile', 'turn_left', 'smile', 'neutral');
  const answersAtOnce = (prompt: Prompt | null) => (prompt ? FACES[prompt] : REST);
  const leads = ({ asked, ends }: ReturnType<typeof live>) =>
    asked.map(({ atMs }, i) => ends[i]!.atMs - atMs);

  it('is requested when the answer is seen, one at a time, and shown without a wait on a quick network', () => {
    for (const networkMs of [0, 300]) {
      const taken = live(script, answersAtOnce, { networkMs });
      expect(taken.asked.map(({ count }) => count)).toEqual([2, 3, 4, 5]);
      for (const lead of leads(taken)) expect(lead).toBeLessThanOrEqual(600);
      const lengths = taken.performed!.steps.map(({ from_ms, to_ms }) => to_ms - from_ms);
      for (const length of lengths) expect(length).toBeLessThan(800);
      expect(matchesDrawnScript(taken.performed!, script)).toBe(true);
    }
  });

  it('is requested before the limit of a step that nobody answers', () => {
    const { asked, ends, performed } = live(script, () => REST, { networkMs: 500 });
    expect(matchesDrawnScript(performed!, script)).toBe(true);
    for (const [i, { atMs }] of asked.entries()) expect(ends[i]!.atMs - atMs).toBeLessThanOrEqual(1_550);
  });

  it('is waited for; after a long wait all the others are requested, so that a slow network is felt only once', () => {
    const taken = live(script, answersAtOnce, { networkMs: 2_000 });
    expect(taken.asked.map(({ count }) => count)).toEqual([2, 5]);
    const [first, second, ...rest] = taken.performed!.steps.map(({ from_ms, to_ms }) => to_ms - from_ms);
    expect(first).toBeGreaterThan(1_900);
    for (const length of [...rest]) expect(length).toBeLessThan(second! + 800);
    expect(matchesDrawnScript(taken.performed!, script)).toBe(true);
  });

  it('is never requested ahead where that is not allowed: a network that is too slow is reported', () => {
    const required = { ...script, just_in_time: true as const };
    expect(live(required, answersAtOnce, { networkMs: 2_000 }).asked.map(({ count }) => count)).toEqual([
      2, 3, 4, 5,
    ]);
    expect(live(required, answersAtOnce, { networkMs: 8_000 })).toMatchObject({
      gaveUp: 'connection_slow',
      performed: null,
    });
  });
});

describe('whatever happens', () => {
  it('the server accepts the performed script, or the take is given up', () => {
    const look = fc.record({
      // In tenths of a millisecond, because timers return fractions.
      pauseTenths: fc.integer({ min: 1, max: 9_000 }),
      latencyTenths: fc.integer({ min: 0, max: 15_000 }),
      follows: fc.boolean(),
      looks: fc.boolean(),
    });
    const network = fc.integer({ min: 0, max: 4_000 });
    const level = fc.constantFrom('quick' as const, 'standard' as const, 'high' as const);
    let taken = 0;
    fc.assert(
      fc.property(
        level,
        network,
        fc.boolean(),
        fc.infiniteStream(look),
        (name, networkMs, justInTime, looks) => {
          const script = { ...drawScript(name, PROMPTS), ...(justInTime && { just_in_time: true as const }) };
          const { known, tick } = handedOut(script, networkMs, 1);
          let performed: Script | null = null;
          let late = false;
          let step = 0;
          let nowMs = 0;
          const clock = followScript(known, {
            pointed: () => {},
            stepEnded: (index) => {
              expect(index).toBe(step);
              step += 1;
            },
            ended: (script) => {
              performed = script;
            },
            gaveUp: () => {
              late = true;
            },
          });
          for (const { pauseTenths, latencyTenths, follows, looks: isLook } of looks) {
            nowMs += pauseTenths / 10;
            tick(nowMs);
            clock.tick(nowMs);
            const prompt = promptSteps(script)[step]?.prompt ?? 'neutral';
            if (isLook) clock.saw(follows ? FACES[prompt] : REST, nowMs - latencyTenths / 10, nowMs);
            if (performed || late) break;
          }
          if (performed) taken += 1;
          expect(late || matchesDrawnScript(performed!, script)).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
    expect(taken).toBeGreaterThan(20);
  });
});
