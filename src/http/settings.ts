// Settings of the HTTP surface.
import type { Registry } from 'prom-client';
import type { Logger } from '../base/log.ts';
import type { DocumentedVariable, NamedVariable } from './documents/configuration-page.ts';
import type { HttpLimits } from './guards/limits.ts';

export interface HttpSettings {
  /** Public address of this region, without a trailing slash. */
  readonly baseUrl: string;
  readonly region: string;
  readonly version: string;
  /** TRUST_PROXY as configured: false, true, a hop count, or addresses and networks separated by commas. */
  readonly trustProxy: string;
  /** CSP frame-ancestors of the capture page. */
  readonly frameAncestors: string;
  /** What the capture page asks of a device's maker when it makes a passkey. */
  readonly passkeyAttestation: 'none' | 'direct';
  /** Folder of the built capture page. */
  readonly capturePageDir: string;
  /** Folder of the built console page. */
  readonly consolePageDir: string;
  /** Folder of the built page of the API reference. */
  readonly referencePageDir: string;
  /** Folder of the documentation (Markdown). */
  readonly docsDir: string;
  /** For /docs/configuration. */
  readonly variables: readonly DocumentedVariable[];
  /** Those that libraries and commands read for themselves, for the same page. */
  readonly readElsewhere: readonly NamedVariable[];
  /** Whether /docs/api may call the API, in development. */
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
