// Log lines for a person at a terminal: time, level, process, message and request, then the other fields.
import { createRequire } from 'node:module';
import { isatty } from 'node:tty';
import type { DestinationStream } from 'pino';
import type * as Pretty from 'pino-pretty';

/** Fields left out: already in the message, or of no use to a person at a terminal. */
const OMITTED_FIELDS = [
  'pid',
  'process',
  'method',
  'route',
  'status',
  'duration_ms',
  'request_id',
  'api_key',
  'account',
];

/** Writes each line immediately, in colour if `destination` is a terminal's file descriptor and NO_COLOR is not set. */
export function textLines(destination: number | NodeJS.WritableStream): DestinationStream {
  // Loaded on demand: it takes a tenth of a second, and log collectors get JSON.
  const { build } = createRequire(import.meta.url)('pino-pretty') as typeof Pretty;
  return build({
    destination,
    sync: true,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: OMITTED_FIELDS.join(','),
    messageFormat: '{process}: {msg}{if method} {method} {route} {status}, {duration_ms} ms{end}',
    colorize: typeof destination === 'number' && isatty(destination) && !process.env.NO_COLOR,
  });
}
