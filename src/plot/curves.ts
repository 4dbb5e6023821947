// Curves as an SVG document: panels one below the other over one time axis, with shaded windows. Knows nothing of faces.
import { escapeMarkup } from '../base/escape-markup.ts';

export interface Panel {
  readonly title: string;
  readonly least: number;
  readonly most: number;
  readonly points: readonly { readonly x: number; readonly y: number }[];
  /** Dots instead of a line: for isolated values. */
  readonly dots?: boolean;
  /** A second curve, dashed: what the first is held against. */
  readonly against?: Panel['points'];
  /** Horizontal marks, with their labels. */
  readonly marks?: readonly { readonly y: number; readonly label: string }[];
}

export interface Band {
  readonly from: number;
  readonly to: number;
  readonly label: string;
  readonly colour: string;
}

export interface Plot {
  readonly title: string;
  readonly subtitle: string;
  /** Right end of the time axis, in seconds. */
  readonly seconds: number;
  readonly panels: readonly Panel[];
  readonly bands: readonly Band[];
}

const WIDTH = 960;
const LEFT = 150;
const RIGHT = 24;
const TOP = 84;
const PANEL = 110;
const GAP = 22;
const BOTTOM = 44;
/** A gap in the data longer than this breaks the line. */
const BREAK_S = 0.4;

/** The document. Colours keep their contrast in print; text is text. */
export function renderPlot(plot: Plot): string {
  const height = TOP + plot.panels.length * (PANEL + GAP) + BOTTOM;
  const x = (seconds: number) => LEFT + (seconds / plot.seconds) * (WIDTH - LEFT - RIGHT);
  const lower = height - BOTTOM - GAP;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" ` +
      'font-family="system-ui, sans-serif" font-size="12" fill="#1c2330">',
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    text(LEFT, 26, plot.title, 'font-size="17" font-weight="600"'),
    text(LEFT, 46, plot.subtitle, 'fill="#4a5464"'),
    ...plot.bands.flatMap((band) => bandOf(band, x, lower)),
    ...plot.panels.flatMap((panel, i) => panelOf(panel, TOP + i * (PANEL + GAP), x)),
    ...timeAxis(plot.seconds, x, lower),
    '</svg>',
    '',
  ].join('\n');
}

type Scale = (value: number) => number;

function bandOf({ from, to, label, colour }: Band, x: Scale, lower: number): string[] {
  const left = x(from);
  return [
    `<rect x="${fixed(left)}" y="${TOP - 20}" width="${fixed(x(to) - left)}" height="${lower - TOP + 20}" ` +
      `fill="${colour}" fill-opacity="0.16"/>`,
    `<line x1="${fixed(left)}" x2="${fixed(left)}" y1="${TOP - 20}" y2="${lower}" stroke="${colour}" stroke-opacity="0.6"/>`,
    text(left + 5, TOP - 7, label, 'font-size="11" fill="#333d4d"'),
  ];
}

function panelOf(panel: Panel, top: number, x: Scale): string[] {
  const { least, most, points, dots = false, against = [], marks = [] } = panel;
  const y: Scale = (value) => {
    const share = (Math.min(most, Math.max(least, value)) - least) / (most - least);
    return top + PANEL - share * PANEL;
  };
  return [
    `<rect x="${LEFT}" y="${top}" width="${WIDTH - LEFT - RIGHT}" height="${PANEL}" fill="none" stroke="#c4cad4"/>`,
    text(16, top + 16, panel.title, 'font-weight="600"'),
    text(LEFT - 6, top + 10, String(most), 'text-anchor="end" font-size="10" fill="#5a6474"'),
    text(LEFT - 6, top + PANEL, String(least), 'text-anchor="end" font-size="10" fill="#5a6474"'),
    ...marks.flatMap((mark) => [
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${fixed(y(mark.y))}" y2="${fixed(y(mark.y))}" ` +
        'stroke="#b3261e" stroke-dasharray="5 4"/>',
      text(LEFT - 6, y(mark.y) + 4, mark.label, 'text-anchor="end" font-size="10" fill="#b3261e"'),
    ]),
    ...lines(against).map((line) =>
      polyline(line, x, y, 'stroke="#b3261e" stroke-width="1.2" stroke-dasharray="3 3"'),
    ),
    ...(dots
      ? points.map(
          (point) => `<circle cx="${fixed(x(point.x))}" cy="${fixed(y(point.y))}" r="4" fill="#1f5fbf"/>`,
        )
      : lines(points).map((line) => polyline(line, x, y, 'stroke="#1f5fbf" stroke-width="1.8"'))),
  ];
}

function polyline(line: Panel['points'], x: Scale, y: Scale, attributes: string): string {
  const points = line.map((point) => `${fixed(x(point.x))},${fixed(y(point.y))}`).join(' ');
  return `<polyline fill="none" ${attributes} stroke-linejoin="round" points="${points}"/>`;
}

/** The points in runs without a gap. */
function lines(points: Panel['points']): (readonly { x: number; y: number }[])[] {
  const runs: { x: number; y: number }[][] = [];
  for (const point of points) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    if (run && before && point.x - before.x <= BREAK_S) run.push(point);
    else runs.push([point]);
  }
  return runs;
}

function timeAxis(seconds: number, x: Scale, lower: number): string[] {
  const ticks = Array.from({ length: Math.floor(seconds) + 1 }, (_, second) => second);
  return [
    ...ticks.flatMap((second) => [
      `<line x1="${fixed(x(second))}" x2="${fixed(x(second))}" y1="${lower}" y2="${lower + 5}" stroke="#5a6474"/>`,
      text(x(second), lower + 18, String(second), 'text-anchor="middle" font-size="11"'),
    ]),
    text(WIDTH - RIGHT, lower + 34, 'seconds', 'text-anchor="end" font-size="11" fill="#5a6474"'),
  ];
}

function text(x: number, y: number, content: string, attributes: string): string {
  return `<text x="${fixed(x)}" y="${fixed(y)}" ${attributes}>${escapeMarkup(content)}</text>`;
}

function fixed(value: number): string {
  return value.toFixed(1);
}
