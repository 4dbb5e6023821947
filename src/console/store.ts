// What the console reads across accounts. Every method is one database access (src/storage); nothing is unsealed here.
import type { Asset, Capture, Challenge, ListedChallenge, StoredEvent } from '../challenge/challenge.ts';
import type {
  AccountChange,
  ConsoleAuditLine,
  ConsoleDay,
  ConsoleDelivery,
  ConsoleEndpoint,
  ConsoleOverview,
  ConsoleRetention,
} from '../contract/console.ts';
import type { ChallengeStatus, DeliveryStatus } from '../contract/states.ts';

export interface ChallengeSearch {
  /** Beginning of an id, part of an account's name, or a complete reference, found by its tags in all accounts. */
  readonly text?: { readonly text: string; readonly referenceTags: readonly Buffer[] };
  readonly status?: ChallengeStatus;
  readonly result?: 'pass' | 'fail';
  readonly beforeId?: string;
  readonly limit: number;
}

export interface DeliverySearch {
  readonly status?: DeliveryStatus;
  readonly beforeId?: string;
  readonly limit: number;
}

export interface ConsoleStore {
  /** Newest first. */
  searchChallenges(search: ChallengeSearch): Promise<{
    readonly data: readonly (ListedChallenge & { readonly accountName: string })[];
    /** `beforeId` of the next page; null if there is none. */
    readonly nextBeforeId: string | null;
  }>;
  /** A challenge of any account, with its events, captures and assets. */
  findChallenge(challengeId: string): Promise<{
    challenge: Challenge;
    accountName: string;
    events: StoredEvent[];
    captures: Capture[];
    assets: (Asset & { deleteAfter: Date | null })[];
  } | null>;
  /** Ids of judged challenges, newest first, without those of sandboxes. */
  listJudgedIds(limit: number): Promise<string[]>;
  /** Those of these challenges that still exist, with their sealed results, in no particular order. */
  readJudged(challengeIds: readonly string[]): Promise<Challenge[]>;
  searchDeliveries(search: DeliverySearch): Promise<Omit<ConsoleDelivery, 'endpoint'>[]>;
  listEndpoints(): Promise<(ConsoleEndpoint & { readonly lastDeliveryId: string })[]>;
  listAudit(beforeId: string | null, limit: number): Promise<ConsoleAuditLine[]>;
  /** What is bounded, whatever the tables hold. */
  readFigures(): Promise<Omit<ConsoleOverview, 'days' | 'reasons' | 'reasons_of'>>;
  /** Counts whole ranges of a table; null if that takes too long. */
  countDays(): Promise<ConsoleDay[] | null>;
  /** Counts whole tables; what takes too long is null. */
  countHeld(): Promise<ConsoleRetention['held']>;
  /** Changes an account and writes the audit line. False if there is no such account. */
  changeAccount(accountId: string, change: AccountChange, actor: string): Promise<boolean>;
  /** Writes an audit line for a view (`best_frame.viewed`) or a sign-in (`console.login`). No personal data. */
  audit(entry: {
    readonly actor: string;
    readonly action: string;
    readonly accountId: string | null;
    readonly subject: string | null;
    readonly detail?: object;
  }): Promise<void>;
}
