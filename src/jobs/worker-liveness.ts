// Port: which workers of the job queue are alive. A worker process holds one session lock per worker in the database,
// which goes with its connection however the process dies; src/storage implements it.

export interface WorkerLiveness {
  /** Holds this worker's lock as long as this process lives; taken again after a lost connection. */
  hold(workerId: string): void;
  release(workerId: string): void;
  /** Workers that have jobs locked and hold no lock of their own. */
  listMissing(): Promise<string[]>;
  /** Gives the jobs of these workers back to the queue. */
  unlockJobsOf(workerIds: readonly string[]): Promise<void>;
  close(): Promise<void>;
}
