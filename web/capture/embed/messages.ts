// Tells the page that frames or opened this one how the person is getting on. Only the event's name leaves, and with
// `failed` the name of the dead end. The target origin is `*`, because the origin cannot be known: a page that frames
// this one is allowed by FRAME_ANCESTORS, which the browser enforces, and a page that opened it has the link.
import type { EmbeddingMessage } from '../../../src/contract/embedding.ts';
import type { Page, Screen } from '../flow/screens.ts';

/** What a screen means for the page around it; null for an intermediate step. */
export function embeddingMessage({ name }: Screen): EmbeddingMessage | null {
  switch (name) {
    case 'done':
      return { source: 'likeness', event: 'completed' };
    case 'declined':
    case 'left':
      return { source: 'likeness', event: 'cancelled' };
    case 'unsupported':
    case 'insecure':
    case 'sandboxed_frame':
    case 'unknown_link':
    case 'expired':
    case 'used':
    case 'other_device':
    case 'cancelled':
    case 'no_tries':
      return { source: 'likeness', event: 'failed', reason: name };
    case 'busy':
      return { source: 'likeness', event: 'failed', reason: 'too_many_requests' };
    case 'unavailable':
      return { source: 'likeness', event: 'failed', reason: 'server' };
    default:
      return null;
  }
}

/** Sends `ready` with the first screen, and each later meaning once. Sends nothing if there is no page to tell. */
export function createNotifier(send: ((message: EmbeddingMessage) => void) | null): (page: Page) => void {
  let ready = false;
  let lastSent: Screen['name'] | null = null;
  return ({ screen }) => {
    if (send === null || screen.name === 'boot' || screen.name === lastSent) return;
    lastSent = screen.name;
    const message = embeddingMessage(screen);
    if (!ready && message?.event !== 'failed') send({ source: 'likeness', event: 'ready' });
    ready = true;
    if (message) send(message);
  };
}

/** Posts to the window that frames this one, or opened it; null where none did. */
export function posterToClient(): ((message: EmbeddingMessage) => void) | null {
  const client: Window | null = window.parent === window ? window.opener : window.parent;
  return client && ((message) => client.postMessage(message, '*'));
}
