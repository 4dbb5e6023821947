// What the console reads across accounts. Every method is one reading of the database (src/storage); nothing is opened here.
import type { Asset, Capture, Challenge, ListedChallenge, StoredEvent } from '../challenge/challenge.ts';
import type {
  AccountChange,
  ConsoleAuditLine,
  ConsoleDelivery,
  ConsoleEndpoint,
  ConsoleOverview,
  ConsoleRetention,
} from '../contract/console.ts';
import type { ChallengeStatus, DeliveryStatus } from '../contract/states.ts';

export interface ChallengeSearch {
  /** Beginning of an id, part of an account's name; or a whole reference, by its tags in all accounts. */
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
    /** Where there is another page: what to ask for with `beforeId`. */
    readonly nextBeforeId: string | null;
  }>;
  /** A challenge of whatever account, with all that lies in clear around it. */
  findChallenge(challengeId: string): Promise<{
    challenge: Challenge;
    accountName: string;
    events: StoredEvent[];
    captures: Capture[];
    assets: (Asset & { deleteAfter: Date | null })[];
  } | null>;
  /** Ids of judged challenges, newest first; none of the sandbox. */
  listJudgedIds(limit: number): Promise<string[]>;
  /** Those of them that are still there, with their sealed results, in no order. */
  readJudged(challengeIds: readonly string[]): Promise<Challenge[]>;
  searchDeliveries(search: DeliverySearch): Promise<Omit<ConsoleDelivery, 'endpoint'>[]>;
  /** `lastDeliveryId`: one of the latest deliveries to it; null where there is none among them. */
  listEndpoints(): Promise<(ConsoleEndpoint & { readonly lastDeliveryId: string | null })[]>;
  listAudit(beforeId: string | null, limit: number): Promise<ConsoleAuditLine[]>;
  readFigures(): Promise<Omit<ConsoleOverview, 'reasons' | 'reasons_of'>>;
  readHeld(): Promise<ConsoleRetention['held']>;
  /** False where there is no such account. Writes its audit line. */
  changeAccount(accountId: string, change: AccountChange, actor: string): Promise<boolean>;
  /** Notes that somebody looked at something (`best_frame.viewed`) or came in (`console.login`). Nothing personal. */
  audit(entry: {
    readonly actor: string;
    readonly action: string;
    readonly accountId: string | null;
    readonly subject: string | null;
    readonly detail?: object;
  }): Promise<void>;
}
