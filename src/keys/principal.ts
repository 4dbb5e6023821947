// Who a request comes from, and who acts.

/** The account of a request, and the API key that authenticated it. */
export interface Principal {
  readonly accountId: string;
  readonly keyId: string;
  readonly sandbox: boolean;
}

/** Who acts, for the audit log: the id of an API key, `operator`, or `system`. */
export type Actor = string;

/** Whoever uses this deployment's command line. */
export const OPERATOR: Actor = 'operator';
