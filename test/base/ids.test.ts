// What an identifier tells: its kind, and when it was made unless that is nobody's business.
import { expect, it } from 'vitest';
import { ID_PREFIXES, newId, randomId } from '../../src/base/ids.ts';

/** Characters of an identifier that hold the millisecond. */
const timeOf = (id: string) => id.slice(id.indexOf('_') + 1).slice(0, 9);

it('sorts by the time at which it was made', () => {
  const ids = Array.from({ length: 200 }, () => newId('challenge'));
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids.map(timeOf)).size).toBeLessThan(50);
});

it('of a device tells no time', () => {
  const ids = Array.from({ length: 200 }, () => randomId('device'));
  for (const id of ids) expect(id).toMatch(new RegExp(`^${ID_PREFIXES.device}_[0-7][0-9a-hjkmnp-tv-z]{25}$`));
  expect(new Set(ids.map(timeOf)).size).toBe(200);
});
