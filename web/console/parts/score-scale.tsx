// A comparison score on its scale, with the threshold and, if the calibration has them, the score distributions of
// genuine and impostor pairs.
import type { ConsoleScores } from '../../../src/contract/console.ts';
import { area, linear, stroke, text } from '../../../src/plot/shapes.ts';
import { Drawn } from './drawn.tsx';

const WIDTH = 400;
const HEIGHT = 90;
const BASE = 70;
const x = linear([0, 1], [0, WIDTH]);

export function ScoreScale({ score, scores }: { score: number; scores: ConsoleScores | null }) {
  const says = `Score ${score.toFixed(2)} of 1; the threshold is at 0.50.`;
  const shapes = [
    ...(scores ? [hill(scores.impostor, 'impostor'), hill(scores.genuine, 'genuine')] : []),
    stroke([0, BASE], [WIDTH, BASE], { class: 'axis' }),
    stroke([x(0.5), 4], [x(0.5), BASE], { class: 'threshold' }),
    stroke([x(score), 4], [x(score), BASE], { class: 'mark' }),
    text(Math.min(Math.max(x(score), 16), WIDTH - 16), HEIGHT - 4, score.toFixed(2)),
  ];
  return (
    <figure class="score">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={says}>
        <Drawn shapes={shapes} />
      </svg>
      <figcaption class="soft">
        {says}{' '}
        {scores
          ? `Left curve: impostor pairs; right curve: genuine pairs (${scores.population}).`
          : 'The calibration contains no score distributions.'}
      </figcaption>
    </figure>
  );
}

/** Shares per bin as an area; the highest bin fills the height. */
function hill(shares: readonly number[], name: string) {
  const plane = { x, y: linear([0, Math.max(...shares, 1e-9)], [BASE, 6]) };
  const steps = shares.flatMap((y, bin) => [bin, bin + 1].map((edge) => ({ x: edge / shares.length, y })));
  return area(steps, plane, 0, { class: name });
}
