// Section 3 of the assurance report: how the judgement errs in this deployment, from counts.
import {
  countSealed,
  type Measures,
  NEWEST,
  readMeasures,
  type SealedOutcomes,
} from '../console/sealed-outcomes.ts';
import { unlessTooMany } from '../console/tables/figures.ts';
import type { Outcomes, SentBack } from '../console/tables/outcomes.ts';
import type { ConsoleStore } from '../console/tables/store.ts';
import { DeviceResult } from '../contract/device.ts';
import { quantile } from '../evaluation/liveness/statistics.ts';
import type { Custody } from '../keys/account-keys.ts';
import type { Own, OwnRow, SentBackRow, Share, Spread } from '../lab/assurance/contents.ts';
import { wilsonInterval } from '../lab/intervals.ts';

const QUANTILES = [0.1, 0.25, 0.5, 0.75, 0.9] as const;

const DEVICE_STATUSES = DeviceResult.properties.status.enum;

const NOT_RECORDED = ['who was an attacker, and who compared with a FeatureID of somebody else'];

/**
 * Whatever takes longer than a statement of this pool may is null.
 * @param since only challenges that ended since then; null for all that are kept
 */
export async function countOwn(store: ConsoleStore, custody: Custody, since: Date | null): Promise<Own> {
  const rates = await store.countOutcomes(since);
  const reasons = await store.countSentBack(since);
  const sentBack = await unlessTooMany(readMeasures(store, custody, 'rejected', since));
  const judged = await unlessTooMany(readMeasures(store, custody, 'judged', since));
  const sealed = await unlessTooMany(countSealed(store, custody, since));
  return {
    since: since?.toISOString() ?? null,
    rates: rates?.map(ownRow) ?? null,
    sent_back: reasons?.map(sentBackRow) ?? null,
    spreads: {
      newest: NEWEST,
      measured: sentBack &&
        judged && [...spreadsOf('sent back', sentBack), ...spreadsOf('judged for good', judged)],
    },
    sealed: sealed && sealedOf(sealed),
    not_recorded: NOT_RECORDED,
  };
}

function ownRow({ by, name, people, ...counts }: Outcomes): OwnRow {
  return {
    by,
    name,
    first_try: shareOf(counts.passed_first, people),
    three_tries: shareOf(counts.passed, people),
    gave_up: shareOf(counts.gave_up, people),
    median_seconds: counts.median_seconds,
    p90_seconds: counts.p90_seconds,
  };
}

const sentBackRow = ({ by, name, reason, count, people }: SentBack): SentBackRow => ({
  by,
  name,
  reason,
  share: shareOf(count, people),
});

function spreadsOf(recordings: Spread['recordings'], { brightness, face_size }: Measures): Spread[] {
  const spreadOf = (measure: Spread['measure'], values: readonly number[]): Spread => ({
    recordings,
    measure,
    n: values.length,
    quantiles: values.length === 0 ? null : QUANTILES.map((share) => Math.round(quantile(values, share))),
  });
  return [spreadOf('light', brightness), spreadOf('distance', face_size)];
}

function sealedOf({ opened, reasons, withDevices, statuses }: SealedOutcomes): Own['sealed'] {
  const shares = [...reasons].map(([reason, count]) => ({ reason, share: shareOf(count, opened) }));
  return {
    newest: NEWEST,
    opened,
    reasons: shares.sort((a, b) => b.share.count - a.share.count || a.reason.localeCompare(b.reason, 'en')),
    devices: shareOf(withDevices, opened),
    device_statuses: DEVICE_STATUSES.map((status) => ({
      status,
      share: shareOf(statuses.get(status) ?? 0, withDevices),
    })),
  };
}

const shareOf = (count: number, n: number): Share => ({
  count,
  n,
  rate: n === 0 ? null : count / n,
  interval: wilsonInterval(count, n),
});
