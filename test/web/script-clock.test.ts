// The script as the page plays it: when a step ends, what counts as its answer, and that the server accepts every
// script that results.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawScript } from '../../src/challenge/capturing/draw-script.ts';
import { matchesDrawnScript } from '../../src/challenge/capturing/performed-script.ts';
import type { AnswerMeasures } from '../../src/contract/answer-measures.ts';
import { LANDMARK_COUNT } from '../../src/contract/face-landmarks.ts';
import { restingFaceOf, UPPER_FACE } from '../../src/contract/head-direction.ts';
import { type Asked, type DrawnScript, PROMPT_NAMES, type Script } from '../../src/contract/script.ts';
import {
  AMOUNT_NAMES,
  AMOUNTS,
  type Direction,
  dotOf,
  isOnTarget,
  type Target,
  TOLERANCE_DEG,
  turnOf,
} from '../../src/contract/target.ts';
import type { ObservedFace } from '../../src/evaluation/face/observation.ts';
import { EXPRESSION_ROWS } from '../../src/evaluation/liveness/prompts.ts';
import { followScript, TAIL_MS, UNWATCHED_STEP_MS } from '../../web/capture/camera/script-clock.ts';
import { KnownScript } from '../../web/capture/flow/known-script.ts';
import type { Aim } from '../../web/capture/guidance/aim.ts';
import { isAnswer, type LookedAt, neutralOf } from '../../web/capture/guidance/answers.ts';
import { Head } from '../../web/capture/guidance/head.ts';
import type { SeenFace } from '../../web/capture/guidance/hint.ts';
import { seenFace } from './support/head.ts';

const AHEAD: Direction = { x: 0, y: 0 };
const REST: AnswerMeasures = { yaw: 0.04, mouthWidth: 0.8, cornersBelowEyes: 1.2, cornersBelowNose: 0.5 };
const SMILE: AnswerMeasures = { yaw: 0.02, mouthWidth: 0.98, cornersBelowEyes: 1.13, cornersBelowNose: 0.43 };
const SHOUT: AnswerMeasures = { yaw: 0.02, mouthWidth: 1.1, cornersBelowEyes: 1.25, cornersBelowNose: 0.55 };

const at = (angle_deg: number, amount: Target['amount'] = 'far'): Asked => ({
  prompt: 'target',
  angle_deg,
  amount,
});
const [LEFT, UP, RIGHT] = [at(0), at(90, 'near'), at(180)];
const NEUTRAL: Asked = { prompt: 'neutral' };
const SMILING: Asked = { prompt: 'smile' };

/** Where the head of a person looks who answers. */
const aimOf = (asked: Asked) => (asked.prompt === 'target' ? dotOf(asked) : AHEAD);
const turned = ({ x, y }: Direction, measures = REST): SeenFace =>
  seenFace({ ...measures, yaw: measures.yaw + 0.02 * x }, { x, y });
const answerTo = (asked: Asked): SeenFace => turned(aimOf(asked), asked.prompt === 'smile' ? SMILE : REST);
const RESTING = turned(AHEAD);

const scriptOf = (...asked: Asked[]): DrawnScript => ({
  steps: asked.map((each) => ({ ...each, hold_ms: 500 })),
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
  faceAt: (asked: Asked | null, sinceMs: number) => SeenFace | null | 'no look',
  { latencyMs = 60, networkMs = 0, triesLeft = 0 } = {},
) {
  const ends: { atMs: number; answered: boolean }[] = [];
  const aims: Aim[] = [];
  let performed: Script | null = null;
  let gaveUp: string | null = null;
  const { known, asked, tick } = handedOut(script, networkMs, triesLeft);
  const clock = followScript(known, {
    aimed: (aim) => aims.push(aim),
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
    const face = faceAt(script.steps[ends.length] ?? null, pictureMs - (ends.at(-1)?.atMs ?? 0));
    if (nowMs % 100 === 0 && face !== 'no look') clock.saw(face, pictureMs, nowMs);
  }
  return {
    ends,
    aims,
    gaveUp: gaveUp as string | null,
    asked,
    endedMs: nowMs,
    performed: performed as Script | null,
  };
}

/** What one look says of a person who rested before. */
function look(face: SeenFace): LookedAt {
  const head = new Head();
  head.rest([RESTING.upperFace]);
  return { measures: face.measures, heading: head.heading(face.upperFace, 0) };
}

const measure = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const anyFace: fc.Arbitrary<AnswerMeasures> = fc.record({
  yaw: measure(-1, 1),
  mouthWidth: measure(0.5, 1.3),
  cornersBelowEyes: measure(0.9, 1.5),
  cornersBelowNose: measure(0.3, 0.8),
});
const anywhere: fc.Arbitrary<Direction> = fc.record({ x: measure(-30, 30), y: measure(-25, 25) });

/** Whether the judgement takes the face for the answer, as far as its mesh can tell: the smile is as happy as can be. */
function isJudgedAnswer(asked: Asked, face: SeenFace, direction: Direction): boolean {
  if (asked.prompt === 'target') return isOnTarget(direction, asked);
  const rest = { measures: REST, head: restingFaceOf([RESTING.upperFace])! };
  const landmarks = new Float32Array(LANDMARK_COUNT * 3);
  for (const [i, index] of UPPER_FACE.entries())
    landmarks.set(face.upperFace.subarray(i * 3, i * 3 + 3), index * 3);
  const judged = { ...face.measures, landmarks, happy: asked.prompt === 'smile' ? 1 : 0 } as ObservedFace;
  return EXPRESSION_ROWS[asked.prompt].strength(judged, rest) >= 1;
}

describe('an answer', () => {
  const all = [NEUTRAL, SMILING, LEFT, RIGHT, UP, at(90), at(225), at(315, 'near')];

  it.each(all)('to $prompt $angle_deg $amount is that movement and no other', (asked) => {
    const answers = all.filter((shown) => isAnswer(asked, look(answerTo(shown)), REST));
    expect(answers).toEqual([asked]);
    if (asked.prompt !== 'target') expect(isAnswer(asked, look(turned(AHEAD, SHOUT)), REST)).toBe(false);
  });

  it('cannot be a smile or a turn while the person’s face at rest is not known', () => {
    const unknown = (asked: Asked) => ({ ...look(answerTo(asked)), heading: null });
    expect(all.filter((asked) => isAnswer(asked, unknown(asked), null))).toEqual([NEUTRAL]);
  });

  it('to a target is given by a head that is tilted, but not by one that lies on its shoulder', () => {
    for (const [rollDeg, counts] of [
      [15, true],
      [-15, true],
      [30, false],
    ] as const) {
      const tilted = seenFace(REST, aimOf(UP), rollDeg);
      expect(isAnswer(UP, look(tilted), REST), String(rollDeg)).toBe(counts);
    }
  });

  it('also counts as one in the judgement, whatever the face measures', () => {
    fc.assert(
      fc.property(fc.constantFrom(...all), anyFace, anywhere, (asked, measures, direction) => {
        const face = seenFace(measures, direction);
        if (isAnswer(asked, look(face), REST)) expect(isJudgedAnswer(asked, face, direction)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is measured from the median face at rest', () => {
    const yawed = (yaw: number) => ({ ...REST, yaw });
    expect(neutralOf([])).toBeNull();
    expect(neutralOf([REST, yawed(0.1), yawed(0.9)])).toEqual(yawed(0.1));
  });
});

describe('a step', () => {
  const script = scriptOf(NEUTRAL, SMILING, LEFT);

  it.each([300, 900, 1500, 2500])('ends once its answer, %i ms late, has been held', (delayMs) => {
    const { ends, performed } = live(script, (asked, sinceMs) =>
      asked && sinceMs >= delayMs ? answerTo(asked) : RESTING,
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

  it('waits for an answer that is held, and does not accept glimpses of one', () => {
    const { ends } = live(script, (asked, sinceMs) => {
      // The answer is gone in one look of five.
      return asked && (asked.prompt === 'neutral' || Math.floor(sinceMs / 100) % 5 !== 0)
        ? answerTo(asked)
        : RESTING;
    });
    expect(ends.map(({ answered }) => answered)).toEqual([true, false, false]);
  });

  it('ends at its limit without an answer, and accepts no other movement as one', () => {
    const others: Record<Asked['prompt'], Asked> = { neutral: NEUTRAL, smile: RIGHT, target: SMILING };
    const turning = scriptOf(NEUTRAL, LEFT, SMILING);
    const { ends, performed } = live(turning, (asked) => answerTo(asked ? others[asked.prompt] : NEUTRAL));
    expect(ends.map(({ answered }) => answered)).toEqual([true, false, false]);
    expect(performed!.steps[1]!.to_ms - performed!.steps[1]!.from_ms).toBe(6000);
    expect(matchesDrawnScript(performed!, turning)).toBe(true);
  });

  it('ends the take at its limit if nothing like it was seen and the person may try again', () => {
    const still = live(script, () => RESTING, { triesLeft: 1 });
    expect(still).toMatchObject({ gaveUp: 'smile_missing', performed: null });
    expect(still.endedMs).toBeLessThan(8_000);
    const turning = scriptOf(NEUTRAL, LEFT, SMILING);
    const wrong = (shown: Asked) =>
      live(turning, (asked) => answerTo(asked?.prompt === 'target' ? shown : NEUTRAL), { triesLeft: 1 });
    for (const shown of [SMILING, RIGHT, at(90)]) expect(wrong(shown).gaveUp).toBe('target_missing');
  });

  it('does not end the take if most of it was seen, if nobody watched, or in the last try', () => {
    const short = live(
      scriptOf(NEUTRAL, LEFT, NEUTRAL, RIGHT),
      (asked) => turned({ x: 0.65 * aimOf(asked ?? NEUTRAL).x, y: 0 }),
      { triesLeft: 2 },
    );
    const seenLittle = live(script, (_, sinceMs) => (sinceMs % 1000 < 100 ? RESTING : null), {
      triesLeft: 2,
    });
    const unwatched = live(script, () => 'no look', { triesLeft: 2 });
    const last = live(script, () => RESTING, { triesLeft: 0 });
    for (const { gaveUp, performed } of [short, seenLittle, unwatched, last]) {
      expect(gaveUp).toBeNull();
      expect(performed).not.toBeNull();
    }
  });

  it('does not end a take in which the judgement sees the answer in a single look', () => {
    const smiles = anyFace.map((measures) => ({ asked: SMILING, measures, direction: AHEAD }));
    const turns = fc
      .tuple(
        fc.integer({ min: 0, max: 359 }),
        fc.constantFrom(...AMOUNT_NAMES),
        measure(0, 1),
        measure(-1, 1),
      )
      .map(([angle_deg, amount, share, error]) => {
        const { least, most } = AMOUNTS[amount];
        const [turn, angle] = [least + share * (most - least), angle_deg + error * TOLERANCE_DEG];
        const radians = (angle * Math.PI) / 180;
        const direction = { x: turn * Math.cos(radians), y: turn * Math.sin(radians) };
        return { asked: at(angle_deg, amount), measures: REST, direction };
      });
    fc.assert(
      fc.property(fc.oneof(smiles, turns), ({ asked, measures, direction }) => {
        const face = seenFace(measures, direction);
        fc.pre(isJudgedAnswer(asked, face, direction));
        const answered = live(
          scriptOf(NEUTRAL, asked),
          (asking, sinceMs) =>
            asking?.prompt === asked.prompt && sinceMs >= 3_000 && sinceMs < 3_100 ? face : RESTING,
          { triesLeft: 1 },
        );
        expect(answered.gaveUp).toBeNull();
      }),
      { numRuns: 300 },
    );
  });

  it('of rest ends only when the head is back', () => {
    const back = scriptOf(NEUTRAL, SMILING, NEUTRAL);
    let isFirst = true;
    const { ends } = live(back, (asked, sinceMs) => {
      if (asked?.prompt === 'smile') isFirst = false;
      return isFirst || asked?.prompt === 'smile' || sinceMs >= 1_000
        ? answerTo(asked ?? NEUTRAL)
        : turned({ x: 8, y: 0 });
    });
    expect(ends.map(({ answered }) => answered)).toEqual([true, true, true]);
    expect(ends[2]!.atMs - ends[1]!.atMs).toBeGreaterThan(1_400);
  });

  it('is not answered by a picture from before its prompt', () => {
    const clock = followScript(handedOut(scriptOf(NEUTRAL), 0).known, {
      aimed: () => {},
      stepEnded: () => expect.fail('answered'),
      ended: () => {},
      gaveUp: () => {},
    });
    clock.saw(RESTING, -300, 10);
    clock.saw(RESTING, 250, 300);
  });

  it('has a fixed length without guidance, even if guidance stops in the middle', () => {
    const unwatched = live(script, () => 'no look');
    const lengths = unwatched.performed!.steps.map(({ from_ms, to_ms }) => to_ms - from_ms);
    expect(lengths).toEqual([UNWATCHED_STEP_MS, UNWATCHED_STEP_MS, UNWATCHED_STEP_MS]);
    expect(unwatched.endedMs - unwatched.performed!.steps[2]!.to_ms).toBeLessThan(TAIL_MS + 100);
    const dying = live(script, (asked) => (asked?.prompt === 'neutral' ? RESTING : 'no look'));
    expect(dying.ends.map(({ answered }) => answered)).toEqual([true, false, false]);
    expect(dying.performed!.steps[2]!.to_ms - dying.performed!.steps[2]!.from_ms).toBe(UNWATCHED_STEP_MS);
    const passive: DrawnScript = { steps: [{ prompt: 'neutral', hold_ms: 3900 }], max_step_ms: 6000 };
    expect(matchesDrawnScript(live(passive, () => 'no look').performed!, passive)).toBe(true);
  });
});

describe('a target', () => {
  const script = scriptOf(NEUTRAL, LEFT);

  it.each([0, 45, 90, 135, 180, 225, 270, 315])('at %i° is answered by its dot alone', (angle) => {
    for (const amount of ['near', 'far'] as const) {
      const target = at(angle, amount);
      const one = scriptOf(NEUTRAL, target);
      const other = at((angle + 90) % 360, amount);
      const further = at(angle, amount === 'near' ? 'far' : 'near');
      const shows = (shown: Asked) =>
        live(one, (asked) => answerTo(asked?.prompt === 'target' ? shown : NEUTRAL)).ends[1]!.answered;
      expect([target, other, further].map(shows)).toEqual([true, false, false]);
    }
  });

  it('is measured from where the head was just before its dot appeared', () => {
    // Within what counts as rest, but without this the aim would fall short.
    const offset = { x: -4, y: 3 };
    const wandered = ({ x, y }: Direction) => turned({ x: x + offset.x, y: y + offset.y });
    const back = scriptOf(NEUTRAL, SMILING, NEUTRAL, UP);
    let isFirst = true;
    const { ends, aims } = live(back, (asked, sinceMs) => {
      if (asked?.prompt === 'smile') {
        isFirst = false;
        return answerTo(asked);
      }
      if (asked?.prompt === 'target') return sinceMs > 700 ? wandered(aimOf(asked)) : wandered(AHEAD);
      return isFirst ? RESTING : wandered(AHEAD);
    });
    expect(ends.map(({ answered }) => answered)).toEqual([true, true, true, true]);
    const pointed = aims.flatMap(({ at }) => at ?? []);
    expect(pointed[0]!.x).toBeCloseTo(0, 3);
    expect(pointed.at(-1)!.y).toBeCloseTo(aimOf(UP).y, 3);
  });

  it('counts nothing that was seen sooner than anybody turns', () => {
    const { aims } = live(script, (asked) => answerTo(asked ?? NEUTRAL));
    expect(aims[0]).toMatchObject({ held: 0 });
    expect(aims.at(-1)).toMatchObject({ held: 1, advice: null });
  });

  const aimsOf = (target: Asked, face: (sinceMs: number) => SeenFace) =>
    live(scriptOf(NEUTRAL, target), (asked, sinceMs) =>
      asked?.prompt === 'target' ? face(sinceMs) : RESTING,
    ).aims;

  it('advises who turns the right way, but not to the dot', () => {
    const advised = (target: Asked, face: () => SeenFace) => [
      ...new Set(aimsOf(target, face).map(({ advice }) => advice)),
    ];
    const near = at(0, 'near');
    expect(advised(LEFT, () => turned(aimOf(near)))).toEqual([null, 'further']);
    expect(advised(near, () => turned(aimOf(LEFT)))).toEqual([null, 'not_so_far']);
    expect(advised(LEFT, () => turned(aimOf(RIGHT)))).toEqual([null]);
    expect(advised(LEFT, () => RESTING)).toEqual([null]);
  });

  it('tells who smiles beside the middle to look ahead, and waits', () => {
    const smiling = scriptOf(NEUTRAL, at(90, 'near'), SMILING);
    const beside = (back: Direction) =>
      live(smiling, (asked, sinceMs) => {
        if (asked?.prompt !== 'smile') return answerTo(asked ?? NEUTRAL);
        return turned(sinceMs < 2_500 ? aimOf(at(90, 'near')) : back, SMILE);
      });
    const { ends, aims } = beside(AHEAD);
    expect([...new Set(aims.map(({ advice }) => advice))]).toEqual([null, 'look_ahead']);
    expect(ends.map(({ answered }) => answered)).toEqual([true, true, true]);
    expect(ends[2]!.atMs - ends[1]!.atMs).toBeGreaterThan(3_000);
    expect(beside({ x: 0, y: 9 }).ends.map(({ answered }) => answered)).toEqual([true, true, false]);
  });

  it.each([
    { how: 'shifts', byPx: 80, rollDeg: 0 },
    { how: 'leans', byPx: 30, rollDeg: 18 },
  ])('keeps the pointer still for a head that $how instead of turning, and says so', ({ byPx, rollDeg }) => {
    const moved = { ...seenFace(REST, AHEAD, rollDeg), x: RESTING.x + byPx };
    // Also where a slow device sees it next when it has moved.
    for (const movedAtMs of [500, 0]) {
      const aims = aimsOf(LEFT, (sinceMs) => (sinceMs < movedAtMs ? RESTING : moved));
      expect([...new Set(aims.map(({ advice }) => advice))]).toEqual([null, 'turn_instead']);
      for (const { at } of aims) expect(turnOf(at!)).toBeLessThan(0.01);
    }
  });
});

describe('the next step', () => {
  const script = scriptOf(NEUTRAL, SMILING, LEFT, SMILING, NEUTRAL);
  const answersAtOnce = (asked: Asked | null) => answerTo(asked ?? NEUTRAL);
  const leads = ({ asked, ends }: ReturnType<typeof live>) =>
    asked.map(({ atMs }, i) => ends[i]!.atMs - atMs);

  it('is requested when the answer is seen, one at a time, and shown without a wait on a quick network', () => {
    for (const networkMs of [0, 300]) {
      const taken = live(script, answersAtOnce, { networkMs });
      expect(taken.asked.map(({ count }) => count)).toEqual([2, 3, 4, 5]);
      for (const lead of leads(taken)) expect(lead).toBeLessThanOrEqual(600);
      const lengths = taken.performed!.steps.map(({ from_ms, to_ms }) => to_ms - from_ms);
      for (const length of lengths) expect(length).toBeLessThanOrEqual(850);
      expect(matchesDrawnScript(taken.performed!, script)).toBe(true);
    }
  });

  it('is requested before the limit of a step that nobody answers', () => {
    const { asked, ends, performed } = live(script, () => RESTING, { networkMs: 500 });
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
          const script = {
            ...drawScript(name, PROMPT_NAMES),
            ...(justInTime && { just_in_time: true as const }),
          };
          const { known, tick } = handedOut(script, networkMs, 1);
          let performed: Script | null = null;
          let late = false;
          let step = 0;
          let nowMs = 0;
          const clock = followScript(known, {
            aimed: () => {},
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
            const asked = script.steps[step] ?? NEUTRAL;
            if (isLook) clock.saw(follows ? answerTo(asked) : RESTING, nowMs - latencyTenths / 10, nowMs);
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
