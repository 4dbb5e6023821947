// What is said to whoever cannot see it: through the page's live regions, and by its voice where one is wanted.

/** `passing`: true for a moment only, such as a hint; `assertive`: what must be done at once. */
export type Urgency = 'passing' | 'polite' | 'assertive';

export interface Announcer {
  say(text: string, urgency: Urgency): void;
  /** The screen that said it is gone: what waits is not said any more, and nobody finds it at the page's end. */
  clear(): void;
}

/** Speech takes some 15 letters a second at a screen reader's usual pace. Chosen, not measured. */
const MS_A_LETTER = 65;
/** No sentence is over sooner. */
const SHORTEST_MS = 1_500;

/**
 * Nothing said yet. Hints change three times a second, and readers say one after the other: what passes waits for the end of the
 * sentence before, and is said only if it is still true then.
 * @param speak says it by the page's own voice
 */
export function createAnnouncer(
  polite: Pick<Element, 'textContent'>,
  assertive: Pick<Element, 'textContent'>,
  speak: (text: string) => void,
): Announcer {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let said = '';
  let overAtMs = 0;
  const tell = (region: Pick<Element, 'textContent'>, text: string) => {
    region.textContent = text;
    said = text;
    overAtMs = performance.now() + Math.max(SHORTEST_MS, text.length * MS_A_LETTER);
    speak(text);
  };
  const pass = (text: string) => {
    clearTimeout(timer);
    if (text === said) return;
    const waitMs = overAtMs - performance.now();
    if (waitMs <= 0) tell(polite, text);
    // What is said meanwhile makes it wait longer.
    else timer = setTimeout(pass, waitMs, text);
  };
  return {
    say: (text, urgency) => {
      if (urgency === 'passing') return pass(text);
      if (urgency === 'assertive') clearTimeout(timer);
      tell(urgency === 'assertive' ? assertive : polite, text);
    },
    clear: () => {
      clearTimeout(timer);
      said = polite.textContent = assertive.textContent = '';
    },
  };
}
