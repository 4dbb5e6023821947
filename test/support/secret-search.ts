// Looks for secrets where they must not be: in a dump of every table, in every file of a data folder, in a log.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import pg from 'pg';

/** What must not be found, by a name that a failure may show. */
export type Secrets = Readonly<Record<string, string | Uint8Array>>;

/** Every row of every table of every schema, as text. */
export async function dumpDatabase(connectionString: string): Promise<string> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    const parts: string[] = [];
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ line: string }>(`select t::text as line from ${name} as t`);
      parts.push(name, ...rows.map(({ line }) => line));
    }
    return parts.join('\n');
  } finally {
    await client.end();
  }
}

/** Every file below a folder except those named. */
export function readFiles(folder: string, except: readonly string[]): Buffer[] {
  return filesBelow(folder)
    .filter((path) => !except.includes(basename(path)))
    .map(readIfThere);
}

/** Reads a file that the database may have removed since it was listed. */
export function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

/** Files below a folder that contain any of the secrets, each with the names of those it contains. */
export function filesWith(folder: string, secrets: Secrets): string[] {
  return filesBelow(folder).flatMap((path) => {
    const found = findSecrets(readIfThere(path), secrets);
    return found.length > 0 ? [`${path}: ${found.join(', ')}`] : [];
  });
}

/** Paths of every file below a folder. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Names of the secrets that the bytes contain: as they are, in hex, or in base64 at any offset. */
export function findSecrets(bytes: Uint8Array, secrets: Secrets): string[] {
  const haystack = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Object.entries(secrets)
    .filter(([, secret]) =>
      spellings(Buffer.from(secret as Uint8Array)).some((form) => haystack.includes(form)),
    )
    .map(([name]) => name);
}

function spellings(secret: Buffer): Buffer[] {
  const base64 = [0, 1, 2].map((shift) => {
    // Leaves out characters that also encode neighbouring bytes.
    const text = Buffer.concat([Buffer.alloc(shift), secret])
      .toString('base64')
      .replace(/=+$/, '');
    return text.slice(shift === 0 ? 0 : shift + 1, -1);
  });
  const url = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  return [secret, ...[secret.toString('hex'), ...base64, ...url].map((text) => Buffer.from(text))];
}
