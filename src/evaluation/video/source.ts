// Bytes or a path → an open file that a child process can seek in (an MP4's index may stand at its end), with nothing
// left in any folder while it is read: killed or not, no biometric file stays behind.
import { createReadStream, type Stats } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** An open input. `handle` is read-only; close it when done. */
export interface MediaSource {
  readonly handle: FileHandle;
  readonly sizeBytes: number;
}

/**
 * Opens a regular file, or writes `input` into a private one (0600 in a 0700 folder) that is unlinked before its
 * first byte is written. Rejects with the file system's error when the path cannot be read, TypeError when it is no
 * regular file.
 */
export async function openSource(input: Uint8Array | string, tempDir: string): Promise<MediaSource> {
  if (typeof input !== 'string')
    return { handle: await writeUnlinked([input], tempDir), sizeBytes: input.length };
  const handle = await open(input, 'r');
  const stat = await handle.stat();
  if (stat.isFile() && isOpenToDecoder(stat)) return { handle, sizeBytes: stat.size };
  await handle.close();
  if (!stat.isFile()) throw new TypeError(`${input} is not a regular file`);
  return { handle: await writeUnlinked(createReadStream(input), tempDir), sizeBytes: stat.size };
}

/** Started by root it has another uid (confinement.ts), and opens its descriptor anew, by the file's mode. */
function isOpenToDecoder({ mode }: Stats): boolean {
  return process.getuid?.() !== 0 || (mode & 0o004) !== 0;
}

async function writeUnlinked(
  parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  tempDir: string,
): Promise<FileHandle> {
  const { writer, reader } = await openUnlinked(tempDir);
  try {
    // The decoder's own user opens it by its descriptor; nobody else can, with no name left.
    await writer.chmod(0o444);
    // Only now, with no name left: killed in between, the process leaves an empty file at most.
    for await (const part of parts) await writer.writeFile(part);
    return reader;
  } catch (error) {
    await reader.close();
    throw error;
  } finally {
    await writer.close();
  }
}

/** Two handles of one empty, unlinked file. */
async function openUnlinked(tempDir: string): Promise<{ writer: FileHandle; reader: FileHandle }> {
  const folder = await mkdtemp(join(tempDir, 'likeness-'));
  try {
    const path = join(folder, 'input');
    const writer = await open(path, 'wx', 0o600);
    try {
      return { writer, reader: await open(path, 'r') };
    } catch (error) {
      await writer.close();
      throw error;
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The first bytes of the file. */
export async function readHead(source: MediaSource, length: number): Promise<Uint8Array> {
  const head = new Uint8Array(Math.min(length, source.sizeBytes));
  const { bytesRead } = await source.handle.read(head, 0, head.length, 0);
  return head.subarray(0, bytesRead);
}
