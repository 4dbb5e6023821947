// Who a request comes from.

/** The account of a request, and the API key that authenticated it. */
export interface Principal {
  readonly accountId: string;
  readonly keyId: string;
  readonly sandbox: boolean;
}
