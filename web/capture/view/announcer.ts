// Announces texts to people who cannot see them: through the page's live regions, and with its voice if it is on.

/**
 * `passing`: true only for a moment, such as a hint; `due`: a passing text that must be heard now, unless it was the last
 * of them to be heard; `assertive`: something to do at once.
 */
export type Urgency = 'passing' | 'polite' | 'due' | 'assertive';

export interface Announcer {
  say(text: string, urgency: Urgency): void;
  /** The screen has gone: drops what waits, and empties the live regions so that nobody finds it at the page's end. */
  clear(): void;
}

/** Speaking time: some 15 letters a second at a screen reader's usual pace. Chosen, not measured. */
const MS_A_LETTER = 65;
/** Shortest time for a sentence. */
const SHORTEST_MS = 1_500;

/**
 * Creates an announcer. Hints change three times a second, and screen readers speak one text after another: a passing
 * text waits for the end of the previous sentence, and is announced only if it still applies then.
 * @param speak speaks the text with the page's own voice
 */
export function createAnnouncer(
  polite: Pick<Element, 'textContent'>,
  assertive: Pick<Element, 'textContent'>,
  speak: (text: string) => void,
): Announcer {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let said = '';
  /** The last passing text that was told. What is told besides, such as a countdown, does not undo it. */
  let hint = '';
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
    if (waitMs > 0) {
      // Texts announced meanwhile make it wait longer.
      timer = setTimeout(pass, waitMs, text);
      return;
    }
    hint = text;
    tell(polite, text);
  };
  return {
    say: (text, urgency) => {
      if (urgency === 'passing') return pass(text);
      if (urgency === 'due' && text === hint) return;
      if (urgency === 'due') hint = text;
      if (urgency !== 'polite') clearTimeout(timer);
      tell(urgency === 'polite' ? polite : assertive, text);
    },
    clear: () => {
      clearTimeout(timer);
      said = hint = polite.textContent = assertive.textContent = '';
    },
  };
}
