// The media type of a video from its first bytes: the type that a browser states is only a claim.

const EBML_MAGIC = Buffer.from([0x1a, 0x45, 0xdf, 0xa3]);
/** Offset of the file type box's name in every ISO base media file (ISO/IEC 14496-12, 4.3). */
const FTYP_OFFSET = 4;

/** Number of leading bytes by which a file is recognised. */
export const HEAD_BYTES = 12;

/** `video/webm`, `video/mp4`, or `application/octet-stream` for anything else. */
export function videoTypeOf(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD_BYTES));
  if (head.subarray(0, EBML_MAGIC.length).equals(EBML_MAGIC)) return 'video/webm';
  if (head.toString('latin1', FTYP_OFFSET, FTYP_OFFSET + 4) === 'ftyp') return 'video/mp4';
  return 'application/octet-stream';
}
