// DEV_TLS: serves the page over https on the local network, for a trial with a phone. Browsers allow the camera only on
// secure pages, and a phone cannot reach this machine's loopback address.
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { Fault } from '../../base/errors.ts';
import type { Config } from '../../config/config.ts';
import { closeServer } from '../../http/listen.ts';

/** File in DATA_DIR. The certificate is kept, so that a phone that accepted it does not ask again. */
const FILE = 'dev-tls.json';
/** Phones accept certificates of at most 825 days (iOS 13 and newer). */
const VALID_DAYS = 365;

interface Certificate {
  readonly host: string;
  readonly key: string;
  readonly cert: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** With DEV_TLS, links lead to the https listener at this machine's address on the local network. */
export function withDevTls(config: Config, environment: NodeJS.ProcessEnv): Config {
  if (config.DEV_TLS === '0' || environment.BASE_URL?.trim()) return config;
  return { ...config, baseUrl: `https://${localNetworkAddress()}:${tlsPort(config)}` };
}

/** Address of the plain listener, for tools on this machine; without DEV_TLS, the base URL. */
export function localBaseUrl(config: Config): string {
  return config.DEV_TLS === '0' ? config.baseUrl : `http://127.0.0.1:${config.PORT}`;
}

/**
 * Serves the same routes over https on every address, in addition to the plain listener.
 * @throws Fault LISTEN_FAILED if the port is taken
 */
export async function listenByTls(app: FastifyInstance, config: Config): Promise<{ stop(): Promise<void> }> {
  const { key, cert } = await ensureCertificate(config.dataDir, new URL(config.baseUrl).hostname);
  const server = createServer({ key, cert }, (request, response) => app.routing(request, response));
  const port = tlsPort(config);
  await once(server.listen(port, '0.0.0.0'), 'listening').catch((cause: NodeJS.ErrnoException) => {
    throw new Fault('LISTEN_FAILED', `DEV_TLS, port ${port}: ${cause.code}`, { cause });
  });
  return { stop: () => closeServer(server) };
}

/** The plain port plus one. */
function tlsPort({ PORT }: Config): number {
  return PORT + 1;
}

/** This machine's IPv4 address on its network; loopback if it is on none. */
function localNetworkAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
}

async function ensureCertificate(dataDir: string, host: string): Promise<Certificate> {
  const file = join(dataDir, FILE);
  const kept = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Certificate,
    () => null,
  );
  if (kept?.host === host && Date.parse(kept.expiresAt) > Date.now()) return kept;
  const expiresAt = new Date(Date.now() + VALID_DAYS * 86_400_000);
  const isAddress = /^[\d.]+$/.test(host);
  // Imported on demand, because it would delay every start.
  const { generate } = await import('selfsigned');
  const made = await generate([{ name: 'commonName', value: host }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notAfterDate: expiresAt,
    extensions: [
      { name: 'subjectAltName', altNames: [isAddress ? { type: 7, ip: host } : { type: 2, value: host }] },
    ],
  });
  const certificate = { host, key: made.private, cert: made.cert, expiresAt: expiresAt.toISOString() };
  await mkdir(dataDir, { recursive: true });
  await writeFile(file, JSON.stringify(certificate), { mode: 0o600 });
  return certificate;
}
