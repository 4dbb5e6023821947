// The order of an MP4's boxes shows whether it can be decoded while its bytes arrive.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INDEX_BYTES, indexComesFirst } from '../../../src/evaluation/video/container.ts';

function box(type: string, bytes = 0, size = bytes + 8): Buffer {
  const head = Buffer.alloc(8 + bytes);
  head.writeUInt32BE(size);
  head.write(type, 4, 'latin1');
  return head;
}

describe('indexComesFirst', () => {
  it.each([
    ['a browser or a file made for streaming', [box('ftyp', 24), box('moov', 400)], true],
    ['with a gap in between', [box('ftyp', 16), box('free'), box('uuid', 40), box('moov', 4)], true],
    ['a camera', [box('ftyp', 24), box('mdat', 4000), box('moov', 400)], false],
    ['fragments without an index', [box('styp', 8), box('moof', 80)], false],
    ['only a header', [box('ftyp', 24)], false],
    ['a box of no size', [box('ftyp', 4, 0), box('moov')], false],
    ['a box of more than 4 GB', [box('free', 8, 1), box('moov')], false],
    ['an index beyond the bytes searched', [box('free', INDEX_BYTES), box('moov')], false],
  ])('of %s', (_, boxes, first) => {
    expect(indexComesFirst(Buffer.concat(boxes).subarray(0, INDEX_BYTES))).toBe(first);
  });

  it('terminates on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: INDEX_BYTES }), (bytes) => {
        expect([true, false]).toContain(indexComesFirst(bytes));
      }),
    );
  });
});
