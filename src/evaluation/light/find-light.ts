// Looks for a capture's light code in the light on the skin.
import type { LightInput, ScreenLight, SkinStep } from '../liveness/light-evidence.ts';
import { matchCode } from './match-code.ts';

/** Matches the drawn code with the steps of the skin's light; null if no code was drawn. */
export function findLight(input: LightInput | undefined, steps: readonly SkinStep[]): ScreenLight | null {
  if (!input) return null;
  const { code, required, shown } = input;
  return { required, shown, match: matchCode(steps, code) };
}
