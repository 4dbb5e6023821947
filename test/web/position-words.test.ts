// What the camera screen says from a face in place to its recording: to hold still once, whichever way leads there.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readTexts } from '../../web/capture/build/messages.ts';
import type { Screen } from '../../web/capture/flow/screens.ts';
import { createAnnouncer, type Urgency } from '../../web/capture/view/announcer.ts';
import { createCue } from '../../web/capture/view/cue.ts';
import { createPositionWords } from '../../web/capture/view/position-words.ts';

type Hint = Extract<Screen, { name: 'position' }>['hint'];

const texts = readTexts('en');
const { hints, preparing } = texts.stage;

/** As much of an element as a sentence needs. */
const element = () => ({
  textContent: '',
  dataset: {},
  setAttribute: () => {},
  append(...children: unknown[]) {
    this.textContent += children.filter((child) => typeof child === 'string').join('');
  },
});

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { createElement: element });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A camera screen with what it shows and what is heard of it. */
function stage() {
  const heard: string[] = [];
  const shown: string[] = [];
  const announcer = createAnnouncer(element(), element(), (text) => heard.push(text));
  const announce = (text: string, urgency: Urgency = 'polite') => announcer.say(text, urgency);
  const context = { texts, announce };
  const cue = createCue(context);
  const words = createPositionWords(context, cue);
  const after = (ms: number) => {
    const now = [hints, { preparing }].flatMap((some) => Object.values(some)).find(cue.says);
    if (now && shown.at(-1) !== now) shown.push(now);
    vi.advanceTimersByTime(ms);
  };
  return {
    heard: () => heard.filter((text) => /hold still/i.test(text)),
    shown: () => shown.filter((text) => /hold still/i.test(text)),
    hint: (hint: Hint, ms = 3_000) => {
      words.position({ hint, countdown: null, cameras: [] });
      after(ms);
    },
    /** The button, while a face is seen or not. */
    countDown: (hint: Hint) => {
      for (const countdown of [3, 2, 1]) {
        words.position({ hint, countdown, cameras: [] });
        after(1_000);
      }
    },
    prepare: () => {
      for (let look = 0; look < 3; look += 1) {
        words.preparing();
        after(1_000);
      }
    },
  };
}

describe('holding still is asked for once', () => {
  it('by itself, with the hint that the face is in place', () => {
    const { hint, prepare, ...said } = stage();
    hint('too_far');
    hint('ok');
    prepare();
    expect([said.heard(), said.shown()]).toEqual([[hints.ok], [hints.ok]]);
  });

  it('by the button, with that hint before the countdown', () => {
    const { hint, countDown, prepare, ...said } = stage();
    hint('ok');
    countDown('ok');
    prepare();
    expect([said.heard(), said.shown()]).toEqual([[hints.ok], [hints.ok]]);
  });

  it('by the button, after the countdown, if no face was in place before', () => {
    const { hint, countDown, prepare, ...said } = stage();
    hint('no_face');
    countDown('ok');
    prepare();
    expect([said.heard(), said.shown()]).toEqual([[preparing], [preparing]]);
  });

  it('after the countdown, if that cut the hint off', () => {
    const { hint, countDown, prepare, ...said } = stage();
    hint('too_far', 100);
    hint('ok', 100);
    countDown('ok');
    expect(said.heard()).toEqual([]);
    prepare();
    expect([said.heard(), said.shown()]).toEqual([[hints.ok], [hints.ok]]);
  });

  it('again of whoever moved away meanwhile', () => {
    const { hint, countDown, prepare, ...said } = stage();
    hint('ok');
    hint('too_far');
    countDown('too_far');
    prepare();
    expect([said.heard(), said.shown()]).toEqual([
      [hints.ok, preparing],
      [hints.ok, preparing],
    ]);
  });
});
