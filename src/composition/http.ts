// The parts of the HTTP server: the services behind its routes, and settings read from the configuration.
import { resolve } from 'node:path';
import { notificationFaults } from '../challenge/creating/request-rules.ts';
import type { Config } from '../config/config.ts';
import { describeVariables, READ_ELSEWHERE } from '../config/describe.ts';
import { VERSION } from '../config/version.ts';
import { createBrowserNotes } from '../console/tables/browsers.ts';
import type { ConsoleServices, HttpServices } from '../http/services.ts';
import type { HttpSettings } from '../http/settings.ts';
import { composeTrial } from './development/trial.ts';
import type { Foundation } from './foundation.ts';
import { createLogoReview } from './logo-review.ts';
import { createReadiness } from './readiness.ts';
import type { Services } from './services.ts';

const packageRoot = resolve(import.meta.dirname, '..', '..');
const CAPTURE_PAGE_DIR = resolve(packageRoot, 'build', 'web', 'capture');
const CONSOLE_PAGE_DIR = resolve(packageRoot, 'build', 'web', 'console');
const REFERENCE_PAGE_DIR = resolve(packageRoot, 'build', 'web', 'reference');
const DOCS_DIR = resolve(packageRoot, 'docs');

/**
 * Composes the services behind the routes. `console` is null if it is off; with CONSOLE_PORT it has its own server.
 * `further`: what rooms add that the HTTP surface does not know.
 */
export function composeHttpServices(
  foundation: Foundation,
  services: Services,
  console: ConsoleServices | null,
  further: Pick<HttpServices, 'furtherRoutes' | 'browserTie'>,
): HttpServices {
  const { config, database, accounts, receiptKeys } = foundation;
  const { challengeParts, challenges, deliveries, featids, passkeys, pictures, idempotency } = services;
  return {
    accounts,
    challenges,
    reviewLogo: createLogoReview(challengeParts),
    receiptKeys,
    deliveries,
    featids,
    passkeys,
    pictures,
    console: config.CONSOLE_PORT === 0 ? console : 'elsewhere',
    trial: composeTrial(foundation, challenges),
    furtherRoutes: further.furtherRoutes,
    browserTie: further.browserTie,
    noteBrowser: createBrowserNotes(database.db),
    idempotency,
    readiness: createReadiness(database.db, challengeParts.assets, challengeParts.room),
    endpointFaults: (configuration, pointer) =>
      notificationFaults(configuration, pointer, challengeParts.settings),
  };
}

/** All settings except those of this process: where its log and metrics go, and whether it is stopping. */
export function httpSettings(config: Config): Omit<HttpSettings, 'logger' | 'metrics' | 'isStopping'> {
  return {
    baseUrl: config.baseUrl,
    region: config.REGION,
    version: VERSION,
    trustProxy: config.TRUST_PROXY,
    frameAncestors: config.FRAME_ANCESTORS,
    capturePageDir: CAPTURE_PAGE_DIR,
    consolePageDir: CONSOLE_PAGE_DIR,
    referencePageDir: REFERENCE_PAGE_DIR,
    docsDir: DOCS_DIR,
    variables: describeVariables(),
    readElsewhere: READ_ELSEWHERE,
    tryOut: config.MODE === 'development',
    passkeyAttestation: config.passkeyMakers === null ? 'none' : 'direct',
    keyRatePerMinute: config.limits.keyRatePerMinute,
    maxPictureBytes: config.limits.maxPictureBytes,
    pageRatePerMinute: config.limits.pageRatePerMinute,
    wrongKeyRatePerMinute: config.limits.wrongKeyRatePerMinute,
  };
}
