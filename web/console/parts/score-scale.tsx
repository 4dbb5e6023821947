// A comparison score on its scale, with the threshold and, where the calibration has them, how the scores of genuine
// and impostor pairs lie.
import type { ConsoleScores } from '../../../src/contract/console.ts';

const WIDTH = 400;
const HEIGHT = 90;
const BASE = 70;

export function ScoreScale({ score, scores }: { score: number; scores: ConsoleScores | null }) {
  const says = `Score ${score.toFixed(2)} of 1; the threshold is at 0.50.`;
  return (
    <figure class="score">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={says}>
        {scores && <path class="impostor" d={hill(scores.impostor)} />}
        {scores && <path class="genuine" d={hill(scores.genuine)} />}
        <line class="axis" x1="0" x2={WIDTH} y1={BASE} y2={BASE} />
        <line class="threshold" x1={WIDTH / 2} x2={WIDTH / 2} y1="4" y2={BASE} />
        <line class="mark" x1={score * WIDTH} x2={score * WIDTH} y1="4" y2={BASE} />
        <text x={Math.min(Math.max(score * WIDTH, 16), WIDTH - 16)} y={HEIGHT - 4}>
          {score.toFixed(2)}
        </text>
      </svg>
      <figcaption class="soft">
        {says}{' '}
        {scores
          ? `Left hill: pairs of different people; right hill: of the same (${scores.population}).`
          : 'The calibration holds no distributions.'}
      </figcaption>
    </figure>
  );
}

/** Shares per bin as an area, the highest bin as high as the picture. */
function hill(shares: readonly number[]): string {
  const top = Math.max(...shares, 1e-9);
  const step = WIDTH / shares.length;
  const points = shares.map((share, at) => {
    const y = BASE - (share / top) * (BASE - 6);
    return `L${(at * step).toFixed(1)} ${y.toFixed(1)} L${((at + 1) * step).toFixed(1)} ${y.toFixed(1)}`;
  });
  return `M0 ${BASE} ${points.join(' ')} L${WIDTH} ${BASE} Z`;
}
