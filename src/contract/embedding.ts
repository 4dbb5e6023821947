// What the capture page tells the page that frames or opened it, by postMessage. Documented in docs/guides/embedding.md.

/** `ready` comes with the first screen, unless that is a dead end. `completed` may follow `cancelled`. */
export const EMBEDDING_EVENTS = ['ready', 'completed', 'failed', 'cancelled'] as const;
export type EmbeddingEvent = (typeof EMBEDDING_EVENTS)[number];

/**
 * The message's data. It says that the person is done or cannot go on, never how the check ended: that comes by
 * webhook. `reason` comes with `failed` only: the dead end's name, stable.
 */
export interface EmbeddingMessage {
  readonly source: 'likeness';
  readonly event: EmbeddingEvent;
  readonly reason?: string;
}
