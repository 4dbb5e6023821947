// What the embedding page is told.
import { describe, expect, it } from 'vitest';
import type { EmbeddingMessage } from '../../src/contract/embedding.ts';
import { createNotifier } from '../../web/capture/embed/messages.ts';
import { initialPage } from '../../web/capture/flow/machine.ts';
import type { Screen } from '../../web/capture/flow/screens.ts';
import { sampleState } from '../../web/capture/gallery/sample.ts';

const passkeys = { sign: true, make: true };
const setting = { computer: false, inApp: false, hasCamera: true, passkeys, handedOver: null };
const start: Screen = { name: 'start', busy: false, fault: null };

/** Everything that is told while the screens are shown one after the other. */
function messagesFor(...screens: Screen[]): EmbeddingMessage[] {
  const messages: EmbeddingMessage[] = [];
  const notify = createNotifier((message) => messages.push(message));
  const page = initialPage(setting, sampleState());
  for (const screen of screens) notify({ ...page, screen });
  return messages;
}

describe('messages to the embedding page', () => {
  it('report each end once, and nothing of the way there', () => {
    const asked: Screen = { name: 'camera_asking', slow: false };
    const done: Screen = { name: 'done', redirectUrl: null, handedOver: null };
    expect(messagesFor({ name: 'boot' }, start, asked, { ...asked, slow: true }, done, done)).toEqual([
      { source: 'likeness', event: 'ready' },
      { source: 'likeness', event: 'completed' },
    ]);
  });

  it.each([
    ['no_tries', 'no_tries'],
    ['busy', 'too_many_requests'],
    ['unavailable', 'server'],
    ['expired', 'expired'],
    ['sandboxed_frame', 'sandboxed_frame'],
  ] as const)('report %s, a screen without a way on', (name, reason) => {
    const end: Screen = name === 'no_tries' ? { name, reason: null } : { name };
    expect(messagesFor(start, end).at(-1)).toEqual({ source: 'likeness', event: 'failed', reason });
  });
});
