// Plots error curves as SVG: ROC and DET, one line per group. The colours are Okabe and Ito's, which colour-blind
// people can tell apart.
import { drawingText } from '../../plot/document.ts';
import { line, type Plane, type Shape, shape, stroke, text } from '../../plot/shapes.ts';
import type { CurvePoint } from '../error-rates.ts';
import { normalQuantile } from '../normal-distribution.ts';

export interface Line {
  readonly name: string;
  readonly points: readonly CurvePoint[];
}

const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000'];
const WIDTH = 560;
const HEIGHT = 420;
const LEFT = 64;
const BOTTOM = 48;
const TOP = 12;
const RIGHT = 16;
const GRID = { stroke: '#ddd' };
const MIDDLE = { 'text-anchor': 'middle' };

interface Axis {
  readonly label: string;
  /** Rate → 0–1 along the axis. */
  readonly place: (rate: number) => number;
  readonly ticks: readonly number[];
}

/** Rates below this are drawn at the edge of the plot. */
const LEAST = 1e-5;
const DECADES = [1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1];
const DET_TICKS = [1e-5, 1e-4, 1e-3, 1e-2, 0.05, 0.2, 0.5];

function normalAxis(label: string): Axis {
  const from = normalQuantile(LEAST);
  const to = normalQuantile(0.6);
  const place = (rate: number) => (normalQuantile(Math.min(0.6, Math.max(LEAST, rate))) - from) / (to - from);
  return { label, place, ticks: DET_TICKS };
}

/** Receiver operating characteristic: 1 − FNMR over FMR, with a logarithmic FMR axis. */
export function rocPlot(lines: readonly Line[]): string {
  const x: Axis = {
    label: 'FMR',
    place: (rate) => Math.log10(Math.max(LEAST, rate) / LEAST) / Math.log10(1 / LEAST),
    ticks: DECADES,
  };
  const y: Axis = {
    label: '1 − FNMR',
    place: (rate) => Math.max(0, (rate - 0.5) * 2),
    ticks: [0.5, 0.6, 0.7, 0.8, 0.9, 1],
  };
  return plot(lines, x, y, ({ fmr, fnmr }) => [fmr, 1 - fnmr]);
}

/** Detection error trade-off: FNMR over FMR, both axes on the scale of normal quantiles. */
export function detPlot(lines: readonly Line[]): string {
  return plot(lines, normalAxis('FMR'), normalAxis('FNMR'), ({ fmr, fnmr }) => [fmr, fnmr]);
}

function plot(
  lines: readonly Line[],
  x: Axis,
  y: Axis,
  at: (point: CurvePoint) => readonly [number, number],
): string {
  const plane: Plane = {
    x: (rate) => LEFT + x.place(rate) * (WIDTH - LEFT - RIGHT),
    y: (rate) => HEIGHT - BOTTOM - y.place(rate) * (HEIGHT - BOTTOM - TOP),
  };
  const look = { role: 'img', 'aria-label': `${x.label} and ${y.label}` };
  return drawingText(WIDTH, HEIGHT, look, [
    ...grid(plane, x, y),
    text((LEFT + WIDTH) / 2, HEIGHT - 8, x.label, MIDDLE),
    shape('text', { transform: `translate(14 ${HEIGHT / 2}) rotate(-90)`, ...MIDDLE }, [y.label]),
    ...lines.map(({ points }, i) => {
      const places = points.map((point) => at(point)).map(([a, b]) => ({ x: a, y: b }));
      return line(places, plane, { stroke: colourOf(i), 'stroke-width': 2 });
    }),
  ]);
}

function grid(plane: Plane, x: Axis, y: Axis): Shape[] {
  return [
    ...x.ticks.flatMap((tick) => [
      stroke([plane.x(tick), TOP], [plane.x(tick), HEIGHT - BOTTOM], GRID),
      text(plane.x(tick), HEIGHT - BOTTOM + 16, rateText(tick), MIDDLE),
    ]),
    ...y.ticks.flatMap((tick) => [
      stroke([LEFT, plane.y(tick)], [WIDTH - RIGHT, plane.y(tick)], GRID),
      text(LEFT - 6, plane.y(tick) + 4, rateText(tick), { 'text-anchor': 'end' }),
    ]),
  ];
}

/** Colour of a line, the same in the plots and the legend. */
export function colourOf(index: number): string {
  return COLOURS[index % COLOURS.length]!;
}

function rateText(rate: number): string {
  return rate >= 0.05 ? String(rate) : rate.toExponential(0);
}
