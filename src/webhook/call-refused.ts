// The one error that the guarded agent throws inside its connector; callers of the agent see its code in a result.
import type { CallFailure } from '../contract/delivery.ts';

/** A call that failed, or was never made, for a reason of the closed list. Carries nothing of the URL. */
export class CallRefused extends Error {
  readonly reason: CallFailure;

  constructor(reason: CallFailure) {
    super(reason);
    this.name = 'CallRefused';
    this.reason = reason;
  }
}
