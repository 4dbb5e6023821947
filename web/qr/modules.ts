// A QR code as an SVG path; the caller chooses the colours.
import { encodeQR } from 'qr';

/** Modules per side, including the quiet zone of four that ISO/IEC 18004 requires, and the path of the dark ones. */
export function qrModules(text: string): { size: number; path: string } {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 4 });
  const path = rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size: rows.length, path: path.join('') };
}
