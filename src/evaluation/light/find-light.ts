// The light code of a capture, looked for in the light on its skin.
import type { LightInput, ScreenLight, SkinStep } from '../liveness/light-evidence.ts';
import { matchCode } from './match-code.ts';

/** Null where no code was drawn. */
export function findLight(input: LightInput | undefined, steps: readonly SkinStep[]): ScreenLight | null {
  if (!input) return null;
  const { code, required, shown } = input;
  return { required, shown, match: matchCode(steps, code) };
}
