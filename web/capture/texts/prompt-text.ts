// The words of a prompt; those of a target say where to by eight sectors, for people who do not see the dot.
import type { Asked } from '../../../src/contract/script.ts';
import type { Target } from '../../../src/contract/target.ts';
import { SECTORS, type Sector } from './sectors.ts';
import type { Texts } from './texts.ts';

export function promptText(asked: Asked, { prompts, where, turn }: Texts['stage']): string {
  return asked.prompt === 'target'
    ? turn[asked.amount]({ where: where[sectorOf(asked)] })
    : prompts[asked.prompt];
}

function sectorOf({ angle_deg }: Pick<Target, 'angle_deg'>): Sector {
  return SECTORS[Math.round(angle_deg / 45) % SECTORS.length]!;
}
