// Byte streams of known length: data larger than a request is never held in memory as a whole.

/** `chunks` can be read once and yields exactly `sizeBytes` bytes; readers reject any other number. */
export interface SizedBytes {
  readonly sizeBytes: number;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Wraps bytes that are in memory already; returns a stream unchanged. */
export function sizedBytes(bytes: Uint8Array | SizedBytes): SizedBytes {
  if (!(bytes instanceof Uint8Array)) return bytes;
  const chunks = async function* () {
    yield bytes;
  };
  return { sizeBytes: bytes.length, chunks: chunks() };
}

/** Reads a whole stream into memory. Only for data known to be small. */
export async function collectBytes(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

/** First and last byte of a range, both inclusive. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}
