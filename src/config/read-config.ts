// Reads and validates the environment. An invalid value stops the start with a message that names the variable.

import { join, resolve } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { Fault } from '../base/errors.ts';
import { parseUrl } from '../base/parse-url.ts';
import type { Prompt } from '../contract/script.ts';
import { type Config, Environment } from './config.ts';
import { faultsOf, quotedVariables, trimmed } from './config-faults.ts';
import { LIMITS } from './limits.ts';

const packageRoot = resolve(import.meta.dirname, '..', '..');

/**
 * Reads and validates the environment. Unset, empty and blank variables take their default.
 * @throws Fault CONFIG_INVALID, which names every invalid variable but never repeats values.
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  return read(environment, requireForService);
}

/**
 * The same for a command that serves nobody and stores nothing. It needs neither a key nor an address, even in
 * production mode (as in a container).
 * @throws Fault CONFIG_INVALID
 */
export function readConfigOffline(environment: NodeJS.ProcessEnv): Config {
  return read(environment, () => {});
}

function read(environment: NodeJS.ProcessEnv, requireMore: (values: Environment) => void): Config {
  const given: Record<string, string> = {};
  for (const name of Object.keys(Environment.properties)) {
    const value = trimmed(name, environment[name]);
    if (value) given[name] = value;
  }
  const quoted = quotedVariables(given);
  if (quoted.length > 0) {
    throw new Fault(
      'CONFIG_INVALID',
      `${quoted.join(', ')}: the quotes around the value count as part of it: remove them`,
    );
  }
  const ajv = new Ajv({ allErrors: true, coerceTypes: true, useDefaults: true, strict: false });
  addFormats.default(ajv);
  const validate = ajv.compile<Environment>(Environment);
  if (!validate(given)) throw new Fault('CONFIG_INVALID', faultsOf(validate.errors ?? []).join('; '));
  const values = given as unknown as Environment;
  requireMore(values);
  const { BASE_URL, DATA_DIR, LIVENESS_PROMPTS, PASSKEY_ATTESTATION, WEBHOOK_ALLOW_HOSTS, ...rest } = values;
  return {
    ...rest,
    baseUrl: BASE_URL?.replace(/\/+$/, '') ?? defaultBaseUrl(values),
    dataDir: resolve(DATA_DIR ?? defaultDataDir()),
    modelsDir: join(packageRoot, 'build', 'models'),
    // The schema's pattern has validated each.
    livenessPrompts: listOf(LIVENESS_PROMPTS) as Prompt[],
    passkeyMakers: PASSKEY_ATTESTATION === 'none' ? null : PASSKEY_ATTESTATION,
    webhookAllowHosts: listOf(WEBHOOK_ALLOW_HOSTS),
    limits: LIMITS,
  };
}

/** The entries of a list separated by commas; blank ones are left out. */
function listOf(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

function requireForService(values: Environment): void {
  if (values.BASE_URL && !isBaseAddress(values.BASE_URL)) {
    throw new Fault(
      'CONFIG_INVALID',
      'BASE_URL must be http:// or https:// with a host and, optionally, a port and a path; nothing may follow',
    );
  }
  if (values.PASSKEY_RP_ID && !isParentOf(values.PASSKEY_RP_ID, values.BASE_URL)) {
    throw new Fault(
      'CONFIG_INVALID',
      'PASSKEY_RP_ID must be the host of BASE_URL or a domain above it: browsers make no passkeys for another',
    );
  }
  if (values.MODE === 'production') requireForProduction(values);
  if (values.CONSOLE_TOTP_SECRET && !values.CONSOLE_PASSWORD) {
    throw new Fault('CONFIG_INVALID', 'CONSOLE_TOTP_SECRET is a second factor: it needs CONSOLE_PASSWORD');
  }
  if (values.DATABASE_DIRECT_URL && !values.DATABASE_URL) {
    throw new Fault('CONFIG_INVALID', 'DATABASE_DIRECT_URL needs DATABASE_URL, for the same database');
  }
}

function requireForProduction(values: Environment): void {
  if (!values.MASTER_KEY && !values.MASTER_KEY_FILE && !values.MASTER_KEY_MODULE) {
    throw new Fault(
      'CONFIG_INVALID',
      'one of MASTER_KEY, MASTER_KEY_FILE and MASTER_KEY_MODULE is required in production',
    );
  }
  if (!values.BASE_URL?.startsWith('https://')) {
    throw new Fault('CONFIG_INVALID', 'BASE_URL must be an https address in production');
  }
  if (values.DEV_TLS === '1') throw new Fault('CONFIG_INVALID', 'DEV_TLS is for development only');
}

/** Links are made by appending paths to it, and clients see it, so it must have no query, fragment or credentials. */
function isBaseAddress(text: string): boolean {
  const url = /^https?:\/\/[^?#@]+$/.test(text) ? parseUrl(text) : null;
  return url?.username === '' && url.password === '';
}

/** Whether a page at `address` may make passkeys of this domain, as far as can be told without a list of suffixes. */
function isParentOf(domain: string, address: string | undefined): boolean {
  return address !== undefined && `.${new URL(address).hostname}`.endsWith(`.${domain}`);
}

/** Where it listens, for a browser on this machine. */
export function defaultBaseUrl({ PORT }: Pick<Environment, 'PORT'>): string {
  return `http://127.0.0.1:${PORT}`;
}

/** As root, the database runs as an unprivileged user, which cannot enter a root-only folder such as /root/likeness. */
export function defaultDataDir(): string {
  return process.getuid?.() === 0 ? '/var/lib/likeness' : join(packageRoot, 'data');
}
