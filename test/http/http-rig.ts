// The HTTP surface as the service composes it, on a real database, with real keys. Only the capture page is a small one
// of the test's own.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { Registry } from 'prom-client';
import { newId } from '../../src/base/ids.ts';
import { createLogger } from '../../src/base/log.ts';
import type { Challenge } from '../../src/challenge/challenge.ts';
import { type Settlement, settleJudgement } from '../../src/challenge/closing/settle-judgement.ts';
import type { ChallengeParts } from '../../src/challenge/parts.ts';
import { recordingsOf } from '../../src/challenge/seals.ts';
import { composeConsole } from '../../src/composition/console.ts';
import { composeHttpServices, httpSettings } from '../../src/composition/http.ts';
import { composeLogin } from '../../src/composition/oidc/login.ts';
import { composeServices } from '../../src/composition/services.ts';
import type { Limits } from '../../src/config/limits.ts';
import { readConfig } from '../../src/config/read-config.ts';
import type { verifyPassword } from '../../src/console/password.ts';
import type { RetryReason } from '../../src/contract/capture-page.ts';
import type { Prompt } from '../../src/contract/script.ts';
import { parseFeatid } from '../../src/featid/featid-text.ts';
import { insertFeatid } from '../../src/featid/tables/keys.ts';
import { createConsoleServer } from '../../src/http/console-server.ts';
import { createHttpServer } from '../../src/http/server.ts';
import type { HttpServices } from '../../src/http/services.ts';
import type { HttpSettings } from '../../src/http/settings.ts';
import { createAccounts } from '../../src/keys/accounts.ts';
import { createAccountStore } from '../../src/keys/tables/account-store.ts';
import { createApiKeyStore } from '../../src/keys/tables/api-key-store.ts';
import { insertPasskey } from '../../src/passkeys/tables/store.ts';
import type { NewKey } from '../../src/passkeys/verify.ts';
import { createTestFoundation, PACK, type TestFoundationOptions } from '../support/foundation.ts';

export const OPERATOR_PASSWORD = 'correct horse battery staple';
const BUILT_TEXTS = resolve(import.meta.dirname, '..', '..', 'build', 'web', 'capture', 'server-texts.json');

const ENVIRONMENT = {
  BASE_URL: 'http://likeness.test',
  REGION: 'test',
  ASSET_LINK_TTL_SECONDS: '60',
  LIVENESS_LEVEL: 'quick',
  LIVENESS_PROMPTS: 'smile',
};

const INDEX_HTML = `<!doctype html><html lang="%LANG%" dir="%DIR%"><head><title>%TITLE%</title>
<script type="application/json" id="challenge-state" nonce="%NONCE%">%STATE%</script>
<script type="module" nonce="%NONCE%" src="/assets/capture/main-abc12345.js"></script></head>
<body><div id="app"><!--content--><!--/content--></div><noscript>%NOSCRIPT%</noscript></body></html>`;
export const SCRIPT_TEXT = `console.log(${JSON.stringify('x'.repeat(2000))});\n`;

const SOME_KEY: NewKey = {
  credentialId: 'AQID',
  publicKey: 'BAUG',
  transports: ['internal'],
  signCount: 0,
  backedUp: true,
};

export type HttpRig = Awaited<ReturnType<typeof createHttpRig>>;

/** Settings for tests of limits, of failing services and of the console. */
interface Change {
  /** Configuration variables. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly limits?: Partial<Limits>;
  readonly settings?: Partial<HttpSettings>;
  readonly services?: Partial<HttpServices>;
  readonly fetchImage?: ChallengeParts['fetchImage'];
  /** `own`: on a server of its own, `rig.consoleApp`. */
  readonly console?: boolean | 'own';
  /** The console's second factor. */
  readonly totpSecret?: string;
  /** How the console's password is checked. Default: compared in clear, because scrypt takes a third of a second. */
  readonly verify?: typeof verifyPassword;
  readonly livenessPrompts?: readonly Prompt[];
}

export async function createHttpRig(change: Change = {}) {
  const logLines: string[] = [];
  const log = createLogger(
    { level: 'debug', process: 'test' },
    { write: (line) => void logLines.push(line) },
  );
  let skewMs = 0;
  const clock = { now: () => new Date(Date.now() + skewMs) };
  const { foundation, keyLookUps } = await openFoundation({
    environment: environmentOf(change),
    limits: change.limits ?? {},
    clock,
    log,
  });
  const { accounts, config, keys: custody } = foundation;
  const { db } = foundation.database;
  const services = composeServices(foundation, { fetchImage: change.fetchImage ?? (async () => null) });
  const { challengeParts, challenges, featids } = services;
  /** Password checks: in progress now, the most at once, and all. */
  const checks = { now: 0, most: 0, all: 0 };
  const verify: typeof verifyPassword = async (given, hash) => {
    checks.now += 1;
    checks.all += 1;
    checks.most = Math.max(checks.most, checks.now);
    const verified = change.verify?.(given, hash) ?? Promise.resolve(given === OPERATOR_PASSWORD);
    return verified.finally(() => {
      checks.now -= 1;
    });
  };
  const pageDir = await writePage();
  const metrics = new Registry();
  const settings: HttpSettings = {
    ...httpSettings(config),
    capturePageDir: pageDir,
    consolePageDir: pageDir,
    referencePageDir: pageDir,
    logger: log,
    metrics,
    isStopping: () => false,
    ...change.settings,
    // The delay is not measured: a process that got no processor time for a while has an infinite delay.
    limits: { maxEventLoopDelayMs: 0, ...change.settings?.limits },
  };
  const login = await composeLogin(foundation, services, settings);
  const console = await composeConsole(foundation, services, login.consolePages, verify);
  const httpServices = { ...composeHttpServices(foundation, services, console, login), ...change.services };
  const app = await createHttpServer(httpServices, settings);
  const consoleApp =
    httpServices.console === 'elsewhere' && console
      ? await createConsoleServer(console, challenges, settings)
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
    /** The server that serves the console. */
    consoleApp,
    checks,
    /** Another process on this database, with a console that has these credentials. */
    async restart(password: string, totpSecret: string | null) {
      const credentials = { CONSOLE_PASSWORD: password, CONSOLE_TOTP_SECRET: totpSecret ?? '' };
      const config = readConfig({ ...foundation.environment, ...credentials });
      const console = await composeConsole({ ...foundation, config }, services, login.consolePages, verify);
      const again = await createConsoleServer(console!, challenges, { ...settings, metrics: new Registry() });
      restarted.push(again);
      return again;
    },
    db,
    connectionString: foundation.database.directConnectionString,
    accounts,
    custody,
    assets: challengeParts.assets,
    featids,
    challenges,
    logLines,
    metrics,
    makeAccount,
    /** How often the database was queried for an API key. */
    keyLookUps,
    ...own,

    /** Calls the API with the account's key. */
    async call(
      method: 'GET' | 'POST' | 'DELETE' | 'PUT' | 'HEAD' | 'OPTIONS',
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

    /** Creates a challenge; returns it with the path of its link. */
    async create(body: Record<string, unknown> = { liveness_only: true }) {
      const answer = await this.call('POST', '/v1/create-challenge', body);
      if (answer.statusCode !== 201) throw new Error(`${answer.statusCode} ${answer.body}`);
      const created = answer.json<{ challenge_id: string; challenge_url: string; expires_at: string }>();
      return { ...created, path: new URL(created.challenge_url).pathname };
    },

    /** A FeatureID of the account, as a passed challenge of this or another region would have created it. */
    async makeFeatid(accountId = own.accountId, region = config.REGION): Promise<string> {
      const there = composeServices({ ...foundation, config: { ...config, REGION: region } });
      const { featid, row } = await there.featids.create({
        accountId,
        challengeId: null,
        template: { packId: PACK, embedding: Float32Array.of(0.6, 0.8), regions: {}, frames: 5 },
      });
      await there.close();
      await db.transaction().execute((trx) => insertFeatid(trx, row));
      return featid;
    },

    /** Adds a device to a FeatureID of the account, as a passed challenge does; resolves with its id. */
    async addDevice(
      featid: string,
      key: NewKey = SOME_KEY,
      since = '2026-01-31T09:30:00.123Z',
    ): Promise<string> {
      const passkey = await services.passkeys.seal(own.accountId, key, since);
      const { id } = parseFeatid(featid)!;
      await db.transaction().execute((trx) => insertPasskey(trx, id, passkey));
      return passkey.id;
    },

    /**
     * Ends the judgement of a submitted capture in place of the worker: sent back with a reason, or completed (and
     * failed).
     */
    async settle(captureId: string, retry: RetryReason | null): Promise<Settlement> {
      const begun = await challengeParts.store.takeCapture('1');
      if (!begun) return 'superseded';
      if (begun.capture.id !== captureId) throw new Error('another capture waits too');
      return settleJudgement({ ...challengeParts, featids }, begun, {
        liveness: { face: true, smile: true, spoof_result: false, overall: false },
        reasons: [],
        cues: {},
        retry,
        template: null,
        tried: null,
        bestFrame: null,
        compared: [],
      });
    },

    /** Sets the services' clock ahead by `ms`; 0 resets it. */
    skewClock(ms: number): void {
      skewMs = ms;
    },

    /** The keys that seal records of a challenge. */
    async placeOf(challengeId: string): Promise<Challenge> {
      return (await challengeParts.store.find(own.accountId, challengeId))!;
    },

    /** Completes a challenge with an asset, as upload and judgement do. */
    async makeAsset(challengeId: string, bytes: Buffer, mimeType = 'video/webm'): Promise<string> {
      const id = newId('asset');
      const holder = recordingsOf(await this.placeOf(challengeId));
      const { sealedKey } = await challengeParts.assets.put({ holder, assetId: id, bytes });
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
      await services.close();
      await foundation.close();
      rmSync(pageDir, { recursive: true, force: true });
    },
  };
}

const environmentOf = ({ console, totpSecret, livenessPrompts, environment }: Change) => ({
  ...ENVIRONMENT,
  ...(livenessPrompts && { LIVENESS_PROMPTS: livenessPrompts.join(',') }),
  ...(console && { CONSOLE_PASSWORD: OPERATOR_PASSWORD }),
  ...(console === 'own' && { CONSOLE_PORT: '1' }),
  ...(totpSecret && { CONSOLE_TOTP_SECRET: totpSecret }),
  ...environment,
});

/** Counts the queries of the API key table. */
async function openFoundation(options: TestFoundationOptions) {
  const foundation = await createTestFoundation(options);
  const { database, masterKeys } = foundation;
  const apiKeys = createApiKeyStore(database.db);
  let lookUps = 0;
  const accounts = createAccounts({
    accounts: createAccountStore(database.db),
    apiKeys: {
      ...apiKeys,
      findInForce: (hash) => {
        lookUps += 1;
        return apiKeys.findInForce(hash);
      },
    },
    masterKeys,
  });
  return { foundation: { ...foundation, accounts }, keyLookUps: () => lookUps };
}

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** The texts that the page's build wrote; made from the languages themselves if there is no build. */
async function builtTexts(): Promise<string> {
  if (existsSync(BUILT_TEXTS)) return readFileSync(BUILT_TEXTS, 'utf8');
  const { serverTexts } = await import('../../web/capture/build/server-texts.ts');
  return JSON.stringify(await serverTexts());
}

async function writePage(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'likeness-page-'));
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
