// The only error of a guarded call, thrown inside the agent's connector and by the guarded fetch.
import type { CallFailure } from '../contract/delivery.ts';

/** A call that failed, or was never made, with its reason as a stable code. Carries no part of the URL. */
export class CallError extends Error {
  readonly reason: CallFailure;

  constructor(reason: CallFailure) {
    super(reason);
    this.name = 'CallError';
    this.reason = reason;
  }
}
