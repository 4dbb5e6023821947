// First look at an upload: what its first bytes say it is, so that no decoder ever guesses.

/** What a file is by its magic bytes; `demuxer` is the one ffmpeg is held to. */
export type MediaKind =
  | { readonly kind: 'video'; readonly container: 'webm' | 'mp4'; readonly demuxer: 'matroska' | 'mov' }
  | { readonly kind: 'image'; readonly format: 'jpeg' | 'png' | 'webp' | 'gif' | 'bmp' };

/** Bytes that sniffMedia looks at. */
export const SNIFF_BYTES = 16;

/** Kind of the file that begins with `head`, or null when it is none that we decode. */
export function sniffMedia(head: Uint8Array): MediaKind | null {
  const text = Buffer.from(head.subarray(0, SNIFF_BYTES)).toString('latin1');
  if (text.startsWith('\x1a\x45\xdf\xa3')) return { kind: 'video', container: 'webm', demuxer: 'matroska' };
  // ISO BMFF: a size, then the type of the first box; QuickTime's own files may begin with others than `ftyp`.
  if (/^.{4}(ftyp|moov|mdat|wide|free)/s.test(text))
    return { kind: 'video', container: 'mp4', demuxer: 'mov' };
  if (text.startsWith('\xff\xd8\xff')) return { kind: 'image', format: 'jpeg' };
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return { kind: 'image', format: 'png' };
  if (/^RIFF.{4}WEBP/s.test(text)) return { kind: 'image', format: 'webp' };
  if (text.startsWith('GIF8')) return { kind: 'image', format: 'gif' };
  if (text.startsWith('BM')) return { kind: 'image', format: 'bmp' };
  return null;
}
