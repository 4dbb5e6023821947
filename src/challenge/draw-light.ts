// The light code of one capture, drawn from a CSPRNG together with its script and used once.
import { randomBytes } from 'node:crypto';
import { type DrawnLight, type LightMode, type LightOffer, SYMBOLS } from '../contract/screen-light.ts';

/**
 * Draws every symbol as an independent fair coin toss, because the judgement ranks a code among others drawn the same
 * way. Null: no light is shown.
 */
export function drawLight(mode: LightMode): DrawnLight | null {
  if (mode === 'off') return null;
  return { code: randomBytes(SYMBOLS / 8).toString('hex'), required: mode === 'require' };
}

/** What the page tells the person before recording. */
export function lightOffer(mode: LightMode): LightOffer {
  return ({ off: 'off', observe: 'optional', require: 'required' } as const)[mode];
}
