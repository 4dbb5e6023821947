// One figure of the overview.
import { Paper, Text } from '@mantine/core';

export function Tile({ name, value, more }: { name: string; value: string; more: string }) {
  return (
    <Paper>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text fz="1.6rem" fw={700} lh={1.3}>
        {value}
      </Text>
      <Text size="xs" c="dimmed">
        {more}
      </Text>
    </Paper>
  );
}
