// Reads from a recording's first bytes how large its pictures are, as a player shows them.
import { type Element, numberAt, type ReadElement, readerOf } from './elements.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Segment, Tracks, TrackEntry, Video. */
const MATROSKA_VIDEO = [0x18538067, 0x1654ae6b, 0xae, 0xe0];
const PIXEL_WIDTH = 0xb0;
const PIXEL_HEIGHT = 0xba;
/** In a track header after its version: the matrix, then width and height as 16.16 numbers. */
const MATRIX_AT = { 0: 40, 1: 52 } as const;
const MATRIX_BYTES = 36;

/** The size of the first video track; null if the bytes do not say. */
export function frameSizeOf(bytes: Uint8Array): Size | null {
  if (bytes.length < 8) return null;
  const read = readerOf(bytes);
  return read && (sizeInMatroska(bytes, read) ?? sizeInMp4(bytes, read));
}

function sizeInMatroska(bytes: Uint8Array, read: ReadElement): Size | null {
  const video = find(bytes, read, MATROSKA_VIDEO);
  const width = video && find(video, read, [PIXEL_WIDTH]);
  const height = video && find(video, read, [PIXEL_HEIGHT]);
  return width && height && sizeOf(numberAt(width, 0, width.length), numberAt(height, 0, height.length));
}

function sizeInMp4(bytes: Uint8Array, read: ReadElement): Size | null {
  const header = find(bytes, read, ['moov', 'trak', 'tkhd']);
  const at = header && MATRIX_AT[header[0] === 1 ? 1 : 0];
  if (!header || !at || header.length < at + MATRIX_BYTES + 8) return null;
  const [width, height] = [at + MATRIX_BYTES, at + MATRIX_BYTES + 4].map((each) => numberAt(header, each, 2));
  // Its first number is 0 where the pictures are turned by a quarter.
  const isTurned = numberAt(header, at, 4) === 0;
  return isTurned ? sizeOf(height!, width!) : sizeOf(width!, height!);
}

const sizeOf = (width: number, height: number): Size | null =>
  width > 0 && height > 0 ? { width, height } : null;

/** The body of the first element with this path of names; null if there is none, or it has not all arrived. */
function find(
  bytes: Uint8Array,
  read: ReadElement,
  [name, ...rest]: readonly Element['name'][],
): Uint8Array | null {
  for (let at = 0; ; ) {
    const element = read(bytes.subarray(at));
    if (!element) return null;
    const from = at + element.headerBytes;
    if (element.name === name) {
      const body = bytes.subarray(from, from + element.bodyBytes);
      if (rest.length > 0) return find(body, read, rest);
      return body.length < element.bodyBytes ? null : body;
    }
    at = from + element.bodyBytes;
  }
}
