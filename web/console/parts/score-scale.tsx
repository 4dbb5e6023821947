// A comparison score on its scale, with the threshold and, if the calibration has them, the score distributions of
// genuine and impostor pairs.
import { AreaChart } from '@mantine/charts';
import { Text } from '@mantine/core';
import type { ConsoleScores } from '../../../src/contract/console.ts';

const TICKS = { type: 'number', domain: [0, 1], ticks: [0, 0.25, 0.5, 0.75, 1] } as const;

export function ScoreScale({ score, scores }: { score: number; scores: ConsoleScores | null }) {
  const says = `Score ${score.toFixed(2)} of 1; the threshold is at 0.50.`;
  return (
    <div>
      <AreaChart
        h={140}
        role="img"
        aria-label={says}
        accessibilityLayer={false}
        data={scores ? pointsOf(scores) : [{ score: 0 }, { score: 1 }]}
        dataKey="score"
        series={[
          { name: 'impostor pairs', color: 'red.6' },
          { name: 'genuine pairs', color: 'green.6' },
        ]}
        curveType="step"
        withDots={false}
        withTooltip={false}
        withYAxis={false}
        gridAxis="none"
        xAxisProps={TICKS}
        referenceLines={[
          { x: 0.5, label: 'threshold', labelPosition: 'insideTopRight' },
          {
            x: score,
            color: 'indigo.6',
            label: score.toFixed(2),
            strokeWidth: 3,
            labelPosition: 'insideTopLeft',
          },
        ]}
      />
      <Text size="sm" c="dimmed">
        {says}{' '}
        {scores
          ? `Left curve: impostor pairs; right curve: genuine pairs (${scores.population}).`
          : 'The calibration contains no score distributions.'}
      </Text>
    </div>
  );
}

/** Shares by bin, each curve relative to its highest bin. */
function pointsOf({ genuine, impostor }: ConsoleScores) {
  const [mostGenuine, mostImpostor] = [Math.max(...genuine, 1e-9), Math.max(...impostor, 1e-9)];
  return genuine.map((share, bin) => ({
    score: (bin + 0.5) / genuine.length,
    'genuine pairs': share / mostGenuine,
    'impostor pairs': (impostor[bin] ?? 0) / mostImpostor,
  }));
}
