// Tells when this process has been told to stop.
import type { Logger } from '../base/log.ts';

export interface StopSignal {
  /** Resolves at SIGTERM or SIGINT, or when the parent of a worker has ended. */
  readonly asked: Promise<void>;
  /** Whether `asked` has resolved. */
  isAsked(): boolean;
  /** Stops listening to the parent's channel; signals are still handled. */
  close(): void;
}

/** Listens from now on. A second signal exits at once with code 1. */
export function listenForStop(log: Logger): StopSignal {
  let stop: (reason: string) => void = () => {};
  let isAsked = false;
  const asked = new Promise<void>((done) => {
    stop = (reason) => {
      if (isAsked) process.exit(1);
      isAsked = true;
      log.info({ reason }, 'stopping');
      done();
    };
  });
  const onParentEnd = () => stop('the parent process ended');
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  if (process.send) process.once('disconnect', onParentEnd);
  return { asked, isAsked: () => isAsked, close: () => void process.off('disconnect', onParentEnd) };
}
