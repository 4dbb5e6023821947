// The keys of our advisory locks, in one place so that none is used twice. They must stay the same in every version,
// because processes of two versions wait for each other. PostgreSQL keeps locks with one key apart from those with two.

/** Locks with one key. */
export const LOCKS = {
  migrations: 5_141_700,
  /** Shared by the processes that use an embedded server. */
  lease: 5_141_701,
} as const;

/** First keys of the locks with two keys; the second key says which one of the class. */
export const LOCK_CLASSES = {
  /** One lock per worker, held while the worker lives. */
  presence: 5_141_701,
  /** One lock per name of work that one process does at a time. */
  turns: 5_141_702,
  /** One lock per bucket of erasure keys: shared by erasures, taken alone by a rewrite. */
  keyBuckets: 5_141_703,
} as const;
