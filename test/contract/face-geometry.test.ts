// Signs and ranges of pose, mouth and eye measures, on a hand-made mesh.
import { expect, test } from 'vitest';
import { measureFace } from '../../src/contract/face-geometry.ts';
import { LEFT_EYE, RIGHT_EYE } from '../../src/contract/face-landmarks.ts';

/** A frontal face: eyes at (100, 100) and (160, 100), nose tip at (130, 130), mouth at y = 150. */
function frontalFace(): Float32Array {
  const landmarks = new Float32Array(468 * 3);
  const put = (index: number, x: number, y: number) => landmarks.set([x, y, 0], index * 3);
  for (const [eye, x] of [
    [RIGHT_EYE, 100],
    [LEFT_EYE, 160],
  ] as const) {
    for (const index of eye.contour) put(index, x, 100);
    const outward = x === 100 ? -12 : 12;
    put(eye.outer, x + outward, 100);
    put(eye.inner, x - outward, 100);
    for (const index of eye.upper) put(index, x, 96);
    for (const index of eye.lower) put(index, x, 104);
  }
  put(1, 130, 130);
  put(234, 70, 110);
  put(454, 190, 110);
  put(61, 106, 150);
  put(291, 154, 150);
  put(13, 130, 150);
  put(14, 130, 150);
  return landmarks;
}

function moved(index: number, dx: number, dy: number): Float32Array {
  const landmarks = frontalFace();
  landmarks[index * 3]! += dx;
  landmarks[index * 3 + 1]! += dy;
  return landmarks;
}

test('a frontal face has no yaw, pitch or roll', () => {
  const face = measureFace(frontalFace());
  expect(face.yaw).toBeCloseTo(0, 5);
  expect(face.pitch).toBeCloseTo(0, 5);
  expect(face.roll).toBeCloseTo(0, 5);
  expect(face.eyeDistancePx).toBeCloseTo(60, 4);
  expect(face.eyesOpen).toBeCloseTo(8 / 24, 5);
  expect(face.mouthOpen).toBe(0);
});

test('yaw is positive when the nose approaches the person’s left side, which is on the right of an unmirrored picture', () => {
  expect(measureFace(moved(1, 30, 0)).yaw).toBeCloseTo(0.5, 5);
  expect(measureFace(moved(1, -30, 0)).yaw).toBeCloseTo(-0.5, 5);
  expect(measureFace(moved(1, 500, 0)).yaw).toBe(1);
});

test('pitch is positive when the nose approaches the eyes', () => {
  expect(measureFace(moved(1, 0, -10)).pitch).toBeCloseTo(0.4, 5);
  expect(measureFace(moved(1, 0, 10)).pitch).toBeCloseTo(-0.4, 5);
});

test('a tilted picture changes roll only', () => {
  const upright = measureFace(moved(1, 10, -5));
  const landmarks = moved(1, 10, -5);
  for (let i = 0; i < landmarks.length; i += 3) {
    const x = landmarks[i]!;
    const y = landmarks[i + 1]!;
    landmarks[i] = Math.cos(0.3) * x - Math.sin(0.3) * y;
    landmarks[i + 1] = Math.sin(0.3) * x + Math.cos(0.3) * y;
  }
  const tilted = measureFace(landmarks);
  expect(tilted.roll).toBeCloseTo(0.3, 4);
  expect(tilted.yaw).toBeCloseTo(upright.yaw, 4);
  expect(tilted.pitch).toBeCloseTo(upright.pitch, 4);
  expect(tilted.mouthWidth).toBeCloseTo(upright.mouthWidth, 4);
});

test('a mesh without extent gives zeros, not NaN', () => {
  const face = measureFace(new Float32Array(468 * 3));
  expect(face.yaw).toBe(0);
  expect(face.pitch).toBe(0);
});
