// Events and tries of a challenge in chronological order.
import { Text, Timeline } from '@mantine/core';
import type { ConsoleCapture, ConsoleChallengeDetail } from '../../../src/contract/console.ts';
import { Time } from './time.tsx';
import { bytesText, wordsOf } from './words.ts';

interface Entry {
  readonly at: string;
  readonly what: string;
  readonly more: string | null;
}

export function Events({ challenge }: { challenge: ConsoleChallengeDetail }) {
  const entries = [
    { at: challenge.created_at, what: 'challenge_created', more: null },
    ...challenge.events.map(({ name, at, cause }) => ({ at, what: name, more: cause })),
    ...challenge.captures.flatMap(entriesOf),
  ].sort((a, b) => (a.at < b.at ? -1 : 1));
  return (
    <Timeline bulletSize={12} lineWidth={2} active={entries.length}>
      {entries.map(({ at, what, more }, place) => (
        <Timeline.Item key={`${place} ${at} ${what}`} title={wordsOf(what)}>
          <Text size="sm" c="dimmed">
            <Time at={at} />
          </Text>
          {more && <Text size="sm">{more}</Text>}
        </Timeline.Item>
      ))}
    </Timeline>
  );
}

function entriesOf(capture: ConsoleCapture): Entry[] {
  const prompts = capture.prompts
    .map(({ prompt, from_ms }) => {
      const name = wordsOf(prompt);
      return from_ms === null ? name : `${name} at ${(from_ms / 1000).toFixed(1)} s`;
    })
    .join(', ');
  const way = capture.way ? `, ${capture.way}` : '';
  const issued = { at: capture.issued_at, what: `script of try ${capture.attempt}${way}`, more: prompts };
  if (!capture.submitted_at) return [issued];
  const outcome = capture.rejected_reason ? `sent back: ${capture.rejected_reason}` : capture.state;
  const more = `${capture.mime_type ?? ''} ${bytesText(capture.size_bytes)}, ${outcome}`;
  return [issued, { at: capture.submitted_at, what: `video of try ${capture.attempt}`, more }];
}
