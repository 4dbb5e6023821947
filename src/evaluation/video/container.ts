// First look at an upload: its type by its first bytes, so that no decoder ever guesses.

/** A video; `demuxer` is the only one that ffmpeg may use. */
export interface VideoKind {
  readonly kind: 'video';
  readonly container: 'webm' | 'mp4';
  readonly demuxer: 'matroska' | 'mov';
}

/** What a file is by its magic bytes. */
export type MediaKind =
  | VideoKind
  | { readonly kind: 'image'; readonly format: 'jpeg' | 'png' | 'webp' | 'gif' | 'bmp' };

/** Bytes that sniffMedia looks at. */
export const SNIFF_BYTES = 16;
/** An MP4's index must begin within these bytes to be found at its start: recorders put a box or two before it. */
export const INDEX_BYTES = 512;

/** Kind of the file that begins with `head`, or null if we do not decode it. */
export function sniffMedia(head: Uint8Array): MediaKind | null {
  const text = Buffer.from(head.subarray(0, SNIFF_BYTES)).toString('latin1');
  if (text.startsWith('\x1a\x45\xdf\xa3')) return { kind: 'video', container: 'webm', demuxer: 'matroska' };
  // ISO BMFF: a size, then the type of the first box. QuickTime's own files may begin with a box other than `ftyp`.
  if (/^.{4}(ftyp|moov|mdat|wide|free)/s.test(text))
    return { kind: 'video', container: 'mp4', demuxer: 'mov' };
  if (text.startsWith('\xff\xd8\xff')) return { kind: 'image', format: 'jpeg' };
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return { kind: 'image', format: 'png' };
  if (/^RIFF.{4}WEBP/s.test(text)) return { kind: 'image', format: 'webp' };
  if (text.startsWith('GIF8')) return { kind: 'image', format: 'gif' };
  if (text.startsWith('BM')) return { kind: 'image', format: 'bmp' };
  return null;
}

/**
 * Whether an MP4 that begins with `head` (INDEX_BYTES, or all of it) has its index before its pictures, so that it can
 * be decoded as its bytes arrive. Browsers record such files; phones' cameras put the index at the end.
 */
export function indexComesFirst(head: Uint8Array): boolean {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  for (let at = 0; at + 8 <= bytes.length; ) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'moov') return true;
    const size = bytes.readUInt32BE(at);
    // 0 and 1 stand for a box up to the end of the file and for one of more than 4 GB.
    if (type === 'mdat' || type === 'moof' || size < 8) return false;
    at += size;
  }
  return false;
}
