// Where a video or a photograph comes from: bytes, a path, or chunks that arrive over time. Input in which a child
// process must seek (an MP4's index may be at its end) becomes an open file without a name in any folder, so that no
// biometric file stays behind even if the process is killed.
import { createReadStream, type Stats } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';

/** A video that is still growing: its bytes in chunks of any size as they arrive. */
export type GrowingVideo = AsyncIterable<Uint8Array>;

/** Bytes of an upload, the path of a file, or a video that is still growing. */
export type VideoInput = Uint8Array | string | GrowingVideo;

/** Size in bytes; null for a video that is still growing. Rejects for a path as `openSource` does. */
export async function sizeOf(video: VideoInput): Promise<number | null> {
  if (video instanceof Uint8Array) return video.length;
  if (typeof video !== 'string') return null;
  const found = await stat(video);
  requireRegularFile(video, found);
  return found.size;
}

/** The video's bytes. */
export function bytesOf(video: VideoInput): AsyncIterable<Uint8Array> {
  if (typeof video === 'string') return createReadStream(video);
  return video instanceof Uint8Array ? Readable.from([video]) : video;
}

/** An open input. `handle` is read-only; close it when done. */
export interface MediaSource {
  readonly handle: FileHandle;
  readonly sizeBytes: number;
}

/**
 * Opens a regular file, or bytes as one. Rejects with the file system's error if the path cannot be read, TypeError if
 * it is not a regular file.
 */
export async function openSource(media: Uint8Array | string, tempDir: string): Promise<MediaSource> {
  if (typeof media !== 'string')
    return { handle: await writeUnlinked(bytesOf(media), tempDir), sizeBytes: media.length };
  const handle = await open(media, 'r');
  const found = await handle.stat();
  if (found.isFile() && isOpenToDecoder(found)) return { handle, sizeBytes: found.size };
  await handle.close();
  requireRegularFile(media, found);
  return { handle: await writeUnlinked(bytesOf(media), tempDir), sizeBytes: found.size };
}

function requireRegularFile(path: string, found: Stats): void {
  if (!found.isFile()) throw new TypeError(`${path} is not a regular file`);
}

/**
 * When started by root, the decoder has another uid (confinement.ts) and reopens its descriptor, so others must be
 * allowed to read the file.
 */
function isOpenToDecoder({ mode }: Stats): boolean {
  return process.getuid?.() !== 0 || (mode & 0o004) !== 0;
}

/**
 * Writes bytes, as they arrive, into a private file (0600 in a 0700 folder) that is unlinked before its first byte is
 * written. Rejects as the bytes do.
 */
export async function writeUnlinked(parts: AsyncIterable<Uint8Array>, tempDir: string): Promise<FileHandle> {
  const { writer, reader } = await openUnlinked(tempDir);
  try {
    // The decoder's own user opens the file by its descriptor; nobody else can, because it has no name left.
    await writer.chmod(0o444);
    // Written only now that no name is left: a process killed earlier leaves an empty file at most.
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
