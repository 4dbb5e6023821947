// The messages that the capture page posts (postMessage) to the page that frames or opened it:
// docs/guides/embedding.md.

/** `ready` is sent with the first screen, unless that is a dead end. `completed` may follow `cancelled`. */
export const EMBEDDING_EVENTS = ['ready', 'completed', 'failed', 'cancelled'] as const;
export type EmbeddingEvent = (typeof EMBEDDING_EVENTS)[number];

/**
 * The message's data. It says that the person is done or cannot continue, never how the check ended; the webhook
 * reports that. `reason` is present only with `failed`: the stable name of the dead end.
 */
export interface EmbeddingMessage {
  readonly source: 'likeness';
  readonly event: EmbeddingEvent;
  readonly reason?: string;
}
