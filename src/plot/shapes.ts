// Shapes of every chart in a document, as plain data, which document.ts prints.

/** An SVG element. */
export interface Shape {
  readonly tag: string;
  readonly look: Look;
  readonly children: readonly (Shape | string)[];
}

/** Maps a value to its place along one side of a drawing, in units of its view box. */
export type Scale = (value: number) => number;

export interface Plane {
  readonly x: Scale;
  readonly y: Scale;
}

export interface Point {
  readonly x: number;
  /** Null if unknown: a line has a gap there, and no dot is drawn. */
  readonly y: number | null;
}

/** Attributes of an element. */
export type Look = Readonly<Record<string, string | number>>;

/** An element of any kind. */
export function shape(tag: string, look: Look, children: Shape['children'] = []): Shape {
  return { tag, look, children };
}

/** Maps `domain` linearly onto `range`; either may be descending. Values beyond the domain are clamped to its ends. */
export function linear(domain: readonly [number, number], range: readonly [number, number]): Scale {
  return (value) => {
    const share = Math.min(1, Math.max(0, (value - domain[0]) / (domain[1] - domain[0])));
    return range[0] + share * (range[1] - range[0]);
  };
}

/** A line from each point to the next, broken where a value is unknown. */
export function line(points: readonly Point[], plane: Plane, look: Look): Shape {
  const d = points.map(({ x, y }, at) => {
    const isFirst = (points[at - 1]?.y ?? null) === null;
    return y === null ? '' : `${isFirst ? 'M' : 'L'}${placeOf({ x, y }, plane)}`;
  });
  return shape('path', { fill: 'none', ...look, d: d.join('') });
}

/** A dot at each point. */
export function dots(points: readonly Point[], plane: Plane, look: Look): Shape[] {
  return points.flatMap(({ x, y }) =>
    y === null ? [] : shape('circle', { cx: fixed(plane.x(x)), cy: fixed(plane.y(y)), ...look }),
  );
}

/** A box between two values of each scale. */
export function box(
  x: readonly [number, number],
  y: readonly [number, number],
  plane: Plane,
  look: Look,
): Shape {
  const [left, right] = [plane.x(x[0]), plane.x(x[1])];
  const [one, other] = [plane.y(y[0]), plane.y(y[1])];
  const size = { width: fixed(right - left), height: fixed(Math.abs(other - one)) };
  return shape('rect', { x: fixed(left), y: fixed(Math.min(one, other)), ...size, ...look });
}

/** A straight line between two places of the view box. */
export function stroke(from: readonly [number, number], to: readonly [number, number], look: Look): Shape {
  const ends = { x1: fixed(from[0]), y1: fixed(from[1]), x2: fixed(to[0]), y2: fixed(to[1]) };
  return shape('line', { ...ends, ...look });
}

/** Text at a place of the view box. */
export function text(x: number, y: number, content: string, look: Look = {}): Shape {
  return shape('text', { x: fixed(x), y: fixed(y), ...look }, [content]);
}

function placeOf({ x, y }: { x: number; y: number }, plane: Plane): string {
  return `${fixed(plane.x(x))} ${fixed(plane.y(y))}`;
}

function fixed(place: number): string {
  return place.toFixed(1);
}
