// Log lines for a person at a terminal: time, level, process, message, the request; the rest follows.
import { createRequire } from 'node:module';
import { isatty } from 'node:tty';
import type { DestinationStream } from 'pino';
import type * as Pretty from 'pino-pretty';

/** In the message already, or of no use to a person who watches. */
const TOLD = [
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

/** Writes each line at once, in colours where a file descriptor is a terminal and NO_COLOR is not set. */
export function textLines(destination: number | NodeJS.WritableStream): DestinationStream {
  // Loaded only here: it takes a tenth of a second, and collectors get JSON.
  const { build } = createRequire(import.meta.url)('pino-pretty') as typeof Pretty;
  return build({
    destination,
    sync: true,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: TOLD.join(','),
    messageFormat: '{process}: {msg}{if method} {method} {route} {status}, {duration_ms} ms{end}',
    colorize: typeof destination === 'number' && isatty(destination) && !process.env.NO_COLOR,
  });
}
