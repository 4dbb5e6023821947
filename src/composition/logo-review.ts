// What is wrong with a logo, told when a challenge is created: otherwise only the people on the page would notice. Asked
// for by integrators, whose white logo nobody saw.
import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { createLimit } from '../base/limit.ts';
import type { ChallengeParts } from '../challenge/parts.ts';
import type { CreationWarning } from '../contract/challenge-request.ts';
import { LEAST_LOGO_CONTRAST, MEASURED_SIDE_PX, plateOf } from '../contract/logo-plate.ts';
import type { LogoReview } from '../http/services.ts';
import { decodePicture } from '../pictures/decode-picture.ts';

const POINTER = '/flow_style/logo_public_url';
const DETAILS: Readonly<Record<CreationWarning['code'], string>> = {
  logo_unreachable: 'could not be fetched: the page shows the name unless that succeeds later',
  logo_unusable:
    'is not a picture that the page can show (PNG, JPEG, WebP, GIF, AVIF or SVG): it shows the name',
  logo_invisible: 'has too little contrast to be seen, on light and on dark: the page shows the name',
};
/** As for the page (src/challenge/capturing/logo.ts). */
const FETCH = { maxBytes: 1_000_000, timeoutMs: 5_000 };
const ORDER = { form: 'rgba', maxPixels: 16_000_000, maxSidePx: MEASURED_SIDE_PX, drawings: true } as const;
/** No creation waits longer for a logo. Chosen, not measured. */
const WAIT_MS = 2_000;
/** Logos rarely change; one that was wrong is corrected soon. */
const KEPT_MS = { good: 600_000, bad: 60_000 };
const MAX_KEPT = 1_000;
/** Fetches under way at once in this process. */
const AT_ONCE = 4;
/** Beyond as many that are under way or wait, a logo goes unreviewed: addresses without end must not fill the memory. */
const MAX_WAITING = 100;

type Verdict = CreationWarning['code'] | null;

/** Remembers what it found, so that an account's challenges do not fetch their logo each time. */
export function createLogoReview(
  { fetchImage }: Pick<ChallengeParts, 'fetchImage'>,
  waitMs = WAIT_MS,
): LogoReview {
  const known = new LRUCache<string, Promise<Verdict>>({ max: MAX_KEPT, ttl: KEPT_MS.good });
  const inTurn = createLimit(AT_ONCE);
  let waiting = 0;
  const review = (accountId: string, url: string): Promise<Verdict> => {
    const key = `${accountId} ${url}`;
    const before = known.get(key);
    if (before) return before;
    if (waiting >= MAX_WAITING) return Promise.resolve(null);
    waiting += 1;
    const verdict = inTurn(() => judge(fetchImage, accountId, url), accountId)
      .catch(() => null)
      .finally(() => {
        waiting -= 1;
      });
    known.set(key, verdict);
    verdict.then((code) => code !== null && known.set(key, verdict, { ttl: KEPT_MS.bad }));
    return verdict;
  };
  return async (accountId, url) => {
    const over = new AbortController();
    const late = delay(waitMs, null, { signal: over.signal }).catch(() => null);
    const code = await Promise.race([review(accountId, url), late]);
    over.abort();
    return code === null ? [] : [{ pointer: POINTER, code, detail: DETAILS[code] }];
  };
}

async function judge(
  fetchImage: ChallengeParts['fetchImage'],
  accountId: string,
  url: string,
): Promise<Verdict> {
  const bytes = await fetchImage(url, FETCH);
  if (!bytes) return 'logo_unreachable';
  const decoded = await decodePicture(bytes, ORDER, accountId);
  if (decoded.status !== 'decoded') return 'logo_unusable';
  const { data, width, height } = decoded;
  // A process that was taken over may answer anything.
  if (data.length !== 4 * width * height) return 'logo_unusable';
  return plateOf(data, width, height).contrast < LEAST_LOGO_CONTRAST ? 'logo_invisible' : null;
}
