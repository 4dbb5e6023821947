// Every time that the console shows: 24 hours, with year and zone.
import { Text } from '@mantine/core';

const DAY = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'short', year: 'numeric' });
const CLOCK = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
});

/** Breaks only between the day and the time of day. */
const unbroken = (text: string): string => text.replaceAll(' ', '\u00a0');

/** A moment in the zone of the browser; a dash if there is none. */
export function Time({ at }: { at: string | null }) {
  if (!at)
    return (
      <Text span inherit c="dimmed">
        –
      </Text>
    );
  const date = new Date(at);
  return (
    <time dateTime={at} title={at}>
      {unbroken(DAY.format(date))} {unbroken(CLOCK.format(date))}
    </time>
  );
}
