// The one place from which time is read, so that tests can hold it.

/** Source of the current time. */
export interface Clock {
  now(): Date;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date() };
