// Seeded randomness: the same seed gives the same footage on every machine.
import { seededRandom } from '../../src/lab/random.ts';

/** Random draws determined by the seed alone. */
export interface Chance {
  /** Uniform in [least, most). */
  between(least: number, most: number): number;
  /** Uniform integer in [least, most]. */
  integer(least: number, most: number): number;
  pick<T>(items: readonly T[]): T;
  /** Normal with mean 0 and standard deviation 1. */
  normal(): number;
}

/** Random draws for a seed, which is any text (hashed by FNV-1a). Good enough for footage, not for secrets. */
export function chanceOf(seed: string): Chance {
  let hash = 0x811c9dc5;
  for (let i = 0; i < seed.length; i++) hash = Math.imul(hash ^ seed.charCodeAt(i), 0x01000193);
  const uniform = seededRandom(hash);
  const integer = (least: number, most: number) => least + Math.floor(uniform() * (most - least + 1));
  return {
    between: (least, most) => least + uniform() * (most - least),
    integer,
    pick: (items) => items[integer(0, items.length - 1)]!,
    normal: () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
  };
}
