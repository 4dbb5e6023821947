// Guidance of the capture page: from what the Worker saw to a steady hint, and which browser it is.
import { describe, expect, it } from 'vitest';
import { handOverLink } from '../../web/capture/api/device.ts';
import { readTexts } from '../../web/capture/build/messages.ts';
import {
  browserFamily,
  isComputer,
  isInApp,
  outsideAddress,
} from '../../web/capture/camera/browser-family.ts';
import { cameraFault } from '../../web/capture/camera/fault.ts';
import { rankedTypes } from '../../web/capture/camera/mime.ts';
import { sampleState } from '../../web/capture/gallery/sample.ts';
import {
  ALIGNED_MS,
  HINT_HOLD_MS,
  type Hint,
  hintFor,
  type ObservedFace,
  steady,
  unsteady,
} from '../../web/capture/guidance/hint.ts';
import { meanPixels } from '../../web/capture/guidance/luma.ts';
import { OVAL_ASPECT, ovalOf } from '../../web/capture/guidance/oval.ts';
import { consentPlainText, consentText } from '../../web/capture/texts/consent.ts';

const en = readTexts('en');

const oval = ovalOf(640, 480);
const face = (change: Partial<ObservedFace> = {}): ObservedFace => {
  const { width = 190, height = 250 } = change;
  return {
    x: 320 - width / 2,
    y: 240 - height / 2,
    width,
    height,
    yaw: 0,
    pitch: 0,
    lowerFaceShift: 0,
    measures: null,
    upperFace: null,
    ...change,
  };
};
const see = (faces: ObservedFace[], luma = 120, colour = 40): Hint => hintFor({ faces, luma, colour }, oval);
/** A picture of one colour. */
const plain = (...rgb: readonly [number, number, number]) => ({
  width: 8,
  height: 6,
  data: Uint8ClampedArray.from({ length: 8 * 6 * 4 }, (_, at) => rgb[at % 4] ?? 255),
});

describe('oval', () => {
  it.each([
    [640, 480],
    [480, 640],
    [1280, 720],
    [960, 720],
    [720, 1280],
  ])('lies within a %i×%i frame, upright and centred', (width, height) => {
    const lies = ovalOf(width, height);
    expect(lies.width / lies.height).toBeCloseTo(OVAL_ASPECT);
    expect(lies.width).toBeLessThanOrEqual(width);
    expect(lies.height).toBeLessThanOrEqual(height);
    expect([lies.centreX, lies.centreY]).toEqual([width / 2, height / 2]);
  });
});

describe('hint', () => {
  it('names one thing to do', () => {
    expect(see([face()])).toBe('ok');
    expect(see([])).toBe('no_face');
    expect(see([], 12)).toBe('too_dark');
    expect(see([face({ height: 120, width: 90 })])).toBe('too_far');
    expect(see([face({ height: 450, width: 340 })])).toBe('too_close');
    expect(see([face({ x: 20 })])).toBe('off_centre');
    expect(see([face({ y: 10 })])).toBe('off_centre');
    expect(see([face()], 20)).toBe('too_dark');
    expect(see([face()], 250)).toBe('too_bright');
    expect(see([face({ yaw: 40 })])).toBe('look_ahead');
    expect(see([face(), face({ x: 20, height: 240 })])).toBe('several_faces');
    expect(see([face({ lowerFaceShift: 0.16 })])).toBe('covered');
    expect(see([face({ lowerFaceShift: 0.16, yaw: 40 })])).toBe('look_ahead');
  });

  it('says that the camera sees no colour only of a face that is in place, and seen well', () => {
    expect(see([face()], 120, 0)).toBe('no_colour');
    expect(see([face()], 120, 18)).toBe('ok');
    expect(see([], 120, 0)).toBe('no_face');
    expect(see([face()], 20, 0)).toBe('too_dark');
    expect(see([face({ yaw: 40 })], 120, 0)).toBe('look_ahead');
  });

  it('measures light, and colour by how far apart red, green and blue are', () => {
    const box = { x: 1, y: 1, width: 5, height: 4 };
    expect(meanPixels(plain(90, 90, 90), box, 1)).toEqual({ luma: expect.closeTo(90), colour: 0 });
    expect(meanPixels(plain(91, 90, 92), box, 2).colour).toBe(2);
    expect(meanPixels(plain(180, 140, 120), box, 1).colour).toBe(60);
    expect(meanPixels(plain(90, 90, 90), { ...box, x: 20 }, 1)).toEqual({ luma: 0, colour: 0 });
  });

  it('ignores a small face far behind', () => {
    expect(see([face({ x: 20, height: 60, width: 45 }), face()])).toBe('ok');
  });

  it('changes only once it has held, and aligns only after a while in place', () => {
    let memory = steady(unsteady, 'too_far', 0).memory;
    expect(memory.shown).toBe('too_far');
    memory = steady(memory, 'ok', 100).memory;
    expect(memory.shown).toBe('too_far');
    const held = steady(memory, 'ok', 100 + HINT_HOLD_MS);
    expect(held).toMatchObject({ memory: { shown: 'ok' }, aligned: false });
    expect(steady(held.memory, 'ok', 100 + ALIGNED_MS).aligned).toBe(true);
    const grey = steady(steady(unsteady, 'no_colour', 0).memory, 'no_colour', ALIGNED_MS);
    expect(grey.aligned).toBe(true);
    const slip = steady(held.memory, 'off_centre', 500);
    expect(steady(slip.memory, 'ok', 100 + ALIGNED_MS).aligned).toBe(false);
  });
});

describe('camera', () => {
  it('tries vp9 first, and H.264 before it where hardware encodes that', async () => {
    const ranked = (isSupported: (type: string) => boolean, efficient = false) =>
      rankedTypes({ isSupported, isEfficient: async () => efficient });
    const h264 = 'video/mp4;codecs=avc1.42E01E';
    expect((await ranked(() => true)).slice(0, 2)).toEqual(['video/webm;codecs=vp9', h264]);
    expect((await ranked(() => true, true)).slice(0, 2)).toEqual([h264, 'video/webm;codecs=vp9']);
    expect(await ranked((type) => type.includes('vp8'), true)).toEqual(['video/webm;codecs=vp8']);
    expect((await ranked((type) => type.startsWith('video/mp4')))[0]).toBe(h264);
    expect(await ranked(() => false)).toEqual([]);
  });

  it('distinguishes refused, absent and busy cameras', () => {
    expect(cameraFault('NotAllowedError')).toBe('denied');
    expect(cameraFault('NotFoundError')).toBe('missing');
    expect(cameraFault('NotReadableError')).toBe('busy');
    expect(cameraFault('AbortError')).toBe('busy');
  });

  const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15';
  const android = 'Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36';
  const mac =
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.0 Safari/605.1.15';
  it.each([
    [`${iphone} Version/19.0 Mobile/15E148 Safari/604.1`, 5, 'ios_safari', false, false],
    [`${iphone} CriOS/140 Mobile/15E148 Safari/604.1`, 5, 'ios_other', false, false],
    [`${iphone} Mobile/15E148 Instagram 400.0`, 5, 'ios_safari', false, true],
    [`${iphone} Mobile/15E148`, 5, 'ios_safari', false, true],
    [mac, 0, 'safari', true, false],
    [mac, 5, 'ios_safari', false, false],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 0, 'firefox', true, false],
    [`${android} Chrome/156.0 Mobile Safari/537.36`, 5, 'android_chrome', false, false],
    [
      `${android} Version/4.0 Chrome/156.0 Mobile Safari/537.36 [FB_IAB/FB4A]`,
      5,
      'android_chrome',
      false,
      true,
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/156.0 Safari/537.36',
      0,
      'chromium',
      true,
      false,
    ],
  ] as const)('knows the browser: %s', (userAgent, maxTouchPoints, family, computer, inApp) => {
    const traits = { userAgent, maxTouchPoints };
    expect(browserFamily(traits)).toBe(family);
    expect(isComputer(traits)).toBe(computer);
    expect(isInApp(traits)).toBe(inApp);
  });

  it('leads out of an app’s own browser, keeping the hand-over in the fragment', () => {
    const link = 'https://check.example/c/abc?lang=de#d=token';
    const ofAndroid = { userAgent: `${android} Chrome/156.0 Mobile; wv)`, maxTouchPoints: 5 };
    expect(outsideAddress(link, ofAndroid)).toBe(
      'intent://check.example/c/abc?lang=de#d=token#Intent;scheme=https;end',
    );
    expect(outsideAddress(link, { userAgent: iphone, maxTouchPoints: 5 })).toBe(
      'x-safari-https://check.example/c/abc?lang=de#d=token',
    );
  });
});

describe('the link for another device', () => {
  it('carries the language that this one was opened with, and nothing else', () => {
    const url = 'https://check.example/c/abc';
    expect(handOverLink(url, '', 'token', 'phone')).toBe(`${url}#d=token&f=phone`);
    expect(handOverLink(url, '?lang=ar&utm=1', 'token', 'phone')).toBe(`${url}?lang=ar#d=token&f=phone`);
    expect(handOverLink(url, '?lang=a%26b%23', 'token', null)).toBe(`${url}?lang=a%26b%23#d=token`);
    expect(handOverLink(url, '?lang=ar', null, 'phone')).toBe(`${url}?lang=ar#f=phone`);
  });
});

describe('consent text', () => {
  it('states the account, the purpose, the retention and that a computer judges, and is hashed as shown', () => {
    const challenge = sampleState();
    const plain = consentPlainText(consentText(en, challenge));
    expect(plain).toContain('Harbour Bank');
    expect(plain).toContain('opening your account');
    expect(plain).toContain('30 days');
    expect(plain).toContain('A computer checks');
    const boxed = { ...challenge, consent: { ...challenge.consent, show_checkbox: true } };
    expect(consentPlainText(consentText(en, boxed)).startsWith(plain)).toBe(true);
    expect(consentPlainText(consentText(en, boxed)).length).toBeGreaterThan(plain.length);
  });
});
