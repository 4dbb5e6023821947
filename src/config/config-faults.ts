// Describes faults of the environment for the operator: the variable, the fault and what is needed. Values are never
// repeated, because some are secrets.
import type { ErrorObject } from 'ajv';
import { Environment } from './config.ts';

/** The part of a variable's schema that the messages use. */
interface VariableSchema {
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly description?: string;
}

/** Variables whose white space and quotes may belong to the value. */
const VERBATIM_VARIABLES = new Set(['CONSOLE_PASSWORD', 'FRAME_ANCESTORS']);

/**
 * A variable's value without the white space that files and secret stores leave around it, such as a line end or the
 * `\r` of a Windows file. A password loses only line ends at its end, which nobody can type. Undefined if nothing is
 * left.
 */
export function trimmed(name: string, text: string | undefined): string | undefined {
  const value = VERBATIM_VARIABLES.has(name) ? text?.replace(/[\r\n]+$/, '') : text?.trim();
  return value || undefined;
}

/**
 * Names of variables whose values are in quotes: `docker --env-file` and systemd's shells differ in whether they strip
 * them.
 */
export function quotedVariables(values: Readonly<Record<string, string>>): string[] {
  return Object.keys(values).filter(
    (name) => !VERBATIM_VARIABLES.has(name) && /^(["']).*\1$/s.test(values[name]!),
  );
}

/** One message per invalid variable. */
export function faultsOf(errors: readonly ErrorObject[]): string[] {
  const firsts = new Map<string, ErrorObject>();
  for (const error of errors) {
    const name = error.instancePath.slice(1);
    if (!firsts.has(name)) firsts.set(name, error);
  }
  return [...firsts].map(([name, error]) => `${name} ${requirementOf(name, error)}`);
}

function requirementOf(name: string, { keyword, params, message }: ErrorObject): string {
  const schema = (Environment.properties as Record<string, VariableSchema>)[name] ?? {};
  switch (keyword) {
    case 'enum':
      return `must be one of ${(params.allowedValues as string[]).join(', ')}`;
    case 'type':
      if (params.type === 'boolean') return 'must be true or false';
      return `must be a ${params.type === 'integer' ? 'whole ' : ''}number${rangeOf(schema)}`;
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
      return `must be a number${rangeOf(schema)}`;
    case 'minLength':
    case 'maxLength':
      return `must have at ${keyword === 'minLength' ? 'least' : 'most'} ${params.limit} characters`;
    case 'pattern':
    case 'format':
      return `does not have the required form (${schema.description?.replace(/\.$/, '')})`;
    default:
      return message ?? 'is wrong';
  }
}

function rangeOf({ minimum, exclusiveMinimum, maximum }: VariableSchema): string {
  if (exclusiveMinimum !== undefined) return ` above ${exclusiveMinimum}, at most ${maximum}`;
  if (minimum === undefined) return '';
  return maximum === undefined ? ` of at least ${minimum}` : ` from ${minimum} to ${maximum}`;
}
