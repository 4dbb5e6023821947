// A change to one challenge as one transaction: compare-and-set of the row by the lifecycle's rule, together with
// captures, assets, FeatureID, events, deliveries, jobs and audit. All or nothing.
import { type RawBuilder, type Selectable, sql, type UpdateObject } from 'kysely';
import type { DeviceResult } from '../../contract/device.ts';
import { type ComparisonBar, countFailures, lockForComparison } from '../../featid/tables/guard.ts';
import { insertFeatid } from '../../featid/tables/keys.ts';
import { eraseVideoKeys } from '../../keys/tables/challenge-keys.ts';
import { insertPasskey, usePasskey } from '../../passkeys/tables/store.ts';
import { writeAudit } from '../../storage/postgres/audit.ts';
import { clockNow } from '../../storage/postgres/clock.ts';
import { notifyWaiting } from '../../storage/postgres/coordination/notifier.ts';
import type { Database, Trx } from '../../storage/postgres/database.ts';
import type { Schema } from '../../storage/postgres/schema.ts';
import { insertDeliveries } from '../../webhook/tables/store.ts';
import type { NewAsset } from '../challenge.ts';
import { ACTIONS, type Action, type AnyChange, type Guard, isClosed } from '../lifecycle.ts';
import { abandonOpenCaptures, changeCapture, hasNoRecordingUnderWay } from './capture-changes.ts';
import { DISCARDED_ASSET } from './rows.ts';
import type { ChallengeTable } from './schema.ts';

type ChangedRow = Selectable<ChallengeTable> & { changed_at: Date };

/** A page may repeat its small events endlessly; events beyond this number are not recorded. */
const MAX_PAGE_EVENTS = 200;

/** To the millisecond, as results show it, so that event and column have the same time. */
const MILLISECOND_NOW = sql<Date>`date_trunc('milliseconds', clock_timestamp())`;

/** The lifecycle's guards as conditions on the challenge's row. */
const GUARDS: Readonly<Record<Guard, (change: AnyChange) => RawBuilder<boolean>>> = {
  // Null equals nothing: a change that brings no device is refused.
  device: ({ device = null }) => sql`device_token_hash = ${device}`,
  unbound: () => sql`device_token_hash is null`,
  replaces: ({ replaces = null }) => sql`device_token_hash = ${replaces}`,
  idle: () => hasNoRecordingUnderWay,
  consent: () => sql`(public_request -> 'require_consent' = 'false' or consent_given_at is not null)`,
};

export type ApplyOutcome =
  | { readonly status: 'applied' }
  | { readonly status: 'refused' }
  /**
   * Nothing was written: scores of these FeatureIDs, each with the reason, may not be revealed, or the passkey does not
   * count (`passkey`).
   */
  | {
      readonly status: 'barred';
      readonly featids: ReadonlyMap<string, ComparisonBar>;
      readonly passkey: boolean;
    };

/** Rolls back the transaction if a later guard fails. */
class Refused extends Error {
  readonly outcome: Exclude<ApplyOutcome, { status: 'applied' }>;

  constructor(outcome: Refused['outcome'] = { status: 'refused' }) {
    super(outcome.status);
    this.outcome = outcome;
  }
}

export async function applyChange(
  db: Database,
  change: AnyChange,
  assetRetentionDays: number,
): Promise<ApplyOutcome> {
  const action: Action = ACTIONS[change.action];
  try {
    return await db.transaction().execute(async (trx) => {
      const row = await compareAndSet(trx, action, change);
      if (!row) return { status: 'refused' };
      if (change.capture && !(await changeCapture(trx, row.id, change.capture))) throw new Refused();
      await insertAssets(trx, change.assets ?? []);
      if (change.featid) await insertFeatid(trx, change.featid);
      if (change.guess && change.guess.featidIds.length > 0) await guess(trx, change.guess);
      await takePasskey(trx, change);
      if (action.does.to || (await hasRoomForEvents(trx, row.id))) {
        const detail = change.cause ? JSON.stringify({ cause: change.cause }) : null;
        await insertEvents(trx, [{ challengeId: row.id, at: eventTime(row, change), detail }], action);
      }
      await insertDeliveries(trx, change.deliveries ?? []);
      if (change.audit) {
        await writeAudit(trx, { ...change.audit, accountId: row.account_id, subject: row.id });
      }
      if (change.deviceResult) await auditDevice(trx, row, change.deviceResult);
      if (row.closed_at) await releaseClosed(trx, [row.id], action, assetRetentionDays);
      if (action.requires.from.includes('processing')) await notifyWaiting(trx, row.id);
      return { status: 'applied' };
    });
  } catch (error) {
    if (error instanceof Refused) return error.outcome;
    throw error;
  }
}

async function guess(trx: Trx, { featidIds, hasFailed }: NonNullable<AnyChange['guess']>): Promise<void> {
  const featids = await lockForComparison(trx, featidIds);
  if (featids.size > 0) throw new Refused({ status: 'barred', featids, passkey: false });
  if (hasFailed) await countFailures(trx, featidIds);
}

async function takePasskey(trx: Trx, { passkeyUse, newPasskey }: AnyChange): Promise<void> {
  const counts =
    (!passkeyUse || (await usePasskey(trx, passkeyUse))) &&
    (!newPasskey || (await insertPasskey(trx, newPasskey.featidId, newPasskey.passkey)));
  if (!counts) throw new Refused({ status: 'barred', featids: new Map(), passkey: true });
}

/**
 * Notes what the device showed, for an auditor who asks after the challenge is gone. Without `credential_since`: that is
 * the time of another challenge, the one that bound the device, and nothing may link the two.
 */
async function auditDevice(trx: Trx, row: ChangedRow, { status, backed_up }: DeviceResult): Promise<void> {
  await writeAudit(trx, {
    actor: 'system',
    action: 'challenge.device_checked',
    accountId: row.account_id,
    subject: row.id,
    detail: { device_result: { status, backed_up } },
  });
}

/**
 * What closing a challenge also does: abandons open captures, releases its FeatureIDs to retention, and sets the
 * deletion date of assets. Only a completed challenge shows assets; those of any other are discarded immediately.
 */
export async function releaseClosed(
  trx: Trx,
  challengeIds: readonly string[],
  action: Action,
  assetRetentionDays: number,
): Promise<void> {
  await abandonOpenCaptures(trx, challengeIds);
  await trx.deleteFrom('compare_to_featid').where('challenge_id', 'in', challengeIds).execute();
  const keep = action.does.to === 'completed';
  const assets = await trx
    .updateTable('asset')
    .set(
      keep ? { delete_after: sql<Date>`now() + ${assetRetentionDays} * interval '1 day'` } : DISCARDED_ASSET,
    )
    .where('challenge_id', 'in', challengeIds)
    .returning(['challenge_id', 'kind'])
    .execute();
  if (keep) return;
  await eraseVideoKeys(
    trx,
    assets.flatMap(({ challenge_id, kind }) =>
      challenge_id && kind === 'liveness_video' ? [challenge_id] : [],
    ),
  );
}

/** Adds the action's events to each of these challenges, at its own time. */
export async function insertEvents(
  trx: Trx,
  changed: readonly { readonly challengeId: string; readonly at: Date; readonly detail: string | null }[],
  action: Action,
): Promise<void> {
  const rows = changed.flatMap(({ challengeId, at, detail }) =>
    action.does.events.map((name) => ({ challenge_id: challengeId, name, at, detail })),
  );
  if (rows.length > 0) await trx.insertInto('challenge_event').values(rows).execute();
}

async function hasRoomForEvents(trx: Trx, challengeId: string): Promise<boolean> {
  const found = await trx
    .selectFrom('challenge_event')
    .select(sql<number>`count(*)`.as('count'))
    .where('challenge_id', '=', challengeId)
    .executeTakeFirstOrThrow();
  return found.count < MAX_PAGE_EVENTS;
}

/** The columns that every action sets. */
export function columnsOf({ does: { to } }: Action): UpdateObject<Schema, 'challenge'> {
  if (!to) return {};
  return {
    status: to,
    ...(to === 'initiated' && { initiated_at: sql<Date>`coalesce(initiated_at, clock_timestamp())` }),
    // A passkey that was made for a try serves the challenge's next tries only.
    ...(isClosed(to) && { closed_reason: to, closed_at: clockNow, sealed_made_passkey: null }),
  };
}

/** The lifecycle's rule about the deadline, at this time of the database. */
export function isInTime({ requires: { when } }: Action, at: RawBuilder<Date>): RawBuilder<boolean> {
  if (when === 'always') return sql`true`;
  return when === 'beforeExpiry' ? sql`expires_at > ${at}` : sql`expires_at <= ${at}`;
}

async function compareAndSet(trx: Trx, action: Action, change: AnyChange): Promise<ChangedRow | undefined> {
  const guards = action.requires.guards ?? [];
  // A statement that waits for the row sees other tables as they were before its wait, so captures, which change only
  // while the row is held, are read by a statement that begins after it.
  if (guards.includes('idle')) await lockRow(trx, change.challengeId);
  let update = trx
    .updateTable('challenge')
    // Something must be set in order to lock the row if the status does not change.
    .set({ status: sql.ref('status'), ...columnsOf(action), ...ownColumns(change) })
    .where('id', '=', change.challengeId)
    .where('status', 'in', action.requires.from)
    .where(isInTime(action, clockNow));
  for (const guard of guards) update = update.where(GUARDS[guard](change));
  return update.returningAll().returning(clockNow.as('changed_at')).executeTakeFirst();
}

async function lockRow(trx: Trx, challengeId: string): Promise<void> {
  await trx.selectFrom('challenge').select('id').where('id', '=', challengeId).forUpdate().execute();
}

/** The columns of the values that the change brings. */
function ownColumns(change: AnyChange): UpdateObject<Schema, 'challenge'> {
  return {
    ...(change.bindDevice && { device_token_hash: change.bindDevice }),
    // It stays in the browser that made it.
    ...(change.replaces && { sealed_made_passkey: null }),
    ...(change.sealedConsent !== undefined && {
      sealed_consent: change.sealedConsent,
      consent_given_at: change.sealedConsent && MILLISECOND_NOW,
    }),
    ...(change.capture?.kind === 'issue' && { tries_used: sql<number>`tries_used + 1` }),
    ...(change.result && {
      overall_result: change.result.overallResult,
      sealed_result: change.result.sealedResult,
    }),
  };
}

/** An event has the same time as its column. */
function eventTime(row: ChangedRow, change: AnyChange): Date {
  if (change.sealedConsent && row.consent_given_at) return row.consent_given_at;
  if (change.action === 'open' && row.initiated_at) return row.initiated_at;
  return row.closed_at ?? row.changed_at;
}

async function insertAssets(trx: Trx, assets: readonly NewAsset[]): Promise<void> {
  if (assets.length === 0) return;
  const rows = assets.map((asset) => ({
    id: asset.id,
    account_id: asset.accountId,
    challenge_id: asset.challengeId,
    kind: asset.kind,
    mime_type: asset.mimeType,
    size_bytes: asset.sizeBytes,
    sealed_key: asset.sealedKey,
  }));
  await trx.insertInto('asset').values(rows).execute();
}
