// Lights the page's surround during the recording, by the code that came with the script, unless the person declines.
import {
  type DrawnLight,
  type LightOffer,
  type LightShown,
  SYMBOL_MS,
  symbolOf,
} from '../../../src/contract/screen-light.ts';
import { BETWEEN, HUES } from './hues.ts';

export interface ScreenLight {
  isOn(offer: LightOffer): boolean;
  /** The person switches it off or on again; remembered for the next time. */
  toggle(): void;
  /** Lights the surround from just before the recording until its end. */
  show(screen: string, offered: LightOffer): void;
  /** Plays the code from the recording's first frame on. Does nothing if the light is off. */
  play(light: DrawnLight | undefined, startedAtMs: number): void;
  /** Whether the code was shown in the last recording; null if there was none to show. */
  shown(): LightShown | null;
}

const ENTRY = 'likeness-light';
/** People who ask their device for less motion or more contrast get no light unless they ask for it. */
const CALM = '(prefers-reduced-motion: reduce), (prefers-contrast: more), (forced-colors: active)';
const LIT: readonly string[] = ['preparing', 'recording'];

/**
 * Creates the light, switched off.
 * @param surround the layer behind everything
 * @param lit called when the surround is lit, and when it no longer is
 */
export function createScreenLight(surround: HTMLElement, lit: (isLit: boolean) => void): ScreenLight {
  const calm = matchMedia(CALM);
  let choice = readChoice();
  let offer: LightOffer = 'off';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLit = false;
  let told: LightShown | null = null;
  const isOn = (given: LightOffer) =>
    given === 'required' || (given === 'optional' && (choice ?? (calm.matches ? 'off' : 'on')) === 'on');

  const light = (on: boolean) => {
    if (!on) clearTimeout(timer);
    if (on === isLit) return;
    isLit = on;
    surround.style.backgroundColor = on ? BETWEEN : '';
    lit(on);
  };
  const step = (code: string, startedAtMs: number) => {
    const elapsedMs = performance.now() - startedAtMs;
    const k = Math.max(0, Math.floor(elapsedMs / SYMBOL_MS));
    const symbol = symbolOf(code, k);
    surround.style.backgroundColor = symbol === 0 ? BETWEEN : symbol > 0 ? HUES.warm : HUES.cool;
    surround.dataset.symbol = String(k);
    // Scheduled by the recording's clock, not from change to change: a late change does not shift the later ones.
    timer = setTimeout(step, (k + 1) * SYMBOL_MS - elapsedMs, code, startedAtMs);
  };

  return {
    isOn,
    toggle: () => {
      choice = isOn('optional') ? 'off' : 'on';
      writeChoice(choice);
      // Switching on again does not resume a code that has been interrupted.
      if (choice === 'on' || offer !== 'optional') return;
      if (told === 'shown') told = 'switched_off';
      light(false);
    },
    show: (screen, offered) => {
      offer = offered;
      if (!LIT.includes(screen)) light(false);
      else if (screen === 'preparing') light(isOn(offer));
    },
    play: (drawn, startedAtMs) => {
      clearTimeout(timer);
      const off = choice === 'off' ? 'switched_off' : 'device_preference';
      told = drawn ? (isLit ? 'shown' : off) : null;
      if (drawn && isLit) step(drawn.code, startedAtMs);
    },
    shown: () => told,
  };
}

function readChoice(): 'on' | 'off' | null {
  try {
    const kept = localStorage.getItem(ENTRY);
    return kept === 'on' || kept === 'off' ? kept : null;
  } catch {
    return null;
  }
}

function writeChoice(choice: 'on' | 'off'): void {
  try {
    localStorage.setItem(ENTRY, choice);
  } catch {
    // Storage is blocked: the choice lasts as long as the page.
  }
}
