// The port of asset stores: a disk or an object store. They see ciphertext only.
import type { Readable } from 'node:stream';
import type { ByteRange, SizedBytes } from '../../base/sized-bytes.ts';

/** Bytes by id. Ids are asset ids: lower-case letters, digits and underscores. All faults are ASSET_STORE_FAILED. */
export interface BlobStore {
  /**
   * Stores durably: after it returns, a power cut loses nothing; a crash before leaves nothing half-written. If
   * reading the bytes fails, nothing is stored.
   */
  write(id: string, bytes: Uint8Array | SizedBytes): Promise<void>;
  /** Undefined if there is none. The stream must be read to its end or destroyed. */
  read(id: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Does nothing if there is none. */
  remove(id: string): Promise<void>;
  /** Ids written before `before`, in any order; removes the remains of unfinished writes. */
  listOlderThan(before: Date): AsyncIterable<string>;
  /** Rejects if the store cannot be reached; writes nothing. */
  check(): Promise<void>;
  /** The mark that set-up left (marked-blobs.ts), which is not a blob; undefined if there is none. */
  readMark(): Promise<string | undefined>;
  /** Durable when it returns. */
  writeMark(mark: string): Promise<void>;
}

/** Whether an id may become part of a path or key. */
export function isBlobId(id: string): boolean {
  return /^[a-z0-9_]{3,64}$/.test(id);
}
