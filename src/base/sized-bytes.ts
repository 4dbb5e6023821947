// Bytes that are handed on piece by piece, their number known beforehand: what is larger than a request is never whole
// in memory.

/** `chunks` may be read once, and gives exactly `sizeBytes` bytes; a reader that finds another number refuses them. */
export interface SizedBytes {
  readonly sizeBytes: number;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** The same form for bytes that are in memory anyway. */
export function sizedBytes(bytes: Uint8Array | SizedBytes): SizedBytes {
  if (!(bytes instanceof Uint8Array)) return bytes;
  const chunks = async function* () {
    yield bytes;
  };
  return { sizeBytes: bytes.length, chunks: chunks() };
}

/** Reads a stream to its end. For what is known to be small. */
export async function collectBytes(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

/** First and last byte of a part, both inclusive. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}
