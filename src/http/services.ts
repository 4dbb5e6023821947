// What the HTTP surface needs from the other rooms. src/composition wires them together.

import type { FastifyRequest } from 'fastify';
import type { ChallengeServices } from '../challenge/services.ts';
import type { Console } from '../console/console.ts';
import type { OpenidSignIn } from '../console/openid/sign-in.ts';
import type { Sessions } from '../console/sessions.ts';
import type { SignIn } from '../console/sign-in.ts';
import type { NoteBrowser } from '../console/tables/browsers.ts';
import type {
  CreateChallengeResponse,
  CreationWarning,
  NotificationConfiguration,
} from '../contract/challenge-request.ts';
import type { FieldFault } from '../contract/problem.ts';
import type { Featids } from '../featid/featids.ts';
import type { Pictures } from '../featid/pictures.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import type { Accounts } from '../keys/accounts.ts';
import type { ReceiptKeys } from '../keys/receipt-keys.ts';
import type { Passkeys } from '../passkeys/passkeys.ts';
import type { Deliveries } from '../webhook/deliveries.ts';
import type { App } from './app-type.ts';

/** Whether the parts that every request needs respond right now. Names of parts are stable and hold no addresses. */
export interface Readiness {
  check(): Promise<{ ready: boolean; parts: Readonly<Record<string, boolean>> }>;
}

/** A page that another room adds to the console: its routes below /console/api, which only an open session reaches. */
export interface ConsolePage {
  /** Its address within the page, such as `/retention`. */
  readonly path: string;
  /** `consoleOf`: the console as the session of a request sees it. */
  readonly routes: (scope: App, consoleOf: (request: FastifyRequest) => Console) => void;
}

/** The operator's console; present if people can sign in to it. */
export interface ConsoleServices {
  /** The console as this session sees it. */
  readonly consoleOf: (operator: string) => Console;
  readonly furtherPages: readonly ConsolePage[];
  readonly sessions: Sessions;
  /** By the shared password; null if there is none. */
  readonly signIn: SignIn | null;
  readonly openid: OpenidSignIn;
  /** The assurance report as a page; one that was made less than a minute ago is given again. */
  readonly makeAssurance: () => Promise<{ readonly page: string; readonly madeAt: Date }>;
}

/** Routes of another room, below a prefix of their own. They bring their own limits. */
export interface FurtherRoutes {
  readonly prefix: string;
  readonly routes: (scope: App) => Promise<void>;
}

/** Ties challenges to the browser that began them; other challenges may be taken by any browser. */
export interface BrowserBinding {
  /** Name of the cookie by which the browser shows that it began a challenge. */
  readonly cookie: string;
  /** Whether a browser with this cookie may take the challenge of a link. */
  mayTake(linkToken: string, cookie: string | undefined): Promise<boolean>;
}

/** Creates a liveness challenge for the development account, or for its sandbox. */
type Trial = (sandbox: boolean) => Promise<CreateChallengeResponse>;

/** Looks at the logo of a new challenge. Waits a few seconds at most; what is not known by then warns of nothing. */
export type LogoReview = (accountId: string, url: string) => Promise<CreationWarning[]>;

export interface HttpServices {
  /** Null outside development. */
  readonly trial: Trial | null;
  /** Null: the console is off. `elsewhere`: it has a server of its own, and this one serves nothing of it. */
  readonly console: ConsoleServices | null | 'elsewhere';
  readonly accounts: Pick<Accounts, 'recall' | 'authenticate'>;
  readonly challenges: ChallengeServices;
  readonly receiptKeys: Pick<ReceiptKeys, 'published'>;
  readonly reviewLogo: LogoReview;
  readonly deliveries: Deliveries;
  readonly featids: Pick<Featids, 'revoke' | 'unlock'>;
  readonly passkeys: Pick<Passkeys, 'list' | 'revoke'>;
  readonly pictures: Pictures;
  readonly furtherRoutes: readonly FurtherRoutes[];
  /** Null: every challenge may be taken by any browser. */
  readonly browserTie: BrowserBinding | null;
  /** For the console's figures. */
  readonly noteBrowser: NoteBrowser;
  readonly idempotency: Pick<Idempotency, 'claimed'>;
  readonly readiness: Readiness;
  /** Checks a notification configuration's rules beyond its schema; the faults' pointers start with `pointer`. */
  readonly endpointFaults: (configuration: NotificationConfiguration, pointer: string) => FieldFault[];
}
