// What the capture page tells a screen reader: each thing once, and no faster than it can be heard.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAnnouncer } from '../../web/capture/view/announcer.ts';

describe('announcements', () => {
  const polite = { textContent: '' };
  const assertive = { textContent: '' };
  let spoken: string[] = [];
  const announcer = () => createAnnouncer(polite, assertive, (text) => spoken.push(text));

  beforeEach(() => {
    vi.useFakeTimers();
    spoken = [];
    polite.textContent = assertive.textContent = '';
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('say the hint that applies when there is time for one, not all that came and went', () => {
    const { say } = announcer();
    for (const hint of [
      'Come a little closer',
      'More light, please',
      'Come a little closer',
      'Only one face, please',
    ]) {
      say(hint, 'passing');
      vi.advanceTimersByTime(350);
    }
    expect(spoken).toEqual(['Come a little closer']);
    vi.advanceTimersByTime(3_000);
    expect(spoken).toEqual(['Come a little closer', 'Only one face, please']);
    expect(polite.textContent).toBe('Only one face, please');
  });

  it('do not repeat a hint that another one replaced for a moment', () => {
    const { say } = announcer();
    say('Come a little closer', 'passing');
    say('Move back a little', 'passing');
    say('Come a little closer', 'passing');
    vi.advanceTimersByTime(10_000);
    expect(spoken).toEqual(['Come a little closer']);
  });

  it('say at once what is not a hint; hints wait for its end', () => {
    const { say } = announcer();
    const instruction = 'Hold your face in the oval, look straight ahead, then press the button.';
    say('Come a little closer', 'passing');
    say('Move back a little', 'passing');
    say(instruction, 'polite');
    expect(spoken).toEqual(['Come a little closer', instruction]);
    vi.advanceTimersByTime(4_000);
    expect(spoken).toHaveLength(2);
    vi.advanceTimersByTime(2_000);
    expect(spoken.at(-1)).toBe('Move back a little');
  });

  it('drop a waiting hint when something must be done at once', () => {
    const { say } = announcer();
    say('Come a little closer', 'passing');
    say('Move back a little', 'passing');
    say('Hold still', 'assertive');
    vi.advanceTimersByTime(10_000);
    expect(spoken).toEqual(['Come a little closer', 'Hold still']);
    expect(assertive.textContent).toBe('Hold still');
  });

  it('say a hint that must be heard now, once', () => {
    const { say } = announcer();
    say('Perfect. Hold still', 'passing');
    say('Perfect. Hold still', 'due');
    expect(spoken).toEqual(['Perfect. Hold still']);
    say('Come a little closer', 'polite');
    say('Perfect. Hold still', 'passing');
    say('Perfect. Hold still', 'due');
    vi.advanceTimersByTime(10_000);
    expect(spoken).toEqual(['Perfect. Hold still', 'Come a little closer', 'Perfect. Hold still']);
  });

  it('leave nothing behind when the screen is gone', () => {
    const { say, clear } = announcer();
    say('Come a little closer', 'passing');
    say('Move back a little', 'passing');
    say('Now smile', 'assertive');
    clear();
    vi.advanceTimersByTime(10_000);
    expect([polite.textContent, assertive.textContent]).toEqual(['', '']);
    say('Come a little closer', 'passing');
    expect(spoken).toEqual(['Come a little closer', 'Now smile', 'Come a little closer']);
  });
});
