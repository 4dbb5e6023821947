// Reads the elements of the two containers that browsers write in pieces: Matroska (RFC 9559) and fragmented MP4 (ISO/IEC
// 14496-12).

/** An element's place, from where it begins. */
export interface Element {
  /** A Matroska id, or the four letters of an MP4 box. */
  readonly name: number | string;
  readonly headerBytes: number;
  readonly bodyBytes: number;
}

/** Reads the element at the start of the bytes; null if they end before it is known. */
export type ReadElement = (bytes: Uint8Array) => Element | null;

/** The reader of the container that these bytes begin, at least eight; null if it is unknown. */
export function readerOf(bytes: Uint8Array): ReadElement | null {
  if (viewOf(bytes).getUint32(0) === 0x1a45dfa3) return matroskaElement;
  return nameAt(bytes, 4) === 'ftyp' ? mp4Box : null;
}

const matroskaElement: ReadElement = (bytes) => {
  const idBytes = lengthOfNumber(bytes, 0);
  const sizeBytes = idBytes === null ? null : lengthOfNumber(bytes, idBytes);
  if (idBytes === null || sizeBytes === null) return null;
  const first = bytes[idBytes]! & (0xff >> sizeBytes);
  const bodyBytes = first * 2 ** (8 * (sizeBytes - 1)) + numberAt(bytes, idBytes + 1, sizeBytes - 1);
  return { name: numberAt(bytes, 0, idBytes), headerBytes: idBytes + sizeBytes, bodyBytes };
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
  const isLarge = view.getUint32(0) === 1;
  const headerBytes = isLarge ? 16 : 8;
  const sizeBytes = isLarge ? Number(view.getBigUint64(8)) : view.getUint32(0);
  // A box of size 0 extends to the end of the file.
  const bodyBytes = sizeBytes === 0 ? Number.POSITIVE_INFINITY : Math.max(0, sizeBytes - headerBytes);
  return { name: nameAt(bytes, 4), headerBytes, bodyBytes };
};

function nameAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}

/** The number in so many bytes, the highest first. */
export function numberAt(bytes: Uint8Array, at: number, length: number): number {
  return bytes.subarray(at, at + length).reduce((value, byte) => value * 256 + byte, 0);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
