// nginx and Caddy as Debian ships them, each with the configuration that docs/operations/proxies.md gives.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { generate } from 'selfsigned';
import { listensAt } from './free-port.ts';

const DOCUMENT = resolve(import.meta.dirname, '../../docs/operations/proxies.md');
/** What the document's configurations forward to. */
const DOCUMENTED_SERVICE = '127.0.0.1:8080';
const START_TIMEOUT_MS = 20_000;

/** Text of a configuration, and what stands there instead. */
export type Changes = readonly (readonly [from: string, to: string])[];

/** Where a proxy runs: its ports, and files that only it and the test read. */
interface Place {
  readonly port: number;
  readonly servicePort: number;
  readonly folder: string;
  readonly certFile: string;
  readonly keyFile: string;
}

export interface ProxyProgram {
  readonly name: string;
  /** Whether it is installed. Tests of a proxy that is not are skipped by name. */
  readonly has: boolean;
  /** How the document marks its configuration. */
  readonly fence: string;
  readonly path: string;
  readonly args: (file: string) => string[];
  /** The lines of the document's configuration that name addresses and certificates. */
  readonly placed: (place: Place) => Changes;
  /** The rest of a configuration file, which Debian's package brings along. */
  readonly around: (site: string, place: Place) => string;
}

export const NGINX: ProxyProgram = {
  name: 'nginx',
  has: existsSync('/usr/sbin/nginx'),
  fence: 'nginx',
  path: '/usr/sbin/nginx',
  args: (file) => ['-e', 'stderr', '-c', file],
  placed: ({ port, certFile, keyFile }) => [
    ['listen 443 ', `listen 127.0.0.1:${port} `],
    ['/etc/ssl/faces.pem', certFile],
    ['/etc/ssl/faces.key', keyFile],
  ],
  around: (site, { folder }) =>
    [
      'daemon off;',
      `pid ${folder}/pid;`,
      'error_log stderr warn;',
      'events {}',
      'http {',
      'access_log off;',
      // As in Debian's nginx.conf.
      'gzip on;',
      ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((of) => `${of}_temp_path ${folder}/${of};`),
      site,
      '}',
    ].join('\n'),
};

export const CADDY: ProxyProgram = {
  name: 'Caddy',
  has: existsSync('/usr/bin/caddy'),
  fence: 'caddyfile',
  path: '/usr/bin/caddy',
  args: (file) => ['run', '--config', file, '--adapter', 'caddyfile'],
  placed: ({ port, certFile, keyFile }) => [
    // Nobody issues certificates for a loopback address.
    ['faces.example.org {', `https://127.0.0.1:${port} {\ntls ${certFile} ${keyFile}`],
  ],
  // No second listener at port 80, and no port for administration.
  around: (site) => `{\nadmin off\nauto_https disable_redirects\n}\n${site}`,
};

export interface RunningProxy {
  /** The certificate that clients must trust, in PEM, and its file. */
  readonly cert: string;
  readonly certFile: string;
  /** Everything written so far. */
  log(): string;
  stop(): Promise<void>;
}

/**
 * Starts a proxy at a loopback port.
 * @param changes makes the document's configuration a bad one
 */
export async function startProxy(
  program: ProxyProgram,
  ports: Pick<Place, 'port' | 'servicePort'>,
  changes: Changes = [],
): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-proxy-'));
  // nginx' own workers are `nobody`.
  chmodSync(folder, 0o755);
  const place = { ...ports, folder, certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') };
  const { cert, private: key } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  });
  writeFileSync(place.certFile, cert);
  writeFileSync(place.keyFile, key);
  const file = join(folder, 'config');
  const service: Changes = [[DOCUMENTED_SERVICE, `127.0.0.1:${place.servicePort}`]];
  const site = [...changes, ...program.placed(place), ...service].reduce(replaceIn, documented(program));
  writeFileSync(file, program.around(site, place));
  const child = spawn(program.path, program.args(file), {
    env: { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (text) => (log += text));
  const exited = once(child, 'exit');
  // Not SIGKILL, which nginx' workers would survive.
  const end = () => child.kill('SIGTERM');
  process.once('exit', end);
  const stop = async () => {
    process.off('exit', end);
    end();
    await exited;
    rmSync(folder, { recursive: true });
  };
  if (!(await listens(place.port, child))) {
    await stop();
    throw new Error(`${program.name} does not listen:\n${log}`);
  }
  return { cert, certFile: place.certFile, log: () => log, stop };
}

/** The configuration in the document. */
function documented({ fence }: ProxyProgram): string {
  const [, text] = RegExp(`^\`\`\`${fence}\n(.*?)^\`\`\``, 'ms').exec(readFileSync(DOCUMENT, 'utf8')) ?? [];
  if (text === undefined) throw new Error(`${DOCUMENT} has no block of ${fence}`);
  return text;
}

function replaceIn(text: string, [from, to]: Changes[number]): string {
  if (!text.includes(from)) throw new Error(`the configuration in ${DOCUMENT} has no "${from}"`);
  return text.replace(from, () => to);
}

async function listens(port: number, child: ChildProcess): Promise<boolean> {
  for (const deadline = Date.now() + START_TIMEOUT_MS; Date.now() < deadline; await delay(50)) {
    if (child.exitCode !== null) return false;
    if (await listensAt(port)) return true;
  }
  return false;
}
