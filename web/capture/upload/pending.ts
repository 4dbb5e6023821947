// The recorded bytes of the current capture, kept across reloads: encrypted in IndexedDB under a key that exists only
// in this tab's sessionStorage. Closing the tab makes the rest unreadable; a finished upload deletes it.
import type { CommitRequest, SliceAnnouncement } from '../../../src/contract/capture-page.ts';
import { within } from '../time/within.ts';

/** Until when a recording is accepted, on this device's clock in milliseconds since 1970; the server decides. */
export interface Deadlines {
  /** For the commit of its hash. */
  readonly commitByMs: number;
  /** For its last byte, once it is committed. */
  readonly uploadByMs: number;
}

/** A recorded capture that the server does not have in full yet. */
export interface PendingCapture {
  readonly captureId: string;
  readonly chunkBytes: number;
  readonly blob: Blob;
  readonly slices: readonly SliceAnnouncement[];
  readonly commit: CommitRequest;
  readonly deadlines: Deadlines;
}

interface Stored extends Omit<PendingCapture, 'blob'> {
  readonly nonce: Uint8Array<ArrayBuffer>;
  readonly sealed: ArrayBuffer;
}

const DATABASE = 'likeness-capture';
const STORE = 'pending';
const KEY_ENTRY = 'likeness-pending-key';
/**
 * If the disk takes longer (in some versions Safari's took for ever), only the resumption is lost, not the page.
 * Chosen, not measured.
 */
const DISK_MS = 5_000;
/** One capture at a time: a new one replaces the previous. */
const SLOT = 'current';

/** Stores the capture. If that fails (private mode, blocked storage), only the resumption after a reload is lost. */
export async function keepPending(pending: PendingCapture): Promise<void> {
  try {
    const raw = crypto.getRandomValues(new Uint8Array(32));
    const nonce = crypto.getRandomValues(new Uint8Array(12));
    const key = await crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt']);
    const bytes = await pending.blob.arrayBuffer();
    const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce }, key, bytes);
    sessionStorage.setItem(KEY_ENTRY, JSON.stringify([...raw]));
    const { blob: _, ...rest } = pending;
    const stored: Stored = { ...rest, nonce, sealed };
    await inStore('readwrite', (store) => store.put(stored, SLOT));
  } catch {
    await dropPending();
  }
}

/** The stored capture, if it has this id and this tab has its key. */
export async function loadPending(captureId: string): Promise<PendingCapture | null> {
  try {
    const raw = sessionStorage.getItem(KEY_ENTRY);
    if (raw === null) return null;
    const found = inStore('readonly', (store) => store.get(SLOT));
    const stored = (await within(DISK_MS, found, undefined)) as Stored | undefined;
    if (stored?.captureId !== captureId) return null;
    const keyBytes = new Uint8Array(JSON.parse(raw) as number[]);
    const key = await crypto.subtle.importKey('raw', keyBytes, 'AES-GCM', false, ['decrypt']);
    const bytes = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: stored.nonce }, key, stored.sealed);
    const { chunkBytes, slices, commit, deadlines } = stored;
    return {
      captureId,
      chunkBytes,
      slices,
      commit,
      deadlines,
      blob: new Blob([bytes], { type: commit.mime_type }),
    };
  } catch {
    return null;
  }
}

/** Deletes the stored capture. */
export async function dropPending(): Promise<void> {
  try {
    sessionStorage.removeItem(KEY_ENTRY);
    await inStore('readwrite', (store) => store.clear());
  } catch {
    // Storage is blocked, so nothing was stored either.
  }
}

function inStore(mode: IDBTransactionMode, use: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const database = opening.result;
      const transaction = database.transaction(STORE, mode);
      const request = use(transaction.objectStore(STORE));
      transaction.oncomplete = () => {
        database.close();
        resolve(request.result);
      };
      transaction.onabort = () => {
        database.close();
        reject(transaction.error);
      };
    };
  });
}
