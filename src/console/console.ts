// What the operator may see and do: readings across accounts, opened here where they are sealed, and audited deeds.
import { makeAssetLink } from '../challenge/asset-links.ts';
import type { Asset } from '../challenge/challenge.ts';
import type { ChallengeParts } from '../challenge/parts.ts';
import type {
  AccountChange,
  ConsoleAccount,
  ConsoleAuditLine,
  ConsoleChallenge,
  ConsoleChallengeDetail,
  ConsoleDelivery,
  ConsoleEndpoint,
  ConsoleOverview,
  ConsoleRetention,
  ConsoleScores,
  Page,
  ShownOnce,
} from '../contract/console.ts';
import type { Accounts } from '../keys/accounts.ts';
import type { WebhookSecrets } from '../keys/webhook-secrets.ts';
import type { Deliveries, Redelivery } from '../webhook/deliveries.ts';
import { describeChallenge, openJudged } from './describe-challenge.ts';
import type { ChallengeSearch, ConsoleStore, DeliverySearch } from './store.ts';

/** The audit log's name for whoever is signed in to the console. */
const OPERATOR = 'operator';
/** Long enough to watch a video, too short to pass a link around. */
const ASSET_LINK_SECONDS = 300;
/** Judged challenges whose reasons the overview counts: they are sealed, each is opened. */
const REASONS_OF = 200;
const PAGE_SIZE = 50;

export interface ConsoleParts {
  readonly store: ConsoleStore;
  readonly challenge: Pick<ChallengeParts, 'custody' | 'clock' | 'settings'>;
  readonly deliveries: Pick<Deliveries, 'list' | 'redeliverAny'>;
  readonly accounts: Pick<Accounts, 'list' | 'find' | 'listKeys' | 'createKey' | 'revokeKey'>;
  readonly webhookSecrets: Pick<WebhookSecrets, 'rotate'>;
  /** How the calibration's scores lie; null where it does not say. */
  readonly scores: ConsoleScores | null;
  readonly retention: { readonly assetDays: number; readonly resultDays: number };
}

export interface Console {
  overview(): Promise<ConsoleOverview>;
  challenges(search: Omit<ChallengeSearch, 'limit'>): Promise<Page<ConsoleChallenge>>;
  challenge(challengeId: string): Promise<ConsoleChallengeDetail | null>;
  /** A link to one asset of the challenge, audited, for five minutes; null where it is gone. */
  assetLink(challengeId: string, assetId: string): Promise<string | null>;
  deliveries(search: Omit<DeliverySearch, 'limit'>): Promise<Page<ConsoleDelivery>>;
  redeliver(deliveryId: string): Promise<Redelivery>;
  endpoints(): Promise<ConsoleEndpoint[]>;
  accounts(): Promise<ConsoleAccount[]>;
  changeAccount(accountId: string, change: AccountChange): Promise<boolean>;
  /** The new key, and the secret that signs the webhooks of a sandbox made with it; null where there is no such account. */
  createKey(accountId: string, sandbox: boolean): Promise<ShownOnce | null>;
  revokeKey(accountId: string, keyId: string): Promise<boolean>;
  /** The new secret; the old one signs beside it for the overlap. Null where there is no such account. */
  rotateWebhookSecret(accountId: string, overlapHours: number): Promise<string | null>;
  scores(): ConsoleScores | null;
  audit(beforeId: string | null): Promise<Page<ConsoleAuditLine>>;
  retention(): Promise<ConsoleRetention>;
  /** Writes an audit line of the operator. */
  note(action: string): Promise<void>;
}

export function createConsole(parts: ConsoleParts): Console {
  const { store, accounts } = parts;
  const audit = (action: string, accountId: string | null, subject: string | null) =>
    store.audit({ actor: OPERATOR, action, accountId, subject });
  return {
    overview: async () => {
      const [figures, judged] = await Promise.all([store.readFigures(), store.listJudged(REASONS_OF)]);
      return { ...figures, ...(await countReasons(parts, judged)) };
    },
    challenges: async (search) =>
      pageOf(await store.searchChallenges({ ...search, limit: PAGE_SIZE + 1 }), (row) => row.challenge_id),
    challenge: async (challengeId) => {
      const found = await store.findChallenge(challengeId);
      if (!found) return null;
      const deliveries = await parts.deliveries.list(found.challenge.accountId, challengeId);
      return describeChallenge(parts.challenge.custody, found, deliveries);
    },
    assetLink: (challengeId, assetId) => linkAsset(parts, challengeId, assetId),
    deliveries: async (search) =>
      pageOf(await store.searchDeliveries({ ...search, limit: PAGE_SIZE + 1 }), (row) => row.delivery_id),
    redeliver: async (deliveryId) => {
      const outcome = await parts.deliveries.redeliverAny(deliveryId);
      if (outcome.kind === 'requeued') await audit('delivery.redelivered', null, deliveryId);
      return outcome;
    },
    endpoints: () => store.listEndpoints(),
    accounts: () => listAccounts(parts),
    changeAccount: (accountId, change) => store.changeAccount(accountId, change, OPERATOR),
    createKey: async (accountId, sandbox) => {
      const account = await accounts.find(accountId);
      if (!account) return null;
      const { key, webhookSecret } = await accounts.createKey(account, { sandbox }, OPERATOR);
      return { secret: key, webhook_secret: webhookSecret };
    },
    revokeKey: (accountId, keyId) => accounts.revokeKey(accountId, keyId, OPERATOR),
    rotateWebhookSecret: async (accountId, overlapHours) => {
      if (!(await accounts.find(accountId))) return null;
      return parts.webhookSecrets.rotate(accountId, overlapHours * 3600, OPERATOR);
    },
    scores: () => parts.scores,
    audit: async (beforeId) => pageOf(await store.listAudit(beforeId, PAGE_SIZE + 1), (row) => row.id),
    retention: async () => ({
      asset_retention_days: parts.retention.assetDays,
      result_retention_days: parts.retention.resultDays,
      held: await store.readHeld(),
    }),
    note: (action) => audit(action, null, null),
  };
}

/** Rows were asked for one more than a page holds: that one says that there is another page. */
function pageOf<Row>(rows: Row[], idOf: (row: Row) => string): Page<Row> {
  const data = rows.slice(0, PAGE_SIZE);
  return { data, next_cursor: rows.length > PAGE_SIZE ? idOf(data.at(-1)!) : null };
}

async function countReasons(
  parts: ConsoleParts,
  judged: Awaited<ReturnType<ConsoleStore['listJudged']>>,
): Promise<Pick<ConsoleOverview, 'reasons' | 'reasons_of'>> {
  const counts = new Map<string, number>();
  for (const challenge of judged) {
    const result = await openJudged(parts.challenge.custody, challenge);
    for (const reason of result?.reasons ?? []) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const reasons = [...counts].map(([reason, count]) => ({ reason, count }));
  return { reasons: reasons.sort((a, b) => b.count - a.count), reasons_of: judged.length };
}

async function linkAsset(parts: ConsoleParts, challengeId: string, assetId: string): Promise<string | null> {
  const found = await parts.store.findChallenge(challengeId);
  const asset = found?.assets.find((each) => each.id === assetId);
  if (!asset || !isShown(asset)) return null;
  await parts.store.audit({
    actor: OPERATOR,
    action: `${asset.kind}.viewed`,
    accountId: asset.accountId,
    subject: asset.id,
  });
  const settings = { ...parts.challenge.settings, assetLinkTtlSeconds: ASSET_LINK_SECONDS };
  return (await makeAssetLink({ ...parts.challenge, settings }, asset)).presigned_url;
}

const isShown = (asset: Asset): asset is Asset & { kind: 'liveness_video' | 'best_frame' } =>
  asset.kind !== 'logo';

async function listAccounts(parts: ConsoleParts): Promise<ConsoleAccount[]> {
  const all = await parts.accounts.list();
  return Promise.all(
    all.map(async (account) => ({
      account_id: account.id,
      name: account.name,
      display_name: account.displayName,
      purpose: account.purpose,
      privacy_url: account.privacyUrl,
      sandbox: account.sandboxOf !== null,
      created_at: account.createdAt.toISOString(),
      keys: (await parts.accounts.listKeys(account.id)).map((key) => ({
        key_id: key.id,
        hint: key.hint,
        sandbox: key.sandbox,
        created_at: key.createdAt.toISOString(),
        last_used_at: key.lastUsedAt?.toISOString() ?? null,
        expires_at: key.expiresAt?.toISOString() ?? null,
        revoked_at: key.revokedAt?.toISOString() ?? null,
      })),
    })),
  );
}
