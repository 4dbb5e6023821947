// Configuration: one schema of the service's environment variables, with defaults and descriptions. read-config.ts
// reads them; describe.ts lists those that are read elsewhere.
import { type Static, Type } from 'typebox';
import type { Prompt } from '../contract/script.ts';
import { DEFAULT_TARGET_FMR } from '../evaluation/settings.ts';
import { DEFAULT_PACK, DEFAULT_PAD_PACK, NO_PAD_PACK } from '../models/packs/read-pack.ts';
import type { Limits } from './limits.ts';
import { LIVENESS_VARIABLES } from './liveness-variables.ts';
import { OBSERVATION_VARIABLES } from './observation-variables.ts';
import { PROCESS_VARIABLES } from './process-variables.ts';

const postgresUrl = (description: string) =>
  Type.Optional(Type.String({ pattern: '^postgres(ql)?://', description }));
const days = (value: number, description: string) =>
  Type.Integer({ minimum: 0, maximum: 36_500, default: value, description });

/** Pattern of one master key, which src/keys/master-key-text.ts parses. */
const MASTER_KEY = '[A-Za-z0-9+/_-]{43}=?';

/** The schema that validates the environment; its descriptions are the variables' documentation. */
export const Environment = Type.Object({
  MODE: Type.Enum(['development', 'production'], {
    default: 'development',
    description: 'development prints credentials and allows loopback webhooks; production does neither.',
  }),
  ROLE: Type.Enum(['all', 'api', 'worker'], {
    default: 'all',
    description:
      'all: the API, which starts its own worker processes; api, worker: one of the two, to run several of each.',
  }),
  HOST: Type.String({ default: '127.0.0.1', description: 'Address to listen on.' }),
  PORT: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 8080,
    description: 'Port to listen on; 0 picks a free one.',
  }),
  BASE_URL: Type.Optional(
    Type.String({
      format: 'uri',
      description: 'Public address, as https://faces.example.org; default http://127.0.0.1:PORT.',
    }),
  ),
  DEV_TLS: Type.Enum(['0', '1'], {
    default: '0',
    description:
      '1, in development: also serve the page by https on the local network, with a self-signed certificate, at the port above PORT, to try it with a phone; links lead there unless BASE_URL is set.',
  }),
  REGION: Type.String({
    pattern: '^[a-z][a-z0-9-]{0,15}$',
    default: 'au',
    description: 'Name of this region: au, ca, uk, us or another. FeatureIDs do not cross regions.',
  }),
  DATA_DIR: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Folder for the database, assets and keys; default ./data, or /var/lib/likeness as root.',
    }),
  ),
  DATABASE_URL: postgresUrl(
    'PostgreSQL to use (15 to 18), as postgres://user:password@host:5432/name; default: an embedded one in DATA_DIR. May be a PgBouncer in transaction mode, with DATABASE_DIRECT_URL.',
  ),
  DATABASE_DIRECT_URL: postgresUrl(
    'The same database without the pooler, for LISTEN, session locks, migrations, jobs and the console; default: DATABASE_URL.',
  ),
  ASSET_STORE: Type.String({
    pattern: '^(disk|s3://[^/]+(/.*)?)$',
    default: 'disk',
    description: 'disk (below DATA_DIR) or s3://bucket/prefix.',
  }),
  S3_ENDPOINT: Type.Optional(
    Type.String({
      format: 'uri',
      description: 'Endpoint of an S3-compatible store, such as https://s3.example.org.',
    }),
  ),
  MASTER_KEY: Type.Optional(
    Type.String({
      pattern: `^${MASTER_KEY}(,${MASTER_KEY})*$`,
      description:
        '32 random bytes in base64 (`openssl rand -base64 32`). Several, separated by commas, while one is being replaced: the first wraps, all of them open. Required in production unless one of the two below is set; generated in development.',
    }),
  ),
  MASTER_KEY_FILE: Type.Optional(
    Type.String({
      description:
        'File of master keys instead of MASTER_KEY: one per line; the first wraps, all of them open.',
    }),
  ),
  MASTER_KEY_MODULE: Type.Optional(
    Type.String({
      description:
        'ES module, instead of MASTER_KEY: its default export returns {currentId, wrap, unwrap}, so that a key management service can hold the master key.',
    }),
  ),
  FEATID_RETENTION_DAYS: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 36_500,
      description: 'Days after their last comparison when FeatureIDs are erased; unset: never.',
    }),
  ),
  RECOGNISER_PACK: Type.String({
    minLength: 1,
    default: DEFAULT_PACK,
    description: `Recogniser pack: ${DEFAULT_PACK}, or the path of a folder of your own.`,
  }),
  RECOGNITION_TARGET_FMR: Type.Number({
    exclusiveMinimum: 0,
    maximum: 0.1,
    default: DEFAULT_TARGET_FMR,
    description:
      "False match rate at which faces are compared; the calibration says which score that is. The default pack's calibration " +
      'covers 1e-2 to 1e-5.',
  }),
  PAD_PACK: Type.String({
    minLength: 1,
    default: DEFAULT_PAD_PACK,
    description:
      `Presentation attack detection pack: ${DEFAULT_PAD_PACK}, or the path of a folder of your own (ONNX and manifest) ` +
      `instead of it; ${NO_PAD_PACK}: no network looks for attacks.`,
  }),
  TRUST_PROXY: Type.String({
    default: 'false',
    description:
      'Proxies whose X-Forwarded-* headers are trusted: false, true, a hop count, or addresses and networks separated by commas.',
  }),
  CONSOLE_PASSWORD: Type.Optional(
    Type.String({
      minLength: 12,
      maxLength: 1024,
      description:
        'Password of the console at /console, or its hash (`likeness console hash-password`); unset: no console, unless ' +
        'people sign in to it by OpenID Connect (`likeness console openid set`).',
    }),
  ),
  CONSOLE_TOTP_SECRET: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z2-7]{26,128}=*$',
      description:
        'Secret of the second factor of the console, in base32 (`likeness console new-totp-secret` makes one with its QR code); unset: password only.',
    }),
  ),
  CONSOLE_PORT: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 0,
    description:
      'A separate port for the console, for a network that only operators can reach; PORT then responds with 404 to /console. 0: the console is at PORT.',
  }),
  FRAME_ANCESTORS: Type.String({
    // A comma or semicolon would begin another policy; `none` or `self` without quotes would name a host.
    pattern: "^(?!.*(?:^| )(?:none|self)(?: |$))[A-Za-z0-9.:/*_%'\\[\\] -]+$",
    default: '*',
    description: "CSP frame-ancestors of the capture page: space-separated origins, or 'none' in quotes.",
  }),
  WEBHOOK_ALLOW_HOSTS: Type.String({
    default: '',
    description:
      'Private host names, addresses or networks that webhooks may reach, separated by commas; loopback in development. A host named here may be called at the ports of databases and caches.',
  }),
  WEBHOOK_REQUIRE_HTTPS: Type.Boolean({ default: false, description: 'Refuse http webhook endpoints.' }),
  ASSET_LINK_TTL_SECONDS: Type.Integer({
    minimum: 10,
    maximum: 604_800,
    default: 3600,
    description: 'Seconds for which asset links are valid.',
  }),
  ASSET_RETENTION_DAYS: days(
    30,
    'Days after which videos and frames are deleted; 0: as soon as a challenge closes.',
  ),
  RESULT_RETENTION_DAYS: days(
    90,
    'Days after which results are deleted, even if a webhook has not been delivered by then (up to an hour later if it was never tried).',
  ),
  ...LIVENESS_VARIABLES,
  PASSKEY_RP_ID: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+)+$',
      description:
        'Domain to which passkeys belong (WebAuthn RP ID): a parent of the host of BASE_URL, such as example.org, so that they outlive a change of the host; default: that host. Passkeys made before a change of it are of no use after it.',
    }),
  ),
  PASSKEY_ATTESTATION: Type.String({
    minLength: 1,
    default: 'none',
    description:
      'File of the certificates (PEM) of the makers whose devices may be bound: browsers are asked for attestation `direct`, and a new passkey has to come with one that leads to these, which synchronised passkeys never do. none: no attestation is asked for.',
  }),
  OIDC: Type.Enum(['off', 'on'], {
    default: 'off',
    description:
      'on: an OpenID Provider at BASE_URL/oidc, whose logins are face checks; register clients with `likeness oidc clients add`. off: it has no routes, and its library is not loaded.',
  }),
  ...PROCESS_VARIABLES,
  ...OBSERVATION_VARIABLES,
});
export type Environment = Static<typeof Environment>;

/** The configuration that the composition root uses, with paths resolved and addresses known. */
export interface Config
  extends Omit<
    Environment,
    'BASE_URL' | 'DATA_DIR' | 'LIVENESS_PROMPTS' | 'PASSKEY_ATTESTATION' | 'WEBHOOK_ALLOW_HOSTS'
  > {
  /**
   * Public address without a trailing slash. With PORT=0 and no BASE_URL, `serve` inserts the port that it was given.
   */
  readonly baseUrl: string;
  readonly dataDir: string;
  /** Folder of the models that set-up compiles. */
  readonly modelsDir: string;
  readonly livenessPrompts: readonly Prompt[];
  /** File of the certificates of the makers whose devices may be bound; null: any device may. */
  readonly passkeyMakers: string | null;
  readonly webhookAllowHosts: readonly string[];
  readonly limits: Limits;
}
