// The QR code of a link as an SVG element. A chunk of its own: only computers that hand over load it.
import { encodeQR } from 'qr';
import { s } from './dom.ts';

/** Dark modules on a light ground with the quiet zone of four that ISO/IEC 18004 asks for. */
export function drawQr(text: string): SVGSVGElement {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 4 });
  const path = rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return s(
    'svg',
    {
      viewBox: `0 0 ${rows.length} ${rows.length}`,
      class: 'code__picture',
      'shape-rendering': 'crispEdges',
      'aria-hidden': 'true',
      focusable: 'false',
    },
    s('path', { d: path.join('') }),
  );
}
