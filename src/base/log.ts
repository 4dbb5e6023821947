// Structured logs. Nothing personal, biometric or secret is ever given to a logger; the redaction is a second fence.
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import { loggedError } from './logged-error.ts';

export type Logger = PinoLogger;
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Makes the process's logger: JSON lines on stderr, so that stdout stays for the ready line and CLI answers. */
export function createLogger(
  options: { level: LogLevel; process: string },
  destination: DestinationStream = pino.destination({ dest: 2, sync: true }),
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
