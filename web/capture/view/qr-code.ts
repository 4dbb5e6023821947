// Draws the QR code of a link as an SVG element. In a separate chunk: only computers that hand over load it.
import { qrModules } from '../../qr/modules.ts';
import { s } from './dom.ts';

/** Draws dark modules for a light background. */
export function drawQr(text: string): SVGSVGElement {
  const { size, path } = qrModules(text);
  return s(
    'svg',
    {
      viewBox: `0 0 ${size} ${size}`,
      class: 'code__picture',
      'shape-rendering': 'crispEdges',
      'aria-hidden': 'true',
      focusable: 'false',
    },
    s('path', { d: path }),
  );
}
