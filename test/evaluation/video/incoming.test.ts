// Bytes that arrive over time, for several readers: each gets all of them, whatever the chunks and the pace.
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IncomingBytes } from '../../../src/evaluation/video/incoming.ts';

async function* over(chunks: readonly Uint8Array[], pauses: readonly boolean[] = []) {
  for (const [i, chunk] of chunks.entries()) {
    if (pauses[i]) await setImmediate();
    yield chunk;
  }
}
async function all(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const read: Uint8Array[] = [];
  for await (const chunk of bytes) read.push(chunk);
  return Buffer.concat(read);
}
const never = () => new Promise<never>(() => {});

describe('IncomingBytes', () => {
  it('gives every reader all bytes, early or late, and the head the bytes it asks for', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 9 }), { maxLength: 9 }),
        fc.array(fc.boolean(), { maxLength: 9 }),
        fc.nat(40),
        async (chunks, pauses, length) => {
          const whole = Buffer.concat(chunks);
          const bytes = new IncomingBytes(over(chunks, pauses), whole.length);
          const early = [all(bytes), all(bytes)];
          expect(Buffer.from(await bytes.head(length))).toEqual(whole.subarray(0, length));
          expect(await bytes.ended).toBe('complete');
          for (const each of [...early, all(bytes)]) expect(await each).toEqual(whole);
        },
      ),
    );
  });

  it('stops at the limit', async () => {
    const bytes = new IncomingBytes(over([Buffer.alloc(6), Buffer.alloc(5), Buffer.alloc(1)]), 10);
    expect(await bytes.ended).toBe('too_many_bytes');
    expect(await all(bytes)).toHaveLength(6);
  });

  it("throws its source's error to all readers", async () => {
    const bytes = new IncomingBytes(
      (async function* () {
        yield Buffer.from('a');
        throw new Error('the database is away');
      })(),
      10,
    );
    await expect(all(bytes)).rejects.toThrow('the database is away');
    await expect(bytes.head(5)).rejects.toThrow('the database is away');
    await expect(bytes.ended).rejects.toThrow('the database is away');
  });

  it('can be dropped while nothing arrives, and releases its source', async () => {
    let isReleased = false;
    const silent = {
      [Symbol.asyncIterator]: () => ({
        next: never,
        return: async () => {
          isReleased = true;
          return { done: true as const, value: undefined };
        },
      }),
    };
    const bytes = new IncomingBytes(silent, 10);
    const reader = all(bytes);
    bytes.drop();
    expect(await reader).toHaveLength(0);
    expect(await bytes.ended).toBe('dropped');
    expect(isReleased).toBe(true);
    const aborted = new IncomingBytes(silent, 10);
    aborted.drop({ fault: new Error('enough') });
    await expect(aborted.ended).rejects.toThrow('enough');
  });
});
