// The numbers of our advisory locks, in one place so that none is taken twice. They stay the same in every version: processes
// of two versions wait for each other. PostgreSQL keeps locks of one key apart from those of two.

/** Locks of one key. */
export const LOCKS = {
  migrations: 5_141_700,
  /** Shared by the processes that use an embedded server. */
  lease: 5_141_701,
  signingKeys: 5_141_780,
} as const;

/** First keys of the locks of two; the second says of what. */
export const LOCK_CLASSES = {
  /** Of a worker, held while it lives. */
  presence: 5_141_701,
  /** Of work that one process does at a time, by its name. */
  turns: 5_141_702,
  /** Ids keep their buckets of keys: migration 0062 has the number, too. */
  keyBuckets: 5_141_703,
} as const;
