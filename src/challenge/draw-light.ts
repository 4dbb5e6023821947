// The light code of one capture, drawn from a CSPRNG with its script and given out once.
import { randomBytes } from 'node:crypto';
import { type DrawnLight, type LightMode, type LightOffer, SYMBOLS } from '../contract/screen-light.ts';

/** Every symbol is a fair coin of its own: the judgement ranks a code among others drawn like it. Null: none is shown. */
export function drawLight(mode: LightMode): DrawnLight | null {
  if (mode === 'off') return null;
  return { code: randomBytes(SYMBOLS / 8).toString('hex'), required: mode === 'require' };
}

/** What the page tells the person before it records. */
export function lightOffer(mode: LightMode): LightOffer {
  return ({ off: 'off', observe: 'optional', require: 'required' } as const)[mode];
}
