// A challenge as a link to its page.
import { Anchor } from '@mantine/core';

export function ChallengeLink({ id }: { id: string }) {
  return (
    <Anchor href={`#/challenges/${id}`} ff="monospace" fz="xs">
      {id}
    </Anchor>
  );
}
