// Curves as an SVG document: panels one below the other over one time axis, with shaded windows. Knows nothing of
// faces.
import { drawingText, STANDALONE } from './document.ts';
import {
  box,
  dots,
  line,
  linear,
  type Plane,
  type Point,
  type Scale,
  type Shape,
  stroke,
  text,
} from './shapes.ts';

export interface Panel {
  readonly title: string;
  readonly least: number;
  readonly most: number;
  readonly points: readonly { readonly x: number; readonly y: number }[];
  /** Dots instead of a line: for isolated values. */
  readonly dots?: boolean;
  /** A second curve, dashed, with which the first is compared. */
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
/** Coordinates of the view box as they are. */
const PAPER: Plane = { x: (place) => place, y: (place) => place };
const FONT = { 'font-family': 'system-ui, sans-serif', 'font-size': 12, fill: '#1c2330' };
const LABEL = { 'text-anchor': 'end', 'font-size': 10 };
const CURVE = { 'stroke-linejoin': 'round' };
/** A gap in the data longer than this breaks the line. */
const BREAK_S = 0.4;

/** The document. Colours keep their contrast in print; text is text. */
export function renderPlot(plot: Plot): string {
  const height = TOP + plot.panels.length * (PANEL + GAP) + BOTTOM;
  const x = linear([0, plot.seconds], [LEFT, WIDTH - RIGHT]);
  const lower = height - BOTTOM - GAP;
  const look = { ...STANDALONE, width: WIDTH, height, ...FONT };
  return drawingText(WIDTH, height, look, [
    box([0, WIDTH], [0, height], PAPER, { fill: '#ffffff' }),
    text(LEFT, 26, plot.title, { 'font-size': 17, 'font-weight': 600 }),
    text(LEFT, 46, plot.subtitle, { fill: '#4a5464' }),
    ...plot.bands.flatMap((band) => bandOf(band, x, lower)),
    ...plot.panels.flatMap((panel, i) => panelOf(panel, TOP + i * (PANEL + GAP), x)),
    ...timeAxis(plot.seconds, x, lower),
  ]);
}

function bandOf({ from, to, label, colour }: Band, x: Scale, lower: number): Shape[] {
  return [
    box([from, to], [TOP - 20, lower], { ...PAPER, x }, { fill: colour, 'fill-opacity': 0.16 }),
    stroke([x(from), TOP - 20], [x(from), lower], { stroke: colour, 'stroke-opacity': 0.6 }),
    text(x(from) + 5, TOP - 7, label, { 'font-size': 11, fill: '#333d4d' }),
  ];
}

function panelOf(panel: Panel, top: number, x: Scale): Shape[] {
  const { least, most, points, against = [], marks = [] } = panel;
  const plane: Plane = { x, y: linear([least, most], [top + PANEL, top]) };
  return [
    box([LEFT, WIDTH - RIGHT], [top, top + PANEL], PAPER, { fill: 'none', stroke: '#c4cad4' }),
    text(16, top + 16, panel.title, { 'font-weight': 600 }),
    text(LEFT - 6, top + 10, String(most), { ...LABEL, fill: '#5a6474' }),
    text(LEFT - 6, top + PANEL, String(least), { ...LABEL, fill: '#5a6474' }),
    ...marks.flatMap(({ y, label }) => [
      stroke([LEFT, plane.y(y)], [WIDTH - RIGHT, plane.y(y)], {
        stroke: '#b3261e',
        'stroke-dasharray': '5 4',
      }),
      text(LEFT - 6, plane.y(y) + 4, label, { ...LABEL, fill: '#b3261e' }),
    ]),
    line(withGaps(against), plane, {
      ...CURVE,
      stroke: '#b3261e',
      'stroke-width': 1.2,
      'stroke-dasharray': '3 3',
    }),
    ...(panel.dots
      ? dots(points, plane, { r: 4, fill: '#1f5fbf' })
      : [line(withGaps(points), plane, { ...CURVE, stroke: '#1f5fbf', 'stroke-width': 1.8 })]),
  ];
}

/** The points, with a gap where nothing was seen for longer than BREAK_S. */
function withGaps(points: Panel['points']): Point[] {
  return points.flatMap((point, at) => {
    const before = points[at - 1];
    return before && point.x - before.x > BREAK_S ? [{ x: before.x, y: null }, point] : [point];
  });
}

function timeAxis(seconds: number, x: Scale, lower: number): Shape[] {
  const ticks = Array.from({ length: Math.floor(seconds) + 1 }, (_, second) => second);
  return [
    ...ticks.flatMap((second) => [
      stroke([x(second), lower], [x(second), lower + 5], { stroke: '#5a6474' }),
      text(x(second), lower + 18, String(second), { 'text-anchor': 'middle', 'font-size': 11 }),
    ]),
    text(WIDTH - RIGHT, lower + 34, 'seconds', { 'text-anchor': 'end', 'font-size': 11, fill: '#5a6474' }),
  ];
}
