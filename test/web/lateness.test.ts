// What a page concludes when its timers fire late: a slow device is reported, a page in the background is not.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Lateness, watchLateness } from '../../web/capture/flow/lateness.ts';

describe('lateness of the capture page', () => {
  const screen = Object.assign(new EventTarget(), { hidden: false });
  let told: Lateness[] = [];
  let lostMs = 0;
  const show = (shown: boolean) => {
    screen.hidden = !shown;
    screen.dispatchEvent(new Event('visibilitychange'));
  };
  /** Time passes without a timer firing, as when the page is busy or frozen. */
  const lose = (ms: number) => {
    lostMs += ms;
  };

  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('document', screen);
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + lostMs);
    told = [];
    lostMs = 0;
    screen.hidden = false;
    watchLateness((how) => told.push(how));
    vi.advanceTimersByTime(1_000);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  it('reports a page that is busy, and one that is stuck, each once', () => {
    lose(800);
    vi.advanceTimersByTime(200);
    expect(told).toEqual(['busy']);
    lose(2_500);
    vi.advanceTimersByTime(200);
    lose(5_000);
    vi.advanceTimersByTime(200);
    expect(told).toEqual(['busy', 'stuck']);
  });

  it('is not reported by a page that was frozen while another was in front', () => {
    show(false);
    lose(120_000);
    show(true);
    vi.advanceTimersByTime(1_000);
    expect(told).toEqual([]);
    lose(800);
    vi.advanceTimersByTime(200);
    expect(told).toEqual(['busy']);
  });
});
