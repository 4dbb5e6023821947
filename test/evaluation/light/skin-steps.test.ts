// How the light on the skin is read from pixels: red against blue, whatever the brightness, and if a part is covered.
import { describe, expect, it } from 'vitest';
import { readSkin, skinSteps } from '../../../src/evaluation/light/skin-steps.ts';
import type { Frame } from '../../../src/evaluation/video/frame.ts';
import { neutralFace } from '../liveness/evidence.ts';

const [WIDTH, HEIGHT] = [400, 400];

/** A uniform picture of this colour, black on the left up to `coveredTo`. */
function frame(timeMs: number, colour: readonly [number, number, number], coveredTo = 0): Frame {
  const rgb = new Uint8Array(WIDTH * HEIGHT * 3);
  for (let i = 0; i < WIDTH * HEIGHT; i++) if (i % WIDTH >= coveredTo) rgb.set(colour, i * 3);
  return { timeMs, width: WIDTH, height: HEIGHT, rgb };
}

const seen = (each: Frame) => ({ timeMs: each.timeMs, skin: readSkin(each, neutralFace()) });
const read = (...frames: Frame[]) => skinSteps(frames.map(seen));

describe('steps of the light on the skin', () => {
  it('grow where red grows against blue, by the logarithm of linear light', () => {
    const [step] = read(frame(0, [150, 110, 90]), frame(83, [152, 110, 88]));
    const linear = (byte: number) => ((byte / 255 + 0.055) / 1.055) ** 2.4;
    expect(step).toMatchObject({ fromMs: 0, toMs: 83 });
    expect(step!.change).toBeCloseTo(Math.log(linear(152) / linear(150) / (linear(88) / linear(90))), 6);
  });

  it('hardly change with the brightness', () => {
    // Half of the light, rounded to whole levels.
    const halved = [180, 140, 110].map((byte) =>
      Math.round(((byte / 255 + 0.055) * 0.5 ** (1 / 2.4) - 0.055) * 255),
    );
    const [step] = read(frame(0, [180, 140, 110]), frame(83, halved as [number, number, number]));
    expect(Math.abs(step!.change)).toBeLessThan(0.02);
  });

  it('are those of the visible part; if less than half is visible there are none', () => {
    expect(read(frame(0, [150, 110, 90]), frame(83, [150, 110, 90], 180))).toEqual([
      { fromMs: 0, toMs: 83, change: 0 },
    ]);
    expect(read(frame(0, [150, 110, 90]), frame(83, [150, 110, 90], 320))).toEqual([]);
    expect(read(frame(0, [255, 255, 255]), frame(83, [255, 255, 255]))).toEqual([]);
  });

  it('do not span a lost face or a long gap', () => {
    const [first, , third, late] = [0, 83, 166, 600].map((timeMs) => seen(frame(timeMs, [150, 110, 90])));
    expect(skinSteps([first!, { timeMs: 83, skin: null }, third!, late!])).toEqual([]);
    expect(skinSteps([first!, third!])).toHaveLength(1);
  });
});
