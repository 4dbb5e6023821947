// Counts as bars on one scale, each with its figures.
import { Group, Progress, Stack, Text } from '@mantine/core';
import { countText, percentText } from './words.ts';

export interface Bar {
  readonly name: string;
  readonly count: number;
  readonly color?: string;
}

/** `of`: the count that fills a bar. */
export function Bars({ bars, of }: { bars: readonly Bar[]; of: number }) {
  return (
    <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
      {bars.map(({ name, count, color = 'indigo' }) => (
        <li key={name}>
          <Group justify="space-between" gap="xs" wrap="nowrap">
            <Text size="sm">{name}</Text>
            <Text size="sm" fw={600} style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
              {countText(count)}{' '}
              <Text span c="dimmed" fw={400}>
                {percentText(of === 0 ? null : count / of)}
              </Text>
            </Text>
          </Group>
          <Progress value={of === 0 ? 0 : (100 * count) / of} color={color} size="md" aria-hidden />
        </li>
      ))}
    </Stack>
  );
}
