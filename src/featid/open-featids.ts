// Finds the rows of FeatureIDs by their strings and opens their templates.
import type { FeatidSource } from '../contract/picture.ts';
import type { FeatidRefusal } from '../contract/problem.ts';
import type { AccountKeys } from '../keys/account-keys.ts';
import { type FeatidParts, parseFeatid } from './featid-text.ts';
import { isKeyOf, joinKeys, openTemplate, PLACEHOLDER_BYTES, TEMPLATE_PURPOSE } from './sealed-template.ts';
import type { FeatidStore, StoredFeatid } from './tables/store.ts';
import { type QuantisedTemplate, readTemplate } from './template.ts';

/** Pack of the sandbox's FeatureIDs; no recogniser has this name. */
export const SANDBOX_PACK = 'sandbox';

export type OpenedFeatid =
  | { status: 'refused'; code: FeatidRefusal }
  /** The key is right. `template` is undefined if its pack or layout is no longer in use. */
  | {
      status: 'opened';
      id: string;
      source: FeatidSource;
      isUseRecorded: boolean;
      pausedForSeconds: number | null;
      template: QuantisedTemplate | 'sandbox' | undefined;
    };

/** Opens FeatureIDs of one account, in order. */
export type OpenFeatids = (accountId: string, texts: readonly string[]) => Promise<OpenedFeatid[]>;

interface OpenerParts {
  readonly keys: AccountKeys;
  readonly store: FeatidStore;
  readonly region: string;
  /** Recogniser packs that comparisons can use now. */
  readonly usablePacks: readonly string[];
}

export function createFeatidOpener(parts: OpenerParts): OpenFeatids {
  const { keys, store } = parts;
  return async (accountId, texts) => {
    const parsed = texts.map(parseFeatid);
    const wanted = [...new Set(parsed.flatMap((featid) => featid?.id ?? []))];
    const [accountKey, rows] = await Promise.all([
      keys.deriveKey(accountId, TEMPLATE_PURPOSE),
      wanted.length > 0 ? store.findMany(accountId, wanted, PLACEHOLDER_BYTES) : [],
    ]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return parsed.map((featid) =>
      featid
        ? openOne(parts, accountKey, accountId, featid, byId.get(featid.id)!)
        : { status: 'refused', code: 'featid_invalid' },
    );
  };
}

function openOne(
  { region, usablePacks }: OpenerParts,
  accountKey: Buffer,
  accountId: string,
  parsed: FeatidParts,
  row: StoredFeatid,
): OpenedFeatid {
  const recordKey = joinKeys(parsed.key, accountKey);
  const packed = openTemplate(recordKey, { accountId, region, row });
  if (!packed) {
    const isRevoked = isKeyOf(recordKey, row) && row.status === 'tombstone';
    return { status: 'refused', code: isRevoked ? 'featid_revoked' : 'featid_unknown' };
  }
  const { id, source, isUseRecorded, pausedForSeconds } = row;
  const opened = { status: 'opened', id, source, isUseRecorded, pausedForSeconds } as const;
  if (row.pack === SANDBOX_PACK) return { ...opened, template: 'sandbox' };
  return {
    ...opened,
    template: usablePacks.includes(row.pack) ? readTemplate(row.pack, packed) : undefined,
  };
}
