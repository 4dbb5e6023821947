// Counts the frames of a recording from its bytes as they arrive: what the recorder kept, not what the camera
// delivered.
import { type Element, numberAt, type ReadElement, readerOf } from './elements.ts';

export interface FrameCounter {
  /** Takes the next bytes of the file. */
  add(bytes: Uint8Array): void;
  /** Frames so far; null if the container is unknown. */
  readonly frames: number | null;
}

/** Segment, Cluster, BlockGroup; and what holds the number of samples of a fragment. */
const HOLDERS: readonly Element['name'][] = [0x18538067, 0x1f43b675, 0xa0, 'moof', 'traf'];
/** SimpleBlock, and the Block of a group: one frame each, because recorders do not lace. */
const PICTURES: readonly Element['name'][] = [0xa3, 0xa1];
/** Version and flags, then the number of samples, four bytes each. */
const TRUN_BYTES = 8;

/** Creates a counter for a new file. */
export function countFrames(): FrameCounter {
  let left: Uint8Array = new Uint8Array();
  let skipBytes = 0;
  let read: ReadElement | null = null;
  let unknown = false;
  let frames = 0;
  return {
    get frames() {
      return unknown || read === null ? null : frames;
    },
    add: (bytes) => {
      if (unknown) return;
      left = joined(left, bytes);
      if (!read) {
        if (left.length < 8) return;
        read = readerOf(left);
        unknown = read === null;
      }
      while (read) {
        const skipped = Math.min(skipBytes, left.length);
        skipBytes -= skipped;
        left = left.subarray(skipped);
        const element = skipBytes === 0 ? read(left) : null;
        if (!element) return;
        const { name, headerBytes, bodyBytes } = element;
        if (name === 'trun' && left.length < headerBytes + TRUN_BYTES) return;
        if (name === 'trun') frames += numberAt(left, headerBytes + 4, 4);
        if (PICTURES.includes(name)) frames += 1;
        skipBytes = headerBytes + (HOLDERS.includes(name) ? 0 : bodyBytes);
      }
    },
  };
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}
