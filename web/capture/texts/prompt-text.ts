// The words of a prompt; those of a target say where to by eight sectors, for people who do not see the dot.
import type { Asked } from '../../../src/contract/script.ts';
import type { Target } from '../../../src/contract/target.ts';
import type { Texts } from './texts.ts';

/** Counter-clockwise from the person's own left, 45° each. */
export const SECTORS = [
  'left',
  'up_left',
  'up',
  'up_right',
  'right',
  'down_right',
  'down',
  'down_left',
] as const;
export type Sector = (typeof SECTORS)[number];

export function promptText(asked: Asked, { prompts, where, turn }: Texts['stage']): string {
  return asked.prompt === 'target'
    ? turn[asked.amount]({ where: where[sectorOf(asked)] })
    : prompts[asked.prompt];
}

function sectorOf({ angle_deg }: Pick<Target, 'angle_deg'>): Sector {
  return SECTORS[Math.round(angle_deg / 45) % SECTORS.length]!;
}
