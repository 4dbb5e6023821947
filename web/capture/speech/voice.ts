// Spoken instructions for people who want them: off until switched on, and only with a voice on the device itself, so
// that no text goes to a speech service.

export interface Voice {
  /** Whether this device has a voice for the page's language. Voices may load late; `changed` is called then. */
  available(): boolean;
  isOn(): boolean;
  toggle(): void;
  /** Speaks now, interrupting any earlier text. Silent while off. */
  say(text: string): void;
}

const ENTRY = 'likeness-voice';

/**
 * Creates the voice, on or off as it last was in this tab.
 * @param changed called when voices have been added or removed
 */
export function createVoice(language: string, changed: () => void): Voice {
  const speech = typeof speechSynthesis === 'undefined' ? null : speechSynthesis;
  let voice: SpeechSynthesisVoice | null = null;
  let on = read();
  const choose = () => {
    const local = speech?.getVoices().filter((each) => each.localService && speaks(each, language)) ?? [];
    voice = local.find((each) => each.default) ?? local[0] ?? null;
    changed();
  };
  speech?.addEventListener?.('voiceschanged', choose);
  choose();
  return {
    available: () => voice !== null,
    isOn: () => on,
    toggle: () => {
      on = !on;
      write(on);
      if (!on) speech?.cancel();
    },
    say: (text) => {
      if (!on || !speech || !voice || text === '') return;
      speech.cancel();
      const utterance = new SpeechSynthesisUtterance(text);
      utterance.voice = voice;
      utterance.lang = voice.lang;
      speech.speak(utterance);
    },
  };
}

function speaks(voice: SpeechSynthesisVoice, language: string): boolean {
  return voice.lang.split(/[-_]/, 1)[0]?.toLowerCase() === language.split('-', 1)[0];
}

function read(): boolean {
  try {
    return sessionStorage.getItem(ENTRY) === 'on';
  } catch {
    return false;
  }
}

function write(on: boolean): void {
  try {
    sessionStorage.setItem(ENTRY, on ? 'on' : 'off');
  } catch {
    // Storage is blocked: the choice lasts as long as the page.
  }
}
