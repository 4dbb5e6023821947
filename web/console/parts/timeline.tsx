// Events and tries of a challenge in chronological order.
import type { ConsoleCapture, ConsoleChallengeDetail } from '../../../src/contract/console.ts';
import { bytesText, Time } from './shown.tsx';

interface Entry {
  readonly at: string;
  readonly what: string;
  readonly more: string | null;
}

export function Timeline({ challenge }: { challenge: ConsoleChallengeDetail }) {
  const entries = [
    { at: challenge.created_at, what: 'challenge_created', more: null },
    ...challenge.events.map(({ name, at, cause }) => ({ at, what: name, more: cause })),
    ...challenge.captures.flatMap(entriesOf),
  ].sort((a, b) => (a.at < b.at ? -1 : 1));
  return (
    <ol class="timeline">
      {entries.map((entry, at) => (
        <li key={`${at} ${entry.at} ${entry.what}`}>
          <Time at={entry.at} /> <strong>{entry.what.replaceAll('_', ' ')}</strong>
          {entry.more && <div class="soft">{entry.more}</div>}
        </li>
      ))}
    </ol>
  );
}

function entriesOf(capture: ConsoleCapture): Entry[] {
  const prompts = capture.prompts
    .map(({ prompt, from_ms }) => {
      const name = prompt.replaceAll('_', ' ');
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
