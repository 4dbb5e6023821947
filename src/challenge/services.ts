// The services of this room as http and jobs call them: inputs, and every expected outcome as a value.
import type { Readable } from 'node:stream';
import type { ByteRange } from '../base/sized-bytes.ts';
import type { CaptureConflict } from '../contract/capture-conflict.ts';
import type {
  CaptureOutcome,
  CaptureProgress,
  CaptureState,
  CommitRequest,
  ConsentRequest,
  IssuedCapture,
  IssueRequest,
  ReceivedBytes,
  SlicesRequest,
  StartAnswer,
} from '../contract/capture-page.ts';
import type { CreateChallengeRequest, CreateChallengeResponse } from '../contract/challenge-request.ts';
import type { DeadLinkState } from '../contract/dead-link.ts';
import type { PasskeyAnswer } from '../contract/device.ts';
import type { PageEventRequest } from '../contract/page-event.ts';
import type { FieldFault, ProblemKind } from '../contract/problem.ts';
import type { ChallengeResult, ChallengeSummary } from '../contract/result.ts';
import type { SandboxOutcome } from '../contract/sandbox.ts';
import type { ChallengeStatus } from '../contract/states.ts';
import type { ClientWords } from './challenge.ts';

/** The caller of the API, as its API key identifies it. */
export interface Caller {
  readonly accountId: string;
  /** API key id: the audit log's actor. */
  readonly actor: string;
  readonly sandbox: boolean;
}

/** Why nothing is created. */
export type CreateRefusal =
  | { readonly status: 'invalid'; readonly faults: readonly FieldFault[] }
  /** FeatureIDs that are paused after failed comparisons, and when all of them may be named again. */
  | { readonly status: 'paused'; readonly faults: readonly FieldFault[]; readonly retryAfterSeconds: number }
  /** A limit of the account is reached (`creating/account-limits.ts`). */
  | { readonly status: 'limit_reached'; readonly limit: ProblemKind; readonly retryAfterSeconds: number };

export type CreateOutcome =
  /** `replayed`: this repeats the answer to an earlier request with the same idempotency key and body. */
  | ({ readonly replayed: boolean } & (
      | { readonly status: 'created'; readonly response: CreateChallengeResponse }
      | CreateRefusal
    ))
  | { readonly status: 'in_flight' }
  | { readonly status: 'key_reused' };

/** A request to create a challenge. */
export interface CreateRequest {
  readonly body: CreateChallengeRequest;
  /**
   * Faults that the schema found in the body, which may then have any shape; the rules across fields are still checked.
   */
  readonly schemaFaults?: readonly FieldFault[];
  readonly idempotencyKey?: string | null;
  /** The words of a client of the account, if that asks instead of the account itself. */
  readonly words?: ClientWords;
}

export interface NotFound {
  readonly status: 'not_found';
}

export type ReadOutcome = { readonly status: 'ok'; readonly result: ChallengeResult } | NotFound;

export type ReceiptOutcome =
  /** A compact JWS. */
  | { readonly status: 'ok'; readonly receipt: string }
  | NotFound
  | { readonly status: 'not_completed'; readonly current: ChallengeStatus }
  /**
   * `sandbox`: nobody was judged. `not_judged`: no judgement was completed, or the result was stored before receipts
   * existed.
   */
  | { readonly status: 'none'; readonly because: 'sandbox' | 'not_judged' };

/** `cursor` is the `next_cursor` of an earlier answer. */
export interface ListQuery {
  readonly status?: ChallengeStatus;
  readonly customer_reference?: string;
  readonly created_after?: string;
  readonly created_before?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

export type ListOutcome =
  | { readonly status: 'ok'; readonly data: ChallengeSummary[]; readonly next_cursor: string | null }
  | { readonly status: 'invalid_cursor' };

export type CancelOutcome =
  | { readonly status: 'ok'; readonly result: ChallengeResult }
  | NotFound
  /** Already closed, but not by cancelling. */
  | { readonly status: 'conflict'; readonly current: ChallengeStatus };

export type EraseOutcome = { readonly status: 'erased' } | NotFound;

/** A challenge link as the browser presents it. */
export interface Link {
  /** The part of the URL after /c/. */
  readonly token: string;
  /** The Likeness-Device header, if the page sent one. */
  readonly device?: string | undefined;
}

/** Why a link does not work: unknown (404), or closed or expired (410; the page learns which, and whose it was). */
export type DeadLink =
  | NotFound
  | {
      readonly status: 'closed';
      readonly current: ChallengeStatus;
      readonly owner: NonNullable<DeadLinkState['owner']>;
    };

/** Why the state refuses a step of the capture flow (409 `state-conflict`). Stable codes. */
export type FlowConflict = {
  readonly status: 'conflict';
  readonly code: Exclude<CaptureConflict, 'wrong_offset' | 'wrong_slice'>;
  /** Seconds until the step may be taken, if it only has to wait. */
  readonly retryAfterSeconds?: number;
};

/** Unavailable at present: the judgement queue or the disks are full, or the account's storage quota is used up. */
export interface Unavailable {
  readonly status: 'unavailable';
  readonly because: 'queue_full' | 'storage_full' | 'account_full';
}

export type StateOutcome = { readonly status: 'ok'; readonly state: CaptureState } | DeadLink;
export type StartOutcome = { readonly status: 'ok'; readonly answer: StartAnswer } | DeadLink | FlowConflict;
export type ConsentOutcome =
  | { readonly status: 'ok'; readonly state: CaptureState }
  | DeadLink
  | FlowConflict;
export type EventOutcome = { readonly status: 'ok' } | DeadLink | FlowConflict;
export type IssueOutcome =
  | { readonly status: 'ok'; readonly capture: IssuedCapture }
  | Unavailable
  /**
   * Every FeatureID that the challenge compares with is paused after failed comparisons, so the person would record in
   * vain.
   */
  | { readonly status: 'paused'; readonly retryAfterSeconds: number }
  | DeadLink
  | FlowConflict;
export type ProgressOutcome =
  | { readonly status: 'ok'; readonly progress: CaptureProgress }
  | DeadLink
  | FlowConflict;
/** Outcome of an announcement, the commit or a chunk. */
export type UploadOutcome =
  | { readonly status: 'ok'; readonly received: ReceivedBytes }
  /** 409 with the server's position, from which the page continues. */
  | { readonly status: 'wrong_slice' | 'wrong_offset'; readonly received: ReceivedBytes }
  | Unavailable
  | DeadLink
  | FlowConflict;
/** Closed challenges are an answer here (`done`, `expired`, `cancelled`), not a dead link. */
export type AwaitedOutcome =
  | { readonly status: 'ok'; readonly outcome: CaptureOutcome }
  | NotFound
  | FlowConflict;
export type LogoOutcome = { readonly status: 'ok'; readonly png: Buffer } | NotFound;

export type AssetOutcome =
  | {
      readonly status: 'ok';
      readonly mimeType: string;
      readonly sizeBytes: number;
      /** Opens the bytes or a part of them, and leaves an audit line. Read the stream to its end or destroy it. */
      open(range?: ByteRange): Promise<Readable>;
    }
  | NotFound
  /** The signature is valid but the link has expired: 410. */
  | { readonly status: 'expired' };

/** Every operation on challenges that other rooms may call. */
export interface ChallengeServices {
  /** Checks the rules across fields in addition to the schema: all faults at once. */
  create(caller: Caller, request: CreateRequest): Promise<CreateOutcome>;
  /** Giving out a result leaves an audit line. */
  read(caller: Caller, challengeId: string): Promise<ReadOutcome>;
  /** The signed receipt of a completed challenge; giving it out leaves an audit line. */
  receipt(caller: Caller, challengeId: string): Promise<ReceiptOutcome>;
  isKnown(accountId: string, challengeId: string): Promise<boolean>;
  list(caller: Caller, query: ListQuery): Promise<ListOutcome>;
  cancel(caller: Caller, challengeId: string): Promise<CancelOutcome>;
  erase(caller: Caller, challengeId: string): Promise<EraseOutcome>;

  state(link: Link): Promise<StateOutcome>;
  start(link: Link): Promise<StartOutcome>;
  consent(link: Link, body: ConsentRequest): Promise<ConsentOutcome>;
  recordEvent(link: Link, event: PageEventRequest): Promise<EventOutcome>;
  /** `read` is called only if the page may send a recording. */
  tryWay(link: Link, read: () => Promise<Uint8Array>): Promise<EventOutcome>;
  issueCapture(link: Link, body?: IssueRequest): Promise<IssueOutcome>;
  /** Ends a sandbox challenge as its page's button says; `not_found` for any other. */
  settleInSandbox(link: Link, outcome: SandboxOutcome): Promise<EventOutcome>;
  announce(link: Link, captureId: string, body: SlicesRequest): Promise<UploadOutcome>;
  commit(link: Link, captureId: string, body: CommitRequest): Promise<UploadOutcome>;
  answerPasskey(link: Link, captureId: string, answer: PasskeyAnswer): Promise<UploadOutcome>;
  progress(link: Link, captureId: string): Promise<ProgressOutcome>;
  /** `read` is called only if the bytes at this offset are wanted. */
  acceptBytes(
    link: Link,
    captureId: string,
    offset: number,
    read: () => Promise<Uint8Array>,
  ): Promise<UploadOutcome>;
  /** Resolves when the status leaves `processing`, or after `waitMs`. `signal` ends the wait early. */
  outcome(link: Link, waitMs: number, signal?: AbortSignal): Promise<AwaitedOutcome>;
  logo(link: Link): Promise<LogoOutcome>;

  /** GET /assets/links/{asset_id}: the link's own signature is the only credential. */
  readAsset(assetId: string, query: { expires: string; signature: string }): Promise<AssetOutcome>;
  /** The webhook room's PayloadSource. */
  payloads(
    challenges: readonly { accountId: string; challengeId: string }[],
  ): Promise<({ status: 'ready'; result: ChallengeResult } | { status: 'gone' })[]>;
}
