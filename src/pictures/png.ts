// Strips what does not make the picture from a PNG file, before a decoder sees it. Texts are compressed: those of a
// file of a megabyte inflate to one gigabyte, and libvips reads them all before any limit on pixels applies.

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** Length, type and checksum of a chunk. */
const FRAME_BYTES = 12;
/** What makes the picture, and small facts without compression: its orientation, resolution and kind of colour. */
const KEPT: ReadonlySet<string> = new Set([
  'IHDR',
  'PLTE',
  'tRNS',
  'IDAT',
  'IEND',
  'eXIf',
  'pHYs',
  'sRGB',
  'gAMA',
  'cHRM',
  'sBIT',
]);
/** A colour profile is compressed: cameras' and screens' are far smaller, and this inflates to 16 MB at most. */
const MAX_PROFILE_BYTES = 16_384;

/** The file with the first picture's own chunks alone; bytes that are no PNG file are returned as they are. */
export function pictureChunks(bytes: Uint8Array): Uint8Array {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return bytes;
  const kept: Uint8Array[] = [SIGNATURE];
  let hasProfile = false;
  for (let at = SIGNATURE.length; at + FRAME_BYTES <= file.length; ) {
    const length = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    const isProfile: boolean = type === 'iCCP' && !hasProfile && length <= MAX_PROFILE_BYTES;
    const end = at + FRAME_BYTES + length;
    // What is cut off is no picture, and the decoder says so.
    if (end > file.length) break;
    if (isProfile || KEPT.has(type)) kept.push(file.subarray(at, end));
    hasProfile ||= isProfile;
    if (type === 'IEND') break;
    at = end;
  }
  return Buffer.concat(kept);
}
