// Files that a power cut does not take back.
import { randomBytes } from 'node:crypto';
import { open, writeFile } from 'node:fs/promises';

/** A name beside the path that nobody else writes to: for what is to appear whole or not at all. */
export function draftBeside(path: string): string {
  return `${path}.${randomBytes(6).toString('hex')}`;
}

/**
 * Writes a new file that only this user may read. Resolves when its bytes are on the disk; its name is there for good once
 * {@link syncFolder} was called.
 */
export async function writeSynced(
  path: string,
  data: string | Uint8Array | AsyncIterable<Uint8Array>,
): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await writeFile(file, data);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A new or removed name is durable once its folder is. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}
