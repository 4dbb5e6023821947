// The closed catalogue of faults: things that should not happen and that the caller cannot fix with different input.
// Expected outcomes (no face, wrong key, state conflict) are return values, not faults.

export const FAULT_CODES = {
  CONFIG_INVALID: 'a configuration variable is missing or wrong',
  LISTEN_FAILED: 'the process cannot listen on a port',
  DATA_DIR_UNUSABLE: 'the data folder cannot be used',
  MODELS_MISSING: 'the compiled models are missing: run `npm start` once, or `node bin/bootstrap.js setup`',
  MODEL_SOURCE_CHANGED:
    'the weights in an npm package differ from those that were measured: install with `npm ci`, which follows package-lock.json',
  MODEL_CORRUPT:
    'a compiled model does not match its recorded hash: delete build/models and run set-up again',
  PACK_MISSING: 'a recogniser or PAD pack, or one of its files, is missing',
  PACK_CORRUPT: 'a file of a recogniser or PAD pack does not match the hash in its manifest',
  PACK_INVALID: 'a recogniser or PAD pack cannot be used as its manifest declares it',
  CALIBRATION_INVALID: 'a calibration of the recogniser cannot be used',
  DATABASE_UNAVAILABLE: 'the database cannot be reached',
  DATABASE_TOO_OLD: 'the database runs on a PostgreSQL that is too old',
  DATABASE_START_FAILED: 'the embedded PostgreSQL did not start',
  DATABASE_UNKNOWN:
    'the database was made by a version from before the first release, which cannot be upgraded: start with an empty one (another DATABASE_URL or DATA_DIR), or with the version that made it',
  DATABASE_NEWER:
    'a newer version has migrated the database: start that version, or restore the backup from before the upgrade',
  MIGRATION_FAILED: 'a database migration failed',
  ASSET_MISSING: 'an asset recorded in the database is missing from the asset store',
  ASSET_STORE_FAILED: 'the asset store cannot be read or written',
  SEAL_BROKEN: 'a sealed record cannot be opened: wrong key, or altered data',
  KEY_UNKNOWN: 'a record is wrapped by a master key that this process does not hold',
  SERVICE_REFUSED: 'the service refused',
  SERVICE_UNREACHABLE: 'the service does not answer; is it running?',
  TOOL_MISSING: 'a program that Likeness needs is not installed',
  INVARIANT: 'an internal invariant was violated: this is a bug',
} as const;

export type FaultCode = keyof typeof FAULT_CODES;

/** An I/O fault or a bug, with a stable code. `detail` may be shown to the operator; it never holds a secret. */
export class Fault extends Error {
  readonly code: FaultCode;

  constructor(code: FaultCode, detail?: string, options?: ErrorOptions) {
    super(detail ? `${FAULT_CODES[code]}: ${detail}` : FAULT_CODES[code], options);
    this.name = 'Fault';
    this.code = code;
  }
}
