// Turns that are all seen to the other side are those of a camera that mirrors; anything else is as before.
import { describe, expect, it } from 'vitest';
import type { Prompt, Script } from '../../../src/contract/script.ts';
import type { ObservedFace } from '../../../src/evaluation/face/observation.ts';
import type { CaptureEvidence } from '../../../src/evaluation/liveness/evidence.ts';
import { asSeen, mirror } from '../../../src/evaluation/liveness/mirror.ts';
import { evidence, observe, SMILE } from './evidence.ts';

const FACES: Readonly<Record<Prompt, Partial<ObservedFace>>> = {
  neutral: {},
  smile: SMILE,
  turn_left: { yaw: 0.5 },
  turn_right: { yaw: -0.5 },
};
const STEP_MS = 1600;
const scriptOf = (...prompts: Prompt[]): Script => ({
  steps: prompts.map((prompt, i) => ({ prompt, from_ms: i * STEP_MS, to_ms: (i + 1) * STEP_MS })),
});
/** Shows a face in each step of the script; `way`, if any, stays in the script. */
const seeing = (script: Script, ...shown: Prompt[]) =>
  evidence({
    script,
    observations: observe(shown.length * STEP_MS, (timeMs) => FACES[shown[Math.floor(timeMs / STEP_MS)]!]),
  });
const seenOf = (given: CaptureEvidence) => asSeen(given.script, mirror.run(given));
const promptsOf = (script: Script | null) => script?.steps.map(({ prompt }) => prompt);

describe('a script', () => {
  const asked = scriptOf('neutral', 'turn_left', 'smile', 'turn_right');

  it('is read the other way round if every turn was made to the other side', () => {
    const given = seeing({ ...asked, way: 'without_smile' }, 'neutral', 'turn_right', 'smile', 'turn_left');
    expect(promptsOf(seenOf(given))).toEqual(['neutral', 'turn_right', 'smile', 'turn_left']);
    expect(seenOf(given)).toMatchObject({ way: 'without_smile' });
    expect(mirror.run(given)).toMatchObject({ status: 'failed', value: 1, reason: 'camera_mirrored' });
  });

  it.each<[string, Prompt[]]>([
    ['every turn was made as asked', ['neutral', 'turn_left', 'smile', 'turn_right']],
    ['one turn was made as asked, and one to the other side', ['neutral', 'turn_left', 'smile', 'turn_left']],
    [
      'one turn was made to the other side, and one not at all',
      ['neutral', 'turn_right', 'smile', 'neutral'],
    ],
    ['no turn was made', ['neutral', 'neutral', 'smile', 'neutral']],
  ])('is read as it was drawn if %s', (_, shown) => {
    const given = seeing(asked, ...shown);
    expect(seenOf(given)).toBe(given.script);
    expect(mirror.run(given)).toMatchObject({ status: 'passed', value: 0 });
  });

  it('without turns is the same in a mirror', () => {
    const given = seeing(scriptOf('neutral', 'smile'), 'neutral', 'neutral');
    expect(seenOf(given)).toBe(given.script);
    expect(seenOf(evidence({ script: null }))).toBeNull();
    expect(mirror.run(evidence({ script: null }))).toMatchObject({ reason: 'no_script' });
  });
});
