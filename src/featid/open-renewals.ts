// Opens the renewals of opened FeatureIDs for a comparison.
import type { CaptureEmbedding } from '../contract/face-template.ts';
import type { AccountKeys } from '../keys/account-keys.ts';
import { parseFeatid } from './featid-text.ts';
import type { FeatidStore } from './ports.ts';
import { openRenewal } from './renewal.ts';
import { joinKeys, TEMPLATE_PURPOSE } from './sealed-template.ts';
import type { QuantisedTemplate } from './template.ts';

/** The renewals of one reference, in an account that renews its references. */
export interface Renewals {
  /** Oldest first. */
  readonly captures: readonly CaptureEmbedding[];
  /** Whether the latest capture was long enough ago for another renewal. */
  readonly isDue: boolean;
}

interface OpenedTemplate {
  readonly text: string;
  readonly id: string;
  readonly template: QuantisedTemplate;
}

/**
 * Returns the renewals by FeatureID id; empty for an account that does not renew its references. A renewal that cannot
 * be opened has been erased and is left out.
 */
export async function openRenewals(
  parts: { readonly keys: AccountKeys; readonly store: FeatidStore; readonly region: string },
  accountId: string,
  opened: readonly OpenedTemplate[],
): Promise<ReadonlyMap<string, Renewals>> {
  const ids = [...new Set(opened.map(({ id }) => id))];
  const stored = ids.length > 0 ? await parts.store.findRenewals(accountId, ids) : [];
  if (stored.length === 0) return new Map();
  const accountKey = await parts.keys.deriveKey(accountId, TEMPLATE_PURPOSE);
  const byId = new Map(opened.map((each) => [each.id, each]));
  return new Map(
    stored.map(({ featidId, isDue, renewals }) => {
      const { text, template } = byId.get(featidId)!;
      const recordKey = joinKeys(parseFeatid(text)!.key, accountKey);
      const row = { id: featidId, pack: template.packId };
      const context = { accountId, region: parts.region, row };
      const captures = renewals.flatMap((renewal) => openRenewal(recordKey, context, renewal) ?? []);
      return [featidId, { captures, isDue }];
    }),
  );
}
