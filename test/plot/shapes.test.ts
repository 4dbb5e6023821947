// The shapes of a chart: their positions, and the SVG that they become.
import { describe, expect, it } from 'vitest';
import { drawingText } from '../../src/plot/document.ts';
import { box, dots, line, linear, text } from '../../src/plot/shapes.ts';

const plane = { x: linear([0, 10], [0, 100]), y: linear([0, 1], [50, 0]) };

describe('linear', () => {
  it('spaces values evenly, and puts those outside its domain at the end', () => {
    expect([-1, 0, 0.5, 1, 2].map(plane.y)).toEqual([50, 50, 25, 0, 0]);
  });
});

describe('line', () => {
  it('connects the points, and leaves a gap where no value is known', () => {
    const points = [0, 1, null, 0, 1].map((y, x) => ({ x, y }));
    expect(line(points, plane, {}).look).toMatchObject({ d: 'M0.0 50.0L10.0 0.0M30.0 50.0L40.0 0.0' });
  });

  it('is nothing without points', () => {
    expect(line([], plane, {}).look).toMatchObject({ d: '' });
  });
});

describe('box', () => {
  it('has the same size whichever direction a scale runs', () => {
    expect(box([1, 3], [0, 0.5], plane, {}).look).toEqual({
      x: '10.0',
      y: '25.0',
      width: '20.0',
      height: '25.0',
    });
  });
});

describe('drawingText', () => {
  it('prints shapes as elements, with text and attributes escaped', () => {
    const shapes = [text(1, 2, '<b> & "'), ...dots([{ x: 5, y: 1 }], plane, { class: '"x' })];
    expect(drawingText(9, 8, { role: 'img' }, shapes)).toBe(
      '<svg viewBox="0 0 9 8" role="img">' +
        '<text x="1.0" y="2.0">&lt;b&gt; &amp; &quot;</text>' +
        '<circle cx="50.0" cy="0.0" class="&quot;x"></circle></svg>',
    );
  });
});
