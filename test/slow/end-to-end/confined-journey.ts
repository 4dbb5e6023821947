// Run by confine.sh: starts the service as `npm start` does, takes one challenge from its creation to the webhook of
// its result, and stops. Prints as JSON which names the service looked up, and what it wrote where.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import S3rver from '@20minutes/s3rver';
import { TestApi } from '../../support/api.ts';
import { startNameServer } from '../../support/name-server.ts';
import { startOAuthServer } from '../../support/oauth-server.ts';
import { PageClient } from '../../support/page-client.ts';
import { cutPiece, PIECE_SECONDS } from '../../support/pieces.ts';
import { answer, startReceiver } from '../../support/receiver.ts';
import { startService } from '../../support/running-service.ts';
import { startSignedS3 } from '../../support/signed-s3.ts';

/** What one run found. */
export interface Journey {
  /** How often each name was looked up. */
  readonly asked: Readonly<Record<string, number>>;
  /** Packets for other machines, whatever they contain. */
  readonly packetsElsewhere: number;
  /** Files outside DATA_DIR that are there after the service has stopped. */
  readonly written: readonly string[];
  readonly result: string | null;
  readonly webhooks: number;
  readonly exitCode: number | null;
}

/** The only hosts that the configured run may call. */
export const NAMES = {
  receiver: 'hooks.receiver.example',
  oauth: 'login.receiver.example',
  logo: 'brand.receiver.example',
  store: 's3.operator.example',
} as const;

/** The ONNX runtime's telemetry first calls home some 20 s after its load (measured: 14 to 26 s). */
const IDLE_MS = 40_000;
const TIMEOUT_MS = 120_000;
const CREDENTIALS = { id: 'S3RVER', secret: 'the secret of this journey' };
/** Files that confine.sh itself writes. */
const SCRIPT_FILES = ['/etc/resolv.conf', '/etc/nsswitch.conf', '/etc/hosts'];

/** The same address with this host name. */
function named(url: string, name: string): string {
  const address = new URL(url);
  address.hostname = name;
  return address.href.replace(/\/$/, '');
}

async function startStore() {
  mkdirSync('/mnt/journey/s3');
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: '/mnt/journey/s3',
    vhostBuckets: false,
    allowMismatchedSignatures: true,
    configureBuckets: [{ name: 'videos' }],
  } as object);
  const { port } = (await server.run()) as { port: number };
  return startSignedS3(port, CREDENTIALS);
}

async function configuration(): Promise<Record<string, string>> {
  const store = await startStore();
  return {
    ASSET_STORE: 's3://videos/journey',
    S3_ENDPOINT: named(store.endpoint, NAMES.store),
    AWS_ACCESS_KEY_ID: CREDENTIALS.id,
    AWS_SECRET_ACCESS_KEY: CREDENTIALS.secret,
    CONSOLE_PASSWORD: 'the password of this journey',
  };
}

async function travel(isConfigured: boolean): Promise<Journey> {
  const names = await startNameServer('127.0.0.53', 53);
  for (const name of Object.values(NAMES)) names.set(name, ['127.0.0.1']);
  const [receiver, oauth] = await Promise.all([startReceiver(), startOAuthServer()]);
  receiver.script([], answer(200, { 'content-type': 'image/png' }));
  const service = await startService({
    command: ['npm', 'start'],
    dataDir: '/mnt/data',
    environment: {
      HOME: '/mnt/home',
      TMPDIR: '/mnt/temp',
      LIVENESS_PROMPTS: 'smile,neutral',
      LIVENESS_LEVEL: 'quick',
      ...(isConfigured ? await configuration() : {}),
    },
  });
  const api = new TestApi(service);
  const authentication = {
    type: 'oauth',
    properties: {
      oauth_endpoint_url: named(oauth.tokenUrl, NAMES.oauth),
      client_id: 'a',
      client_secret: 'b',
    },
  };
  const endpoint = { endpoint_url: `${named(receiver.url, NAMES.receiver)}/webhooks` };
  const challenge = await api.create({
    liveness_only: true,
    require_consent: false,
    ...(isConfigured && {
      flow_style: { logo_public_url: `${named(receiver.url, NAMES.logo)}/logo.png` },
    }),
    notifications: {
      complete: [{ type: 'http', properties: { ...endpoint, ...(isConfigured && { authentication }) } }],
    },
  });
  const page = new PageClient(challenge.challenge_url);
  await fetch(challenge.challenge_url);
  await page.call('GET', '/logo');
  await page.start();
  for (const piece of [0, 1, 2]) {
    const sent = await page.upload(cutPiece(piece), 'video/webm', PIECE_SECONDS * 1000);
    if (sent.body.state !== 'submitted') throw new Error(`${JSON.stringify(sent)}\n${service.log()}`);
    await page.outcome(TIMEOUT_MS);
  }
  const result = await api.waitFor(challenge.challenge_id, ['completed'], TIMEOUT_MS);
  const isWebhook = ({ path }: { path: string }) => path === '/webhooks';
  await receiver.received(isConfigured ? 2 : 1, TIMEOUT_MS);
  await delay(IDLE_MS);
  const exitCode = await service.stop();
  return {
    asked: Object.fromEntries(names.counts),
    packetsElsewhere: packetsSentBy('elsewhere'),
    written: [
      ...filesBelow('/mnt/written').filter((file) => !SCRIPT_FILES.includes(file)),
      ...['/mnt/home', '/mnt/temp'].flatMap((folder) => filesBelow(folder).map((file) => folder + file)),
    ],
    result: result.overall_result,
    webhooks: receiver.requests.filter(isWebhook).length,
    exitCode,
  };
}

/** From /proc/net/dev: after the name come eight figures for what was received, then the bytes and packets sent. */
function packetsSentBy(device: string): number {
  const row = readFileSync('/proc/net/dev', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/[\s:]+/))
    .find(([name]) => name === device);
  return Number(row![10]);
}

/** Paths of the regular files below the folder, without the folder's own path. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length))
    .sort();
}

if (process.argv[1] === import.meta.filename) {
  const journey = await travel(process.argv[2] === 'configured');
  // Not every process stops when told to. When this one exits, its namespaces end with everything in them.
  process.stdout.write(`${JSON.stringify(journey)}\n`, () => process.exit());
}
