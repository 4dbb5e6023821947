// Counts the frames of a recording from its bytes as they arrive: what the recorder kept, not what the camera
// delivered. Reads the two containers that browsers write in pieces: Matroska (RFC 9559) and fragmented MP4 (ISO/IEC
// 14496-12).

export interface FrameCounter {
  /** Takes the next bytes of the file. */
  add(bytes: Uint8Array): void;
  /** Frames so far; null if the container is unknown. */
  readonly frames: number | null;
}

/** One element of the file: the frames it counts for, and how much of it to skip. */
interface Element {
  readonly headerBytes: number;
  /** Bytes after the header that contain no elements. */
  readonly bodyBytes: number;
  readonly frames: number;
}

/** Reads the element at the start; null if the bytes end before it is known. */
type ReadElement = (bytes: Uint8Array) => Element | null;

/** Master elements: Segment, Cluster, BlockGroup. */
const MATROSKA_HOLDERS = [0x18538067, 0x1f43b675, 0xa0];
/** SimpleBlock, and the Block of a group: one frame each, because recorders do not lace. */
const MATROSKA_PICTURES = [0xa3, 0xa1];
const MP4_HOLDERS = ['moof', 'traf'];

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
        frames += element.frames;
        skipBytes = element.headerBytes + element.bodyBytes;
      }
    },
  };
}

function readerOf(bytes: Uint8Array): ReadElement | null {
  if (viewOf(bytes).getUint32(0) === 0x1a45dfa3) return matroskaElement;
  return nameAt(bytes, 4) === 'ftyp' ? mp4Box : null;
}

const matroskaElement: ReadElement = (bytes) => {
  const idBytes = lengthOfNumber(bytes, 0);
  const sizeBytes = idBytes === null ? null : lengthOfNumber(bytes, idBytes);
  if (idBytes === null || sizeBytes === null) return null;
  const headerBytes = idBytes + sizeBytes;
  const id = numberAt(bytes, 0, idBytes);
  if (MATROSKA_HOLDERS.includes(id)) return { headerBytes, bodyBytes: 0, frames: 0 };
  const first = bytes[idBytes]! & (0xff >> sizeBytes);
  const bodyBytes = first * 2 ** (8 * (sizeBytes - 1)) + numberAt(bytes, idBytes + 1, sizeBytes - 1);
  return { headerBytes, bodyBytes, frames: MATROSKA_PICTURES.includes(id) ? 1 : 0 };
};

/** Length in bytes of the number at `at`, from its leading zero bits; null if it has not all arrived. */
function lengthOfNumber(bytes: Uint8Array, at: number): number | null {
  const first = bytes[at];
  if (first === undefined) return null;
  const length = Math.clz32(first) - 23;
  return length > 8 || bytes.length < at + length ? null : length;
}

const mp4Box: ReadElement = (bytes) => {
  if (bytes.length < 16) return null;
  const view = viewOf(bytes);
  const name = nameAt(bytes, 4);
  const isLarge = view.getUint32(0) === 1;
  const headerBytes = isLarge ? 16 : 8;
  if (MP4_HOLDERS.includes(name)) return { headerBytes, bodyBytes: 0, frames: 0 };
  const sizeBytes = isLarge ? Number(view.getBigUint64(8)) : view.getUint32(0);
  // Version and flags, then the number of samples.
  const frames = name === 'trun' ? view.getUint32(12) : 0;
  // A box of size 0 extends to the end of the file.
  const bodyBytes = sizeBytes === 0 ? Number.POSITIVE_INFINITY : Math.max(0, sizeBytes - headerBytes);
  return { headerBytes, bodyBytes, frames };
};

function nameAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}

function numberAt(bytes: Uint8Array, at: number, length: number): number {
  return bytes.subarray(at, at + length).reduce((value, byte) => value * 256 + byte, 0);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}
