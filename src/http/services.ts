// What the HTTP surface needs from the other rooms, and its settings. src/composition wires them together.

import type { Registry } from 'prom-client';
import type { Logger } from '../base/log.ts';
import type { ChallengeServices } from '../challenge/services.ts';
import type { Console } from '../console/console.ts';
import type { Sessions } from '../console/sessions.ts';
import type { SignIn } from '../console/sign-in.ts';
import type { CreateChallengeResponse, NotificationConfiguration } from '../contract/challenge-request.ts';
import type { FieldFault } from '../contract/problem.ts';
import type { Featids } from '../featid/featids.ts';
import type { Pictures } from '../featid/pictures.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import type { Accounts } from '../keys/accounts.ts';
import type { ReceiptKeys } from '../keys/receipt-keys.ts';
import type { Oidc } from '../oidc/provider.ts';
import type { Deliveries } from '../webhook/deliveries.ts';
import type { HttpLimits } from './guards/limits.ts';

/** Whether the parts that every request needs respond right now. Names of parts are stable and hold no addresses. */
export interface Readiness {
  check(): Promise<{ ready: boolean; parts: Readonly<Record<string, boolean>> }>;
}

/** The operator's console; present if a password is configured. */
export interface ConsoleServices {
  /** The console as this session sees it. */
  readonly consoleOf: (operator: string) => Console;
  /** Whether it shows clients of the OpenID Provider. */
  readonly hasLogins: boolean;
  readonly sessions: Sessions;
  readonly signIn: SignIn;
}

/** Creates a liveness challenge for the development account, or for its sandbox. */
type Trial = (sandbox: boolean) => Promise<CreateChallengeResponse>;

export interface HttpServices {
  /** Null outside development. */
  readonly trial: Trial | null;
  /** Null: the console is off. `elsewhere`: it has a server of its own, and this one serves nothing of it. */
  readonly console: ConsoleServices | null | 'elsewhere';
  readonly accounts: Pick<Accounts, 'recall' | 'authenticate'>;
  readonly challenges: ChallengeServices;
  readonly receiptKeys: Pick<ReceiptKeys, 'published'>;
  readonly deliveries: Deliveries;
  readonly featids: Pick<Featids, 'revoke' | 'unlock'>;
  readonly pictures: Pictures;
  /** Null: Likeness is not an OpenID Provider. */
  readonly oidc: Oidc | null;
  readonly idempotency: Pick<Idempotency, 'claimed'>;
  readonly readiness: Readiness;
  /** Checks a notification configuration's rules beyond its schema; the faults' pointers start with `pointer`. */
  readonly endpointFaults: (configuration: NotificationConfiguration, pointer: string) => FieldFault[];
}

export interface HttpSettings {
  /** Public address of this region, without a trailing slash. */
  readonly baseUrl: string;
  readonly region: string;
  readonly version: string;
  /** TRUST_PROXY as configured: false, true, a hop count, or addresses and networks separated by commas. */
  readonly trustProxy: string;
  /** CSP frame-ancestors of the capture page. */
  readonly frameAncestors: string;
  /** Folder of the built capture page. */
  readonly capturePageDir: string;
  /** Folder of the built console page. */
  readonly consolePageDir: string;
  /** Folder of the guides (Markdown). */
  readonly guidesDir: string;
  /** Whether to serve /docs/try, a page for trying calls out in development. */
  readonly tryOut: boolean;
  /** Largest picture accepted for a FeatureID. */
  readonly maxPictureBytes: number;
  /** Requests a minute with one API key. */
  readonly keyRatePerMinute: number;
  /** Wrong API keys a minute from one address (IPv6: /64). */
  readonly wrongKeyRatePerMinute: number;
  /** Requests a minute from one address (IPv6: /64) to the capture page and asset links. */
  readonly pageRatePerMinute: number;
  readonly logger: Logger;
  /** This process's metrics registry; requests are recorded in it. */
  readonly metrics: Registry;
  /** Whether this process was told to stop: if so, each answer closes its connection. */
  readonly isStopping: () => boolean;
  readonly limits?: Partial<HttpLimits>;
}
