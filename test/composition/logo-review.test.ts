// What a client is told of a logo when it creates a challenge: real pictures, through the real decoder.
import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { createLogoReview } from '../../src/composition/logo-review.ts';

const lettering = (fill: string) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="60"><rect x="20" y="20" width="160" height="20" fill="${fill}"/></svg>`,
  );
/** A review of one logo, and how often it was fetched. */
function reviewOf(fetched: () => Promise<Uint8Array | null>, waitMs = 60_000) {
  let fetches = 0;
  const review = createLogoReview(
    {
      fetchImage: () => {
        fetches += 1;
        return fetched();
      },
    },
    waitMs,
  );
  return {
    codes: async (path = '/logo') =>
      (await review('acct_1', `https://a.example${path}`)).map(({ code }) => code),
    fetches: () => fetches,
  };
}

it.each([
  ['a dark drawing', lettering('#101828'), []],
  ['a white drawing', lettering('#ffffff'), []],
  ['a faint drawing', lettering('rgba(255,255,255,.06)'), ['logo_invisible']],
  ['no picture', randomBytes(500), ['logo_unusable']],
  ['nothing that can be fetched', null, ['logo_unreachable']],
])('warns of %s as it must', async (_name, bytes, codes) => {
  const { codes: told } = reviewOf(async () => bytes);
  expect(await told()).toEqual(codes);
});

it('measures a photograph with its own ground', async () => {
  const white = { create: { width: 90, height: 30, channels: 3, background: '#ffffff' } } as const;
  const blank = await sharp(white).jpeg().toBuffer();
  expect(await reviewOf(async () => blank).codes()).toEqual(['logo_invisible']);
  const block = { create: { width: 30, height: 10, channels: 3, background: '#0a66c2' } } as const;
  const lettered = await sharp(white)
    .composite([{ input: block }])
    .jpeg()
    .toBuffer();
  expect(await reviewOf(async () => lettered).codes()).toEqual([]);
});

it('fetches an account’s logo once, however many challenges show it', async () => {
  const { codes, fetches } = reviewOf(async () => lettering('#101828'));
  await Promise.all([codes(), codes()]);
  await codes();
  expect(fetches()).toBe(1);
});

it('warns of nothing while a slow logo is on its way', async () => {
  const { codes } = reviewOf(() => new Promise(() => undefined), 20);
  expect(await codes()).toEqual([]);
});

it('leaves logos unreviewed where too many wait, and reviews the next ones after them', async () => {
  const arrived: (() => void)[] = [];
  const { codes, fetches } = reviewOf(
    () => new Promise((resolve) => arrived.push(() => resolve(null))),
    60_000,
  );
  const asked = Array.from({ length: 300 }, (_, index) => codes(`/${index}`));
  expect(await asked.at(-1)).toEqual([]);
  while (fetches() < 100 || arrived.length > 0) {
    arrived.shift()?.();
    await new Promise(setImmediate);
  }
  expect((await Promise.all(asked)).flat()).toHaveLength(100);
  expect(fetches()).toBe(100);
  const next = codes('/next');
  arrived.shift()!();
  expect(await next).toEqual(['logo_unreachable']);
});
