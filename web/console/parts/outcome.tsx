// A word for how something went.
import { Badge, Text } from '@mantine/core';

const GOOD = new Set(['pass', 'passed', 'Pass', 'completed', 'delivered', 'bound']);
const BAD = new Set(['fail', 'failed', 'Fail']);

/** The word on a colour that adds nothing to it; a dash if there is none. */
export function Outcome({ word }: { word: string | null }) {
  if (word === null)
    return (
      <Text span inherit c="dimmed">
        –
      </Text>
    );
  return <Badge color={GOOD.has(word) ? 'green' : BAD.has(word) ? 'red' : 'gray'}>{word}</Badge>;
}
