// The port of the places where encrypted assets lie: a disk or an object store. They see ciphertext only.
import type { Readable } from 'node:stream';
import type { ByteRange, SizedBytes } from '../../base/sized-bytes.ts';

/** Bytes by id. Ids are asset ids: lower-case letters, digits and underscores. All faults are ASSET_STORE_FAILED. */
export interface BlobStore {
  /**
   * Stores durably: after this returned, a power cut loses nothing; a crash before leaves nothing half. Where reading
   * the bytes fails, nothing is stored.
   */
  write(id: string, bytes: Uint8Array | SizedBytes): Promise<void>;
  /** Undefined where there is none. What is answered must be read to its end or destroyed. */
  read(id: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Nothing happens where there is none. */
  remove(id: string): Promise<void>;
  /** Ids written before `before`, in any order; clears the remains of writes that never finished. */
  listOlderThan(before: Date): AsyncIterable<string>;
  /** Rejects where the place cannot be reached just now; writes nothing. */
  check(): Promise<void>;
  /** The mark that set-up left (marked-blobs.ts), which is no blob; undefined where there is none. */
  readMark(): Promise<string | undefined>;
  /** Durable when it returns. */
  writeMark(mark: string): Promise<void>;
}

/** Whether an id may become part of a path or key. */
export function isBlobId(id: string): boolean {
  return /^[a-z0-9_]{3,64}$/.test(id);
}
