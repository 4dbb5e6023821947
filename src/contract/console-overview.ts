// The console's overview: how people fare, what waits and what fails. Response of /console/api/overview?scope=….
import type { AccessibleWay } from './accessible-way.ts';
import type { ConsoleEndpoint } from './console-deliveries.ts';

/** Which challenges the overview counts. */
export const CONSOLE_SCOPES = ['live', 'sandbox', 'both'] as const;
export type ConsoleScope = (typeof CONSOLE_SCOPES)[number];

/** Challenges created on one day (UTC), and what has become of them. */
export interface ConsoleDay {
  readonly day: string;
  readonly created: number;
  readonly passed: number;
  readonly failed: number;
  readonly expired: number;
  readonly cancelled: number;
}

/** How people fared who recorded themselves, in challenges that have ended. */
export interface ConsoleOutcomes {
  /**
   * `browser`: its family, such as `chromium`. `reason`: why the first recording was sent back; people whose was not have no
   * such row.
   */
  readonly by: 'all' | 'day' | 'browser' | 'level' | 'reason';
  readonly name: string;
  readonly people: number;
  /** Passed with the first recording. */
  readonly passed_first: number;
  /** Passed with any of the recordings that a challenge allows. */
  readonly passed: number;
  /** From the tap on start to the result, of those who passed. */
  readonly median_seconds: number | null;
  readonly p90_seconds: number | null;
}

export interface ConsoleOverview {
  readonly scope: ConsoleScope;
  /** The last 30 days, oldest first, counted at most a minute ago; null if counting them takes too long. */
  readonly days: readonly ConsoleDay[] | null;
  /**
   * By day, browser, level and reason: of each of the last 30 days the newest `outcomes_of`. Counted at most a minute ago; null if
   * counting them takes too long.
   */
  readonly outcomes: readonly ConsoleOutcomes[] | null;
  /** Most challenges of a day that `outcomes` covers. */
  readonly outcomes_of: number;
  /** How many people reached each step in the newest challenges. */
  readonly funnel: {
    readonly created: number;
    /** The person tapped start. */
    readonly opened: number;
    /** The camera was allowed. */
    readonly camera: number;
    /** A recording arrived. */
    readonly recorded: number;
    readonly judged: number;
    readonly passed: number;
    /** Challenges with a recording that was sent back, by the reason shown to the person; the most frequent first. */
    readonly sent_back: readonly { readonly reason: string; readonly count: number }[];
    /** Judged challenges whose result is that of a recording in which something was left out. */
    readonly ways: readonly { readonly way: AccessibleWay; readonly count: number }[];
  };
  /** How often each reason occurred in the results of the latest judged challenges. */
  readonly reasons: readonly { readonly reason: string; readonly count: number }[];
  /** Number of challenges that `reasons` covers. */
  readonly reasons_of: number;
  /** Time from the end of an upload to the result in the newest `n` judged challenges. */
  readonly judgement_ms: { readonly n: number; readonly median: number | null; readonly p95: number | null };
  /** Counted at most a minute ago; null if that takes too long. */
  readonly queue: { readonly waiting: number | null; readonly oldest_seconds: number | null };
  /** Counted at most a minute ago; null if that takes too long. */
  readonly deliveries: { readonly pending: number | null; readonly failed_last_day: number | null };
  /** Receivers of undelivered events, those with the most first; at most five. */
  readonly failing: readonly ConsoleEndpoint[];
}
