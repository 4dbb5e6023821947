// The HTTP surface over the real services on a real database, with real keys: joined as in src/composition, with a
// small capture page in place of the built one.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Writable } from 'node:stream';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { systemClock } from '../../src/base/clock.ts';
import { newId } from '../../src/base/ids.ts';
import { createLogger } from '../../src/base/log.ts';
import type { Challenge } from '../../src/challenge/challenge.ts';
import { createChallengeServices } from '../../src/challenge/create-services.ts';
import type { FetchImage } from '../../src/challenge/ports.ts';
import { notificationFaults } from '../../src/challenge/request-rules.ts';
import { recordingsOf } from '../../src/challenge/seals.ts';
import { type Settlement, settleJudgement } from '../../src/challenge/settle-judgement.ts';
import { createConsole } from '../../src/console/console.ts';
import { createKnownBrowsers } from '../../src/console/known-browsers.ts';
import { deriveCredentialKey, hashPassword, verifyPassword } from '../../src/console/password.ts';
import { createSessions } from '../../src/console/sessions.ts';
import { createSignIn } from '../../src/console/sign-in.ts';
import type { RetryReason } from '../../src/contract/capture-page.ts';
import type { Prompt } from '../../src/contract/script.ts';
import { createFeatids } from '../../src/featid/featids.ts';
import { createConsoleServer } from '../../src/http/console-server.ts';
import { createHttpServer } from '../../src/http/server.ts';
import type { HttpServices, HttpSettings } from '../../src/http/services.ts';
import { createIdempotency } from '../../src/idempotency/idempotency.ts';
import { createAccountKeys } from '../../src/keys/account-keys.ts';
import { createAccounts } from '../../src/keys/accounts.ts';
import { createMasterKeyRing } from '../../src/keys/master-key-ring.ts';
import { createWebhookSecrets } from '../../src/keys/webhook-secrets.ts';
import { LOOPBACK_HOSTS, parseAllowList } from '../../src/outbound/address.ts';
import { createGuardedAgent } from '../../src/outbound/guarded-agent.ts';
import { refusedTarget } from '../../src/outbound/refused-target.ts';
import { createDiskBlobs } from '../../src/storage/assets/disk-blobs.ts';
import { createEncryptedAssets } from '../../src/storage/assets/encrypted-assets.ts';
import { createAccountStore } from '../../src/storage/postgres/account-store.ts';
import { createApiKeyStore } from '../../src/storage/postgres/api-key-store.ts';
import { createChallengeStore } from '../../src/storage/postgres/challenge-store.ts';
import {
  createConsoleSessionStore,
  createUsedCodes,
} from '../../src/storage/postgres/console-session-store.ts';
import { createConsoleStore } from '../../src/storage/postgres/console-store.ts';
import { createDeliveryStore } from '../../src/storage/postgres/delivery-store.ts';
import { insertFeatid } from '../../src/storage/postgres/featid-keys.ts';
import { createFeatidStore } from '../../src/storage/postgres/featid-store.ts';
import { createIdempotencyStore } from '../../src/storage/postgres/idempotency-store.ts';
import { createKeyShredder } from '../../src/storage/postgres/key-shredder.ts';
import { createOutcomeNotifier } from '../../src/storage/postgres/outcome-notifier.ts';
import { createWebhookSecretStore } from '../../src/storage/postgres/webhook-secret-store.ts';
import { createAccessTokens } from '../../src/webhook/access-tokens.ts';
import { createDeliveries } from '../../src/webhook/deliveries.ts';
import { createDeliveryMaker } from '../../src/webhook/endpoint.ts';
import { createSender } from '../../src/webhook/sender.ts';
import { createTestDatabase } from '../support/database.ts';
import { roomFor } from '../support/storage-room.ts';

const BASE_URL = 'http://likeness.test';
const PACK = 'test-pack-1';
export const OPERATOR_PASSWORD = 'correct horse battery staple';
const BUILT_TEXTS = resolve(import.meta.dirname, '..', '..', 'build', 'web', 'capture', 'server-texts.json');
const GUIDES_DIR = resolve(import.meta.dirname, '..', '..', 'docs', 'guides');

const INDEX_HTML = `<!doctype html><html lang="%LANG%" dir="%DIR%"><head><title>%TITLE%</title>
<script type="application/json" id="challenge-state" nonce="%NONCE%">%STATE%</script>
<script type="module" nonce="%NONCE%" src="/assets/capture/main-abc12345.js"></script></head>
<body><div id="app"><!--content--><!--/content--></div><noscript>%NOSCRIPT%</noscript></body></html>`;
export const SCRIPT_TEXT = `console.log(${JSON.stringify('x'.repeat(2000))});\n`;

export type HttpRig = Awaited<ReturnType<typeof createHttpRig>>;

/** Settings and services can be replaced in part, for tests of limits and of services that fail. */
export async function createHttpRig(
  change: {
    settings?: Partial<HttpSettings>;
    services?: Partial<HttpServices>;
    fetchImage?: FetchImage;
    /** `own`: on a server of its own, `rig.consoleApp`. */
    console?: boolean | 'own';
    /** The second factor of the console. */
    totpSecret?: string;
    /** In place of scrypt, where a test is about the queue before it. */
    verify?: (password: string) => Promise<boolean>;
    livenessPrompts?: readonly Prompt[];
  } = {},
) {
  const database = await createTestDatabase();
  const { db } = database;
  const folder = mkdtempSync(join(tmpdir(), 'likeness-http-'));
  const pageDir = await writePage(folder);
  const masterKeys = createMasterKeyRing([randomBytes(32)]);
  const accountStore = createAccountStore(db);
  const apiKeyStore = createApiKeyStore(db);
  let keyLookUps = 0;
  const apiKeys: typeof apiKeyStore = {
    ...apiKeyStore,
    findInForce: (hash) => {
      keyLookUps += 1;
      return apiKeyStore.findInForce(hash);
    },
  };
  const accounts = createAccounts({ accounts: accountStore, apiKeys, masterKeys });
  const custody = createAccountKeys({ masterKeys, store: accountStore });
  const assets = createEncryptedAssets({ keys: custody, blobs: createDiskBlobs(join(folder, 'assets')) });
  const log = createLogger({ level: 'silent', process: 'test' });
  const keyShredder = createKeyShredder(db, log);
  const featidsOf = (region: string) =>
    createFeatids({ keys: custody, keyShredder, store: createFeatidStore(db), region, usablePacks: [PACK] });
  const featids = featidsOf('test');
  let skewMs = 0;
  const clock = { now: () => new Date(Date.now() + skewMs) };
  const allow = parseAllowList([...LOOPBACK_HOSTS]);
  const rules = {
    ...{ production: false, webhookRequireHttps: false },
    refusedTarget: (url: URL) => refusedTarget(url, allow),
  };
  const idempotency = createIdempotency({ store: createIdempotencyStore(db), custody });
  const challengeParts = {
    store: createChallengeStore(db, { assetRetentionDays: 30 }),
    assets,
    room: roomFor(db, folder),
    custody,
    idempotency,
    featids,
    makeDeliveries: createDeliveryMaker(custody),
    fetchImage: change.fetchImage ?? (async () => null),
    outcomes: createOutcomeNotifier(database.url, log),
    keyShredder,
    clock,
    settings: {
      ...rules,
      baseUrl: BASE_URL,
      assetLinkTtlSeconds: 60,
      assetRetentionDays: 30,
      livenessLevel: 'quick' as const,
      livenessPrompts: change.livenessPrompts ?? (['smile'] as const),
      maxUploadBytes: 2_000_000,
      maxWaitingJudgements: 100,
    },
    log,
  };
  const challenges = createChallengeServices(challengeParts);
  const agent = createGuardedAgent({ allow });
  const clientOptions = { agent, clock: systemClock, userAgent: 'Likeness/test' };
  const tokens = createAccessTokens({ ...clientOptions, requireHttps: false });
  const webhookSecrets = createWebhookSecrets({ keys: custody, store: createWebhookSecretStore(db) });
  const deliveries = createDeliveries({
    store: createDeliveryStore(db),
    custody,
    secrets: webhookSecrets,
    send: createSender({ ...clientOptions, tokens, timeoutMs: 2_000 }),
  });
  /** Passwords that are being checked at this moment, and the most that were. */
  const checks = { now: 0, most: 0, all: 0 };
  const signInOf = async (password: string, totpSecret: string | null) => {
    const credentialKey = await deriveCredentialKey(password, totpSecret);
    return {
      sessions: createSessions(createConsoleSessionStore(db), credentialKey),
      signIn: createSignIn({
        passwordHash: await hashPassword(password),
        totpSecret,
        usedCodes: createUsedCodes(db),
        clock,
        verify: async (given, hash) => {
          checks.now += 1;
          checks.all += 1;
          checks.most = Math.max(checks.most, checks.now);
          return (change.verify ?? verifyPassword)(given, hash).finally(() => {
            checks.now -= 1;
          });
        },
      }),
      knownBrowsers: createKnownBrowsers(credentialKey),
    };
  };
  const consoleOf = createConsole({
    store: createConsoleStore(db),
    challenge: challengeParts,
    ...{ deliveries, accounts, webhookSecrets },
    scores: { population: 'nobody', genuine: [0, 0, 0.2, 0.8], impostor: [0.9, 0.1, 0, 0] },
    retention: { assetDays: 30, resultDays: 90 },
  });
  const operatorConsole = change.console
    ? { consoleOf, ...(await signInOf(OPERATOR_PASSWORD, change.totpSecret ?? null)) }
    : null;
  const logLines: string[] = [];
  const metrics = new Registry();
  const services: HttpServices = {
    accounts,
    challenges,
    deliveries,
    featids,
    idempotency,
    trial: async (sandbox) => {
      const caller = { accountId: own.accountId, actor: 'test', sandbox };
      const made = await challenges.create(caller, { body: { liveness_only: true } });
      if (made.status !== 'created') throw new Error(made.status);
      return made.response;
    },
    console: change.console === 'own' ? 'elsewhere' : operatorConsole,
    readiness: { check: async () => ({ ready: true, parts: { database: true } }) },
    endpointFaults: (configuration) => notificationFaults(configuration, '', rules),
    ...change.services,
  };
  const settings: HttpSettings = {
    baseUrl: BASE_URL,
    region: 'test',
    version: '0.0.0',
    trustProxy: 'false',
    frameAncestors: '*',
    capturePageDir: pageDir,
    consolePageDir: pageDir,
    guidesDir: GUIDES_DIR,
    tryOut: true,
    keyRatePerMinute: 1_000_000,
    pageRatePerMinute: 1_000_000,
    wrongKeyRatePerMinute: 1_000_000,
    logger: pino({ level: 'debug' }, collector(logLines)),
    trace: null,
    metrics,
    ...change.settings,
    // A machine that runs other tests beside this one is no service under pressure.
    limits: { maxEventLoopDelayMs: 60_000, ...change.settings?.limits },
  };
  const app = await createHttpServer(services, settings);
  const consoleApp =
    change.console === 'own' && operatorConsole
      ? await createConsoleServer(operatorConsole, challenges, settings)
      : app;
  const restarted: { close(): Promise<unknown> }[] = [];
  const makeAccount = async (name: string) => {
    const made = await accounts.create({ name }, 'test');
    if (made.status !== 'created') throw new Error('no account');
    const { accountId, apiKey, webhookSecret } = made;
    return { accountId, key: apiKey.key, keyId: apiKey.id, webhookSecret };
  };
  const own = await makeAccount('first');

  return {
    app,
    /** The server that has the console. */
    consoleApp,
    checks,
    /** Another process on this database, with a console of these credentials. */
    async restart(password: string, totpSecret: string | null) {
      const console = { consoleOf, ...(await signInOf(password, totpSecret)) };
      const again = await createConsoleServer(console, challenges, { ...settings, metrics: new Registry() });
      restarted.push(again);
      return again;
    },
    db,
    accounts,
    custody,
    assets,
    featids,
    challenges,
    logLines,
    metrics,
    makeAccount,
    /** How often the database was asked about an API key. */
    keyLookUps: () => keyLookUps,
    ...own,

    /** Calls the API with the account's key. */
    async call(
      method: 'GET' | 'POST' | 'DELETE' | 'PUT' | 'PATCH' | 'HEAD' | 'OPTIONS',
      url: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ) {
      const answer = await app.inject({
        method,
        url,
        headers: { authorization: `Basic ${own.key}`, ...headers },
        ...(body === undefined ? {} : { payload: body as object }),
      });
      return answer;
    },

    /** Creates a challenge and answers with it and the path of its link. */
    async create(body: Record<string, unknown> = { liveness_only: true }) {
      const answer = await this.call('POST', '/v1/create-challenge', body);
      if (answer.statusCode !== 201) throw new Error(`${answer.statusCode} ${answer.body}`);
      const created = answer.json<{ challenge_id: string; challenge_url: string; expires_at: string }>();
      return { ...created, path: new URL(created.challenge_url).pathname };
    },

    /** A FeatureID of the account, as a passed challenge of this region (or another) would have left it. */
    async makeFeatid(accountId = own.accountId, region = 'test'): Promise<string> {
      const { featid, row } = await featidsOf(region).create({
        accountId,
        challengeId: null,
        template: { packId: PACK, embedding: Float32Array.of(0.6, 0.8), regions: {} },
      });
      await insertFeatid(db, row);
      return featid;
    },

    /** Ends the judgement of a submitted capture in the worker's place: sent back with a reason, or done (and failed). */
    async settle(captureId: string, retry: RetryReason | null): Promise<Settlement> {
      const begun = await challengeParts.store.takeCapture('1');
      if (!begun) return 'superseded';
      if (begun.capture.id !== captureId) throw new Error('another capture waits too');
      return settleJudgement(challengeParts, begun, {
        liveness: { face: true, smile: true, spoof_result: false, overall: false },
        reasons: [],
        cues: {},
        retry,
        template: null,
        bestFrame: null,
        compared: [],
      });
    },

    /** Lets the services' clock run ahead; 0 sets it right. */
    skewClock(ms: number): void {
      skewMs = ms;
    },

    /** What seals records of a challenge. */
    async placeOf(challengeId: string): Promise<Challenge> {
      return (await challengeParts.store.find(own.accountId, challengeId))!;
    },

    /** Completes a challenge with an asset, as upload and judgement do. */
    async makeAsset(challengeId: string, bytes: Buffer, mimeType = 'video/webm'): Promise<string> {
      const id = newId('asset');
      const holder = recordingsOf(await this.placeOf(challengeId));
      const { sealedKey } = await assets.put({ holder, assetId: id, bytes });
      await db
        .insertInto('asset')
        .values({
          id,
          account_id: own.accountId,
          challenge_id: challengeId,
          kind: 'liveness_video',
          mime_type: mimeType,
          size_bytes: bytes.length,
          sealed_key: sealedKey,
        })
        .execute();
      await db
        .updateTable('challenge')
        .set({ status: 'completed', closed_reason: 'completed', closed_at: new Date() })
        .where('id', '=', challengeId)
        .execute();
      return id;
    },

    async close(): Promise<void> {
      await Promise.all([app, consoleApp, ...restarted].map((each) => each.close()));
      await agent.close();
      await challengeParts.outcomes.close();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** What the page's build wrote; made from the languages themselves where nobody has built it. */
async function builtTexts(): Promise<string> {
  if (existsSync(BUILT_TEXTS)) return readFileSync(BUILT_TEXTS, 'utf8');
  const { serverTexts } = await import('../../web/capture/build/server-texts.ts');
  return JSON.stringify(await serverTexts());
}

async function writePage(folder: string): Promise<string> {
  const dir = join(folder, 'page');
  mkdirSync(join(dir, 'guidance-1a2b3c'), { recursive: true });
  writeFileSync(join(dir, 'index.html'), INDEX_HTML);
  writeFileSync(join(dir, 'server-texts.json'), await builtTexts());
  const script = join(dir, 'main-abc12345.js');
  writeFileSync(script, SCRIPT_TEXT);
  writeFileSync(`${script}.br`, brotliCompressSync(SCRIPT_TEXT));
  writeFileSync(`${script}.gz`, gzipSync(SCRIPT_TEXT));
  writeFileSync(join(dir, 'guidance-1a2b3c', 'tfjs.wasm'), Buffer.from([0, 0x61, 0x73, 0x6d]));
  writeFileSync(join(dir, 'guidance-1a2b3c', 'model.bin'), Buffer.from([1, 2, 3]));
  return dir;
}

function collector(lines: string[]): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
}
