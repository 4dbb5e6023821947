// Containers of the image and of a PostgreSQL on a network of their own, as the compose files have them.
import { join } from 'node:path';
import { IMAGE } from './build-image.ts';
import { HARDENED, podman, waitForReady } from './containers.ts';
import { ROOT } from './tools.ts';

export const READY = { api: ':8080/readyz', all: ':8080/readyz', worker: ':9464/readyz' };

const READY_WITHIN_MS = 120_000;

/** One deployment: what all its containers share. */
export interface Deployment {
  /** Name of its network, and the prefix of its containers and volumes. */
  readonly network: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** The full name of a container. */
export const named = ({ network }: Deployment, name: string): string => `${network}-${name}`;

/** Removes what an earlier run has left, and creates the network, which cannot reach the others created this way. */
export async function createNetwork(deployment: Deployment, names: readonly string[]): Promise<void> {
  await removeDeployment(deployment, names);
  await podman('network', 'create', '--opt', 'isolate=true', deployment.network);
}

export async function removeDeployment(deployment: Deployment, names: readonly string[]): Promise<void> {
  const all = names.map((name) => named(deployment, name));
  await podman('rm', '--force', '--volumes', ...all).catch(() => {});
  await podman('volume', 'rm', '--force', ...all, named(deployment, 'data')).catch(() => {});
  await podman('network', 'rm', '--force', deployment.network).catch(() => {});
}

/** A server that the others find as `postgres`, run with the programs of the image. */
export function startPostgres(deployment: Deployment): Promise<void> {
  const script = `${join(ROOT, 'test/deploy/postgres.js')}:/postgres.js:ro`;
  const options = [
    '--entrypoint',
    'node',
    '-v',
    script,
    '-v',
    `${named(deployment, 'postgres')}:/var/lib/likeness`,
  ];
  return run(deployment, 'postgres', options, '/postgres.js', '/likeness');
}

/** Starts a process of the image and waits until it is ready. Assets are on a shared volume, in place of S3. */
export async function startLikeness(
  deployment: Deployment,
  name: string,
  role: keyof typeof READY,
): Promise<void> {
  const settings = {
    ROLE: role,
    DATABASE_URL: 'postgres://likeness@postgres/postgres',
    OPERATOR_HOST: '0.0.0.0',
    METRICS_PORT: '9464',
    ...deployment.settings,
  };
  await run(
    deployment,
    name,
    [
      ['-v', `${named(deployment, 'data')}:/var/lib/likeness`],
      Object.entries(settings).flatMap(([variable, value]) => ['--env', `${variable}=${value}`]),
    ].flat(),
  );
  await untilReady(deployment, name, role);
}

/**
 * Waits until a process is ready. A process that exited because its database was not there yet is restarted, as an
 * orchestrator does.
 */
export async function untilReady(
  deployment: Deployment,
  name: string,
  role: keyof typeof READY,
): Promise<void> {
  const container = named(deployment, name);
  const until = Date.now() + READY_WITHIN_MS;
  for (;;) {
    try {
      await waitForReady(container, READY[role], 3_000);
      return;
    } catch (error) {
      if (Date.now() > until) throw error;
      const running = await podman('inspect', container, '--format', '{{.State.Running}}');
      if (running === 'false') await podman('start', container);
    }
  }
}

/** Creates an account; returns its API key. */
export async function createAccount(deployment: Deployment, name: string): Promise<string> {
  const made = await podman(
    'exec',
    named(deployment, name),
    'likeness',
    'accounts',
    'create',
    'shop',
    '--json',
  );
  return JSON.parse(made).api_key;
}

/** Starts a container of the image on the network, with a name there. */
async function run(
  deployment: Deployment,
  name: string,
  options: readonly string[],
  ...command: string[]
): Promise<void> {
  await podman(
    'run',
    '--detach',
    '--name',
    named(deployment, name),
    '--network',
    deployment.network,
    '--network-alias',
    name,
    ...HARDENED,
    ...options,
    IMAGE,
    ...command,
  );
}
