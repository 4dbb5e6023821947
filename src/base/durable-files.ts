// Files that survive a power cut.
import { randomBytes } from 'node:crypto';
import { open, writeFile } from 'node:fs/promises';

/** A unique name next to the path, for a file that must appear whole or not at all: write it there, then rename it. */
export function draftBeside(path: string): string {
  return `${path}.${randomBytes(6).toString('hex')}`;
}

/**
 * Writes a new file that only this user may read. Resolves when its bytes are on disk; its name is durable only after
 * {@link syncFolder}.
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

/** Makes the names created in or removed from a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}
