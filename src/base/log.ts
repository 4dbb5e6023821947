// Structured logs. Nothing personal, biometric or secret is ever given to a logger; the redaction is a second line of
// defence.
import { isatty } from 'node:tty';
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import { textLines } from './log-text.ts';
import { loggedError } from './logged-error.ts';

export type Logger = PinoLogger;
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

interface LoggerOptions {
  readonly level: LogLevel;
  /** Role of this process. */
  readonly process: string;
}

/** Creates the process's logger. It writes to stderr, because stdout carries the ready line and CLI answers. */
export function createLogger(
  options: LoggerOptions,
  destination: DestinationStream = standardError(),
): Logger {
  return pino(
    {
      level: options.level,
      base: { process: options.process, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (thrown: unknown) => loggedError(thrown) },
      redact: {
        paths: [
          '*.authorization',
          '*.client_secret',
          '*.password',
          'authorization',
          'client_secret',
          'password',
        ],
        censor: '[redacted]',
      },
    },
    destination,
  );
}

const STDERR = 2;

/** Text at a terminal, JSON for a collector. */
function standardError(): DestinationStream {
  return isatty(STDERR) ? textLines(STDERR) : pino.destination({ dest: STDERR, sync: true });
}
