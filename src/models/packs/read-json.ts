// Small JSON files of packs: read whole, checked against their schema.
import { readFileSync, statSync } from 'node:fs';
import type { Static, TSchema } from 'typebox';
import { Errors } from 'typebox/schema';
import { Fault, type FaultCode } from '../../base/errors.ts';

/** A manifest or a calibration has some kilobytes; this limit stops hostile or mistaken files. */
const MAX_JSON_BYTES = 4_000_000;

/**
 * The file's content, checked against the schema; null if there is no such file.
 * @throws Fault `code` when it is something else.
 */
export function readJson<const S extends TSchema>(schema: S, path: string, code: FaultCode) {
  const text = readText(path, code);
  return text === null ? null : parse(schema, text, path, code);
}

function readText(path: string, code: FaultCode): string | null {
  try {
    // Checked first, because reading a pipe or a device would never end.
    const found = statSync(path);
    if (!found.isFile()) throw new Fault(code, `${path} is not a regular file`);
    if (found.size > MAX_JSON_BYTES) throw new Fault(code, `${path} is too large`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Fault) throw error;
    const { code: why } = error as NodeJS.ErrnoException;
    if (why === 'ENOENT' || why === 'ENOTDIR') return null;
    throw new Fault(code, `${path} cannot be read: ${why}`, { cause: error });
  }
}

function parse<const S extends TSchema>(schema: S, text: string, path: string, code: FaultCode) {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Fault(code, `${path} is not JSON`, { cause });
  }
  // Each file is read only once, so loading the schema compiler would take longer than the check.
  const [, [error]] = Errors(schema, value);
  if (error) throw new Fault(code, `${path}: ${error.instancePath || '/'} ${error.message}`);
  return value as Static<S>;
}
