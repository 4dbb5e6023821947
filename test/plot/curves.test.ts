// The SVG of curves: well-formed whatever the texts, values limited to their panel, gaps left open.
import { describe, expect, it } from 'vitest';
import { renderPlot } from '../../src/plot/curves.ts';

const plot = (points: { x: number; y: number }[], title = 'clip.webm') =>
  renderPlot({
    title,
    subtitle: '',
    seconds: 4,
    bands: [{ from: 1, to: 2, label: 'smile', colour: '#d98a00' }],
    panels: [{ title: 'happy', least: 0, most: 1, points }],
  });

/** The path of the panel's own curve. */
const curveOf = (svg: string) => / d="(M[^"]+)"/.exec(svg)![1]!;

describe('renderPlot', () => {
  it('escapes what comes from file names', () => {
    const svg = plot([], '<script>"&\'.webm');
    expect(svg).not.toContain('<script>');
    expect(svg).toContain('&lt;script&gt;&quot;&amp;&#39;.webm');
  });

  it('is a standalone document', () => {
    expect(plot([])).toMatch(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  });

  it('breaks the line where there are no values', () => {
    const run = (from: number) => [0, 0.1, 0.2].map((step) => ({ x: from + step, y: 0.5 }));
    expect(curveOf(plot([...run(0), ...run(2)])).match(/M/g)).toHaveLength(2);
  });

  it('keeps values inside the panel', () => {
    const curve = curveOf(plot([-5, 0, 1, 9].map((y, i) => ({ x: i / 10, y }))));
    const ys = curve
      .split(/[ML]/)
      .slice(1)
      .map((place) => Number(place.split(' ')[1]));
    expect(ys[0]).toBe(ys[1]);
    expect(ys[2]).toBe(ys[3]);
    expect(ys[0]! - ys[2]!).toBe(110);
  });
});
