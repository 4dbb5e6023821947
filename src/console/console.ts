// What the operator may see and do: reads data across accounts, opening what is sealed, and performs audited actions.

import { cachedFor } from '../base/cached-for.ts';
import type { ChallengeParts } from '../challenge/parts.ts';
import { isLinkable, makeAssetLink } from '../challenge/reading/asset-links.ts';
import type { ChallengeServices } from '../challenge/services.ts';
import type {
  AccountChange,
  ConsoleAccount,
  ConsoleAuditLine,
  ConsoleChallenge,
  ConsoleChallengeDetail,
  ConsoleReference,
  ConsoleRetention,
  ConsoleScores,
  ErasedOfReference,
  Page,
  ShownOnce,
} from '../contract/console.ts';
import type { ConsoleDelivery, ConsoleEndpoints, Redelivered } from '../contract/console-deliveries.ts';
import type { ConsoleOverview, ConsoleScope } from '../contract/console-overview.ts';
import type { Delivery } from '../contract/delivery.ts';
import type { FeatidStore } from '../featid/tables/store.ts';
import type { Accounts } from '../keys/accounts.ts';
import type { WebhookSecrets } from '../keys/webhook-secrets.ts';
import type { Deliveries } from '../webhook/deliveries.ts';
import { addressOf } from '../webhook/endpoint.ts';
import { describeChallenge, listChallenge, plotTry } from './describe-challenge.ts';
import { type DeliveryQuestion, findDeliveries } from './find-deliveries.ts';
import { listAccounts } from './list-accounts.ts';
import { COUNTS_KEPT_MS, createOverview, type ReadOverview } from './overview.ts';
import { createReceivers, listReceivers, type ReadReceivers } from './receivers.ts';
import { eraseOfReference, findOfReference, tagsOf } from './references.ts';
import type { ChallengeSearch } from './tables/challenge-search.ts';
import type { ConsoleStore } from './tables/store.ts';
import { createViewAudit, type ViewAudit } from './view-audit.ts';

/** Long enough to watch a video, too short to share the link. */
const ASSET_LINK_SECONDS = 300;
const PAGE_SIZE = 50;

/** A viewer sees the receiver's address without what may be a secret. */
const withoutQuery = (delivery: Delivery): Delivery => ({
  ...delivery,
  endpoint_url: addressOf(delivery.endpoint_url),
});

/** A search as the page requests it. */
export interface ChallengeQuestion extends Omit<ChallengeSearch, 'text' | 'limit'> {
  /** Beginning of an id, part of an account's name, or a complete `customer_reference`. */
  readonly text?: string;
}

export interface ConsoleParts {
  readonly store: ConsoleStore;
  readonly challenge: Pick<ChallengeParts, 'custody' | 'clock' | 'settings'>;
  readonly eraseChallenge: ChallengeServices['erase'];
  readonly deliveries: Pick<Deliveries, 'list' | 'receiversOf' | 'redeliverMany'>;
  readonly featids: Pick<FeatidStore, 'revoke'>;
  readonly accounts: Pick<Accounts, 'list' | 'find' | 'listKeys' | 'createKey' | 'revokeKey'>;
  readonly webhookSecrets: Pick<WebhookSecrets, 'rotate'>;
  /** The distribution of the calibration's scores; null if the calibration has none. */
  readonly scores: ConsoleScores | null;
  readonly retention: { readonly assetDays: number; readonly resultDays: number; readonly auditDays: number };
}

/** The console as one session sees it. What it reads and does is in the audit log under the session's id. */
export interface Console {
  overview(scope: ConsoleScope): Promise<ConsoleOverview>;
  challenges(search: ChallengeQuestion): Promise<Page<ConsoleChallenge>>;
  challenge(challengeId: string): Promise<ConsoleChallengeDetail | null>;
  /** The curves of one of the challenge's tries as an SVG document; null if there are none. */
  curves(challengeId: string, captureId: string): Promise<string | null>;
  /** A link to one asset of the challenge, valid for five minutes; null if the asset is gone. */
  assetLink(challengeId: string, assetId: string): Promise<string | null>;
  deliveries(search: DeliveryQuestion): Promise<Page<ConsoleDelivery>>;
  redeliverMany(deliveryIds: readonly string[]): Promise<Redelivered>;
  endpoints(): Promise<ConsoleEndpoints>;
  /** Challenges with exactly this customer reference, and the FeatureIDs that they made, in all accounts. */
  featids(customerReference: string): Promise<ConsoleReference>;
  /** Erases some of the account's challenges with exactly this reference. Null if there is no such account. */
  eraseReference(accountId: string, reference: string): Promise<ErasedOfReference | null>;
  /** Destroys the template. False if none is in force under this id. */
  eraseFeatid(accountId: string, featidId: string): Promise<boolean>;
  accounts(): Promise<ConsoleAccount[]>;
  changeAccount(accountId: string, change: AccountChange): Promise<boolean>;
  /**
   * Creates a key. Returns it, and the webhook secret of a sandbox created with it; null if there is no such account.
   */
  createKey(accountId: string, sandbox: boolean): Promise<ShownOnce | null>;
  revokeKey(accountId: string, keyId: string): Promise<boolean>;
  /** Creates a secret and returns it; the old one also signs during the overlap. Null if there is no such account. */
  rotateWebhookSecret(accountId: string, overlapHours: number): Promise<string | null>;
  scores(): ConsoleScores | null;
  audit(beforeId: string | null): Promise<Page<ConsoleAuditLine>>;
  retention(): Promise<ConsoleRetention>;
  /** Audits that the session viewed what another room shows on a page of its own. */
  noteView(action: string): Promise<void>;
  /** Writes an audit line for the session. */
  note(action: string, detail?: object): Promise<void>;
}

/** Makes the console; `operator` is the id of a session, or the text `operator` if there is none yet. */
export function createConsole(parts: ConsoleParts): (operator: string) => Console {
  const { store, challenge } = parts;
  const receivers = createReceivers(store, parts.deliveries);
  const shared = {
    receivers,
    views: createViewAudit(store),
    overview: createOverview(store, receivers, challenge),
    countHeld: cachedFor(challenge.clock, COUNTS_KEPT_MS, store.countHeld),
  };
  return (operator) => ({
    ...readingsOf(parts, shared, operator),
    ...actionsOf(parts, operator),
    noteView: (action) => shared.views.note(operator, { action }),
    note: (action, detail) =>
      store.audit({ actor: operator, action, accountId: null, subject: null, ...(detail && { detail }) }),
  });
}

/** What all sessions of this process share. */
interface Shared {
  readonly views: ViewAudit;
  readonly receivers: ReadReceivers;
  readonly overview: ReadOverview;
  readonly countHeld: ConsoleStore['countHeld'];
}

type ActionName =
  | 'redeliverMany'
  | 'eraseFeatid'
  | 'eraseReference'
  | 'changeAccount'
  | 'createKey'
  | 'revokeKey'
  | 'rotateWebhookSecret'
  | 'assetLink';

/**
 * Every read except that of the calibration's scores is audited before its data is returned; if the audit fails, so
 * does the read.
 */
function readingsOf(
  parts: ConsoleParts,
  { views, receivers, overview, countHeld }: Shared,
  operator: string,
): Omit<Console, ActionName | 'noteView' | 'note'> {
  const { store } = parts;
  const seen = (action: string) => views.note(operator, { action });
  return {
    overview: async (scope) => {
      const figures = await overview(scope);
      await seen('overview.viewed');
      return figures;
    },
    challenges: async (search) => {
      const page = await searchChallenges(parts, search);
      await noteList(views, operator, 'challenges.listed', { search, page, idOf: (row) => row.challenge_id });
      return page;
    },
    challenge: async (challengeId) => {
      const found = await store.findChallenge(challengeId);
      if (!found) return null;
      const { accountId } = found.challenge;
      const deliveries = await parts.deliveries.list(accountId, challengeId);
      await views.note(operator, { action: 'challenge.viewed', accountId, subject: challengeId });
      return describeChallenge(parts.challenge.custody, found, deliveries.map(withoutQuery));
    },
    curves: async (challengeId, captureId) => {
      const found = await store.findChallenge(challengeId);
      if (!found) return null;
      const { accountId } = found.challenge;
      await views.note(operator, { action: 'challenge.viewed', accountId, subject: challengeId });
      return plotTry(parts.challenge.custody, found, captureId);
    },
    deliveries: async (search) => {
      const rows = await findDeliveries({ ...parts, receivers }, search, PAGE_SIZE + 1);
      const page = pageOf(rows, (row) => row.delivery_id);
      await noteList(views, operator, 'deliveries.listed', { search, page, idOf: (row) => row.delivery_id });
      return page;
    },
    endpoints: async () => {
      await seen('endpoints.viewed');
      return listReceivers(receivers);
    },
    featids: async (customerReference) => {
      const found = await findOfReference(parts, customerReference);
      const ids = found.data.map(({ featid_id }) => featid_id);
      await views.noteList(operator, {
        action: 'featids.listed',
        filters: { customer_reference: customerReference },
        ids,
      });
      return found;
    },
    accounts: async () => {
      await seen('accounts.viewed');
      return listAccounts(parts.accounts);
    },
    scores: () => parts.scores,
    audit: async (beforeId) => {
      await seen('audit.viewed');
      return pageOf(await store.listAudit(beforeId, PAGE_SIZE + 1), (row) => row.id);
    },
    retention: async () => {
      await seen('retention.viewed');
      const { assetDays, resultDays, auditDays } = parts.retention;
      const held = await countHeld();
      return {
        asset_retention_days: assetDays,
        result_retention_days: resultDays,
        audit_retention_days: auditDays,
        held,
      };
    },
  };
}

function actionsOf(parts: ConsoleParts, operator: string): Pick<Console, ActionName> {
  const { store, accounts } = parts;
  return {
    assetLink: (challengeId, assetId) => linkAsset(parts, operator, challengeId, assetId),
    redeliverMany: async (deliveryIds) => {
      const statuses = await parts.deliveries.redeliverMany(deliveryIds, operator);
      const refused = statuses.flatMap((reason, at) =>
        reason === 'requeued' ? [] : [{ delivery_id: deliveryIds[at]!, reason }],
      );
      return { requeued: statuses.length - refused.length, refused };
    },
    eraseFeatid: (accountId, featidId) => parts.featids.revoke(accountId, featidId, operator),
    eraseReference: (accountId, reference) => eraseOfReference(parts, { accountId, reference }, operator),
    changeAccount: (accountId, change) => store.changeAccount(accountId, change, operator),
    createKey: async (accountId, sandbox) => {
      const account = await accounts.find(accountId);
      if (!account) return null;
      const { key, webhookSecret } = await accounts.createKey(account, { sandbox }, operator);
      return { secret: key, webhook_secret: webhookSecret };
    },
    revokeKey: (accountId, keyId) => accounts.revokeKey(accountId, keyId, operator),
    rotateWebhookSecret: async (accountId, overlapHours) => {
      if (!(await accounts.find(accountId))) return null;
      return parts.webhookSecrets.rotate(accountId, overlapHours * 3600, operator);
    },
  };
}

async function searchChallenges(
  parts: ConsoleParts,
  { text, ...search }: ChallengeQuestion,
): Promise<Page<ConsoleChallenge>> {
  const { store, challenge } = parts;
  const { data, nextBeforeId } = await store.searchChallenges({
    ...search,
    limit: PAGE_SIZE,
    ...(text && { text: { text, referenceTags: await tagsOf(parts, text) } }),
  });
  return {
    data: await Promise.all(data.map((row) => listChallenge(challenge.custody, row))),
    next_cursor: nextBeforeId,
  };
}

/** The query asked for one row more than a page holds: if it is there, there is another page. */
function pageOf<Row>(rows: Row[], idOf: (row: Row) => string): Page<Row> {
  const data = rows.slice(0, PAGE_SIZE);
  return { data, next_cursor: rows.length > PAGE_SIZE ? idOf(data.at(-1)!) : null };
}

/** Audits which filters were set, not their values: a search text may be personal data. */
function noteList<Row>(
  views: ViewAudit,
  operator: string,
  action: string,
  list: { search: object & { readonly beforeId?: string }; page: Page<Row>; idOf: (row: Row) => string },
): Promise<void> {
  const { beforeId: _, ...filters } = list.search;
  return views.noteList(operator, { action, filters, ids: list.page.data.map(list.idOf) });
}

async function linkAsset(
  parts: ConsoleParts,
  operator: string,
  challengeId: string,
  assetId: string,
): Promise<string | null> {
  const found = await parts.store.findChallenge(challengeId);
  const asset = found?.assets.find((each) => each.id === assetId);
  if (!asset || !isLinkable(asset)) return null;
  await parts.store.audit({
    actor: operator,
    action: `${asset.kind}.viewed`,
    accountId: asset.accountId,
    subject: asset.id,
  });
  const settings = { ...parts.challenge.settings, assetLinkTtlSeconds: ASSET_LINK_SECONDS };
  return (await makeAssetLink({ ...parts.challenge, settings }, asset)).presigned_url;
}
