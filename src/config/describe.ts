// Every variable of the configuration as operators read it: what it means, and what is in force.
import { parseUrl } from '../base/parse-url.ts';
import { DEFAULT_METRICS_PORT } from '../metrics/default-port.ts';
import { type Config, Environment } from './config.ts';
import { trimmed } from './config-faults.ts';
import { defaultBaseUrl, defaultDataDir } from './read-config.ts';

/** A variable, whatever is in force. */
export interface VariableDescription {
  readonly name: string;
  readonly description: string;
  /** Null: unset, or as the description says. */
  readonly default: string | null;
  /** Of a number, as its name says; null for anything else. */
  readonly unit: string | null;
  /** What it may be, if the schema lists or bounds it. */
  readonly allowed: string | null;
}

/** Its default is the one here, even where it depends on other variables. */
export interface DescribedVariable extends VariableDescription {
  /** In force; a secret is masked. Null: unset. */
  readonly value: string | null;
  readonly from: 'default' | 'environment';
}

/** Units that names end in. */
const UNITS: Readonly<Record<string, string>> = { SECONDS: 'seconds', DAYS: 'days' };
const SECRETS: ReadonlySet<string> = new Set([
  'MASTER_KEY',
  'CONSOLE_PASSWORD',
  'CONSOLE_TOTP_SECRET',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'LIKENESS_API_KEY',
]);
const ADDRESSES_WITH_PASSWORDS: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'S3_ENDPOINT',
]);
const MASK = '***';

/** A variable that is no part of the configuration, as nothing checks it at the start. */
export interface VariableElsewhere {
  readonly name: string;
  /** Who reads it, and for what. */
  readonly description: string;
}

/** What libraries and commands read for themselves. */
export const READ_ELSEWHERE: readonly VariableElsewhere[] = [
  {
    name: 'AWS_ACCESS_KEY_ID',
    description: 'The S3 library: access key id, unless the machine has a role.',
  },
  { name: 'AWS_SECRET_ACCESS_KEY', description: 'The S3 library: secret access key.' },
  { name: 'AWS_SESSION_TOKEN', description: 'The S3 library: session token of temporary credentials.' },
  {
    name: 'AWS_REGION',
    description: 'The S3 library: region of the bucket; with S3_ENDPOINT, us-east-1 if it is unset.',
  },
  {
    name: 'LIKENESS_URL',
    description: 'likeness challenge: address of the service; by default, that of development mode.',
  },
  {
    name: 'LIKENESS_API_KEY',
    description: 'likeness challenge: API key; by default, that of development mode.',
  },
];

/** The part of a variable's schema that is shown. */
interface VariableSchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Every variable, in the order of the schema. */
export function describeVariables(): VariableDescription[] {
  return Object.entries(Environment.properties as Record<string, VariableSchema>).map(([name, schema]) => {
    const isNumber = schema.type === 'integer' || schema.type === 'number';
    return {
      name,
      description: schema.description ?? '',
      default: schema.default === undefined ? null : String(schema.default),
      unit: (isNumber && UNITS[name.split('_').at(-1)!]) || null,
      allowed: allowedOf(schema),
    };
  });
}

/** @param config what was read from this environment */
export function describeConfig(config: Config, environment: NodeJS.ProcessEnv): DescribedVariable[] {
  const givenOf = (name: string) => trimmed(name, environment[name]);
  // Where the default depends on other variables, or on what starts.
  const derived: Readonly<Record<string, string | undefined>> = {
    BASE_URL: givenOf('BASE_URL') ? defaultBaseUrl(config) : config.baseUrl,
    DATA_DIR: givenOf('DATA_DIR') ? defaultDataDir() : config.dataDir,
    DATABASE_DIRECT_URL: config.DATABASE_URL && masked('DATABASE_DIRECT_URL', config.DATABASE_URL),
    METRICS_PORT: String(DEFAULT_METRICS_PORT),
    // Nothing has checked the address of a command that serves nobody.
    PASSKEY_RP_ID: parseUrl(config.baseUrl)?.hostname,
  };
  return describeVariables().map((variable) => {
    const { name } = variable;
    const byDefault = derived[name] ?? variable.default;
    const given = givenOf(name);
    return {
      ...variable,
      default: byDefault,
      value: given === undefined ? byDefault : masked(name, given),
      from: given === undefined ? ('default' as const) : ('environment' as const),
    };
  });
}

/** Those that are read elsewhere, with what this environment gives them. Null: unset. */
export function describeElsewhere(
  environment: NodeJS.ProcessEnv,
): (VariableElsewhere & { readonly value: string | null })[] {
  return READ_ELSEWHERE.map((variable) => {
    const given = environment[variable.name] || null;
    return { ...variable, value: given && SECRETS.has(variable.name) ? MASK : given };
  });
}

function allowedOf({ type, enum: values, minimum, maximum }: VariableSchema): string | null {
  if (values) return values.join(', ');
  if (type === 'boolean') return 'true, false';
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`;
  return null;
}

function masked(name: string, value: string): string {
  if (SECRETS.has(name)) return MASK;
  if (!ADDRESSES_WITH_PASSWORDS.has(name)) return value;
  const url = parseUrl(value);
  if (url === null) return MASK;
  // A password with signs that were not encoded ends up in another part of the address.
  if (/@/.test(url.pathname + url.search + url.hash)) return MASK;
  if (url.password) url.password = MASK;
  if (url.searchParams.has('password')) url.searchParams.set('password', MASK);
  return url.href;
}
