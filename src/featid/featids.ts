// FeatureIDs: made when a challenge passes, checked when a challenge names them, opened when that challenge is judged.

import type { FeatidSource } from '../contract/picture.ts';
import type { FeatidRefusal } from '../contract/problem.ts';
import type { AccountKeys } from '../keys/account-keys.ts';
import { generateFeatid } from './featid-text.ts';
import { createFeatidOpener, type OpenedFeatid, SANDBOX_PACK } from './open-featids.ts';
import { joinKeys, sealTemplate, TEMPLATE_PURPOSE } from './sealed-template.ts';
import type { NewFeatidRow } from './tables/keys.ts';
import type { FeatidStore } from './tables/store.ts';
import { type FaceTemplate, packTemplate, type QuantisedTemplate, TEMPLATE_LAYOUT } from './template.ts';

type FeatidCheck =
  | {
      readonly ok: true;
      readonly id: string;
      readonly source: FeatidSource;
      readonly pausedForSeconds: number | null;
    }
  | { readonly ok: false; readonly code: FeatidRefusal };
type FeatidOutcome = { readonly ok: true } | { readonly ok: false; readonly code: FeatidRefusal };
type FeatidTemplate =
  | {
      readonly ok: true;
      readonly id: string;
      readonly source: FeatidSource;
      readonly template: QuantisedTemplate;
    }
  | { readonly ok: false; readonly code: FeatidRefusal };

export interface Featids {
  /**
   * Seals a template into a new FeatureID. It does not write the row; the completing transaction does.
   * `source`: what the template was made from, by default a liveness video.
   */
  create(input: {
    accountId: string;
    challengeId: string | null;
    template: FaceTemplate;
    source?: FeatidSource;
  }): Promise<{ featid: string; row: NewFeatidRow }>;
  /** Makes a FeatureID of the sandbox. It has no template and is never compared with a face. */
  createForSandbox(input: { accountId: string; challengeId: string | null; source?: FeatidSource }): Promise<{
    featid: string;
    row: NewFeatidRow;
  }>;
  /**
   * Whether each can be compared, in order. Opens every template, so that a wrong key is detected now and not later.
   */
  check(accountId: string, featids: readonly string[]): Promise<FeatidCheck[]>;
  /** Opens the templates, in order, for a comparison, and notes their use. */
  openAll(accountId: string, featids: readonly string[]): Promise<FeatidTemplate[]>;
  /** Destroys the template of one of this account's FeatureIDs, of any pack. */
  revoke(accountId: string, featid: string, actor: string): Promise<FeatidOutcome>;
  /** Ends the pause that failed guesses imposed on one of this account's FeatureIDs; does nothing if there is none. */
  unlock(accountId: string, featid: string, actor: string): Promise<FeatidOutcome>;
}

/** Who owns a new FeatureID, and what it is made from. */
interface NewFeatid {
  readonly accountId: string;
  readonly challengeId: string | null;
  readonly source?: FeatidSource;
}

export function createFeatids(parts: {
  keys: AccountKeys;
  store: FeatidStore;
  /** Name of this deployment; FeatureIDs do not cross regions. */
  region: string;
  /** Recogniser packs that comparisons can use now. */
  usablePacks: readonly string[];
}): Featids {
  const { keys, store, region } = parts;
  const openMany = createFeatidOpener(parts);

  const sealOne = async (of: NewFeatid, pack: string, packed: Uint8Array) => {
    const { accountId, challengeId, source = 'liveness_video' } = of;
    const { id, key, text } = generateFeatid();
    const context = { accountId, region, row: { id, pack, layout: TEMPLATE_LAYOUT, source } };
    const recordKey = joinKeys(key, await keys.deriveKey(accountId, TEMPLATE_PURPOSE));
    return {
      featid: text,
      row: { ...context.row, accountId, challengeId, ...sealTemplate(recordKey, context, packed) },
    };
  };

  return {
    create: ({ template, ...of }) => sealOne(of, template.packId, packTemplate(template)),
    createForSandbox: (of) => sealOne(of, SANDBOX_PACK, new Uint8Array()),
    check: async (accountId, featids) =>
      (await openMany(accountId, featids)).map((opened) => {
        const result = requireTemplate(opened);
        const isSandbox = opened.status === 'opened' && opened.template === 'sandbox';
        if (opened.status === 'opened' && (result.ok || isSandbox)) {
          const { id, source, pausedForSeconds } = opened;
          return { ok: true, id, source, pausedForSeconds };
        }
        return result as Extract<typeof result, { ok: false }>;
      }),
    openAll: async (accountId, featids) => {
      const opened = await openMany(accountId, featids);
      const results = opened.map(requireTemplate);
      const unrecorded = opened.flatMap((each, at) =>
        each.status === 'opened' && !each.isUseRecorded && results[at]!.ok ? [each.id] : [],
      );
      if (unrecorded.length > 0) await store.recordUse(accountId, unrecorded);
      return results;
    },
    revoke: async (accountId, featid, actor) => {
      const [opened] = await openMany(accountId, [featid]);
      if (opened?.status !== 'opened') return { ok: false, code: opened?.code ?? 'featid_invalid' };
      const revoked = await store.revoke(accountId, opened.id, actor);
      return revoked ? { ok: true } : { ok: false, code: 'featid_revoked' };
    },
    unlock: async (accountId, featid, actor) => {
      const [opened] = await openMany(accountId, [featid]);
      if (opened?.status !== 'opened') return { ok: false, code: opened?.code ?? 'featid_invalid' };
      await store.unlock(accountId, opened.id, actor);
      return { ok: true };
    },
  };
}

function requireTemplate(opened: OpenedFeatid): FeatidTemplate {
  if (opened.status === 'refused') return { ok: false, code: opened.code };
  const { id, source, template } = opened;
  if (template === undefined || template === 'sandbox') return { ok: false, code: 'featid_pack_retired' };
  return { ok: true, id, source, template };
}
