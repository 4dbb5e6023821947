// Renders the shapes of a chart as elements of the page.
import { type ComponentChild, h } from 'preact';
import type { Shape } from '../../../src/plot/shapes.ts';

export function Drawn({ shapes }: { shapes: readonly Shape[] }) {
  return <>{shapes.map((shape, at) => elementOf(shape, at))}</>;
}

function elementOf({ tag, look, children }: Shape, key: number): ComponentChild {
  const inner = children.map((child, at) => (typeof child === 'string' ? child : elementOf(child, at)));
  return h(tag, { key, ...look }, inner);
}
