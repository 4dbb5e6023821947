// Error curves → SVG: ROC and DET, one line a group. Colours are Okabe and Ito's, which colour-blind people can tell apart.
import type { CurvePoint } from '../error-rates.ts';
import { normalQuantile } from '../tail.ts';

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

interface Axis {
  readonly label: string;
  /** Rate → 0–1 along the axis. */
  readonly place: (rate: number) => number;
  readonly ticks: readonly number[];
}

/** Rates below this stand at the edge of the plot. */
const LEAST = 1e-5;
const DECADES = [1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1];
const DET_TICKS = [1e-5, 1e-4, 1e-3, 1e-2, 0.05, 0.2, 0.5];

function normalAxis(label: string): Axis {
  const from = normalQuantile(LEAST);
  const to = normalQuantile(0.6);
  const place = (rate: number) => (normalQuantile(Math.min(0.6, Math.max(LEAST, rate))) - from) / (to - from);
  return { label, place, ticks: DET_TICKS };
}

/** Receiver operating characteristic: 1 − FNMR over FMR, FMR logarithmic. */
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

/** Detection error trade-off: FNMR over FMR, both on the normal quantile's scale. */
export function detPlot(lines: readonly Line[]): string {
  return plot(lines, normalAxis('FMR'), normalAxis('FNMR'), ({ fmr, fnmr }) => [fmr, fnmr]);
}

function plot(
  lines: readonly Line[],
  x: Axis,
  y: Axis,
  at: (point: CurvePoint) => readonly [number, number],
): string {
  const px = (rate: number) => LEFT + x.place(rate) * (WIDTH - LEFT - RIGHT);
  const py = (rate: number) => HEIGHT - BOTTOM - y.place(rate) * (HEIGHT - BOTTOM - TOP);
  const grid = [
    ...x.ticks.map((tick) => gridLine(px(tick), TOP, px(tick), HEIGHT - BOTTOM)),
    ...y.ticks.map((tick) => gridLine(LEFT, py(tick), WIDTH - RIGHT, py(tick))),
    ...x.ticks.map((tick) => text(px(tick), HEIGHT - BOTTOM + 16, rateText(tick), 'middle')),
    ...y.ticks.map((tick) => text(LEFT - 6, py(tick) + 4, rateText(tick), 'end')),
    text((LEFT + WIDTH) / 2, HEIGHT - 8, x.label, 'middle'),
    `<text transform="translate(14 ${HEIGHT / 2}) rotate(-90)" text-anchor="middle">${y.label}</text>`,
  ];
  const drawn = lines.map(({ points }, i) => {
    const path = points.map((point) => at(point)).map(([a, b]) => `${px(a).toFixed(1)},${py(b).toFixed(1)}`);
    return `<polyline points="${path.join(' ')}" fill="none" stroke="${colourOf(i)}" stroke-width="2"/>`;
  });
  const body = [...grid, ...drawn].join('');
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${x.label} and ${y.label}">${body}</svg>`;
}

/** Colour of a line, the same in plots and legend. */
export function colourOf(index: number): string {
  return COLOURS[index % COLOURS.length]!;
}

function gridLine(x1: number, y1: number, x2: number, y2: number): string {
  const place = [x1, y1, x2, y2].map((value) => value.toFixed(1));
  return `<line x1="${place[0]}" y1="${place[1]}" x2="${place[2]}" y2="${place[3]}" stroke="#ddd"/>`;
}

function text(x: number, y: number, content: string, anchor: string): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${content}</text>`;
}

function rateText(rate: number): string {
  return rate >= 0.05 ? String(rate) : rate.toExponential(0);
}
