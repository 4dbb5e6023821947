// Who a request comes from.

/** The account and the API key that a request was authenticated with. */
export interface Principal {
  readonly accountId: string;
  readonly keyId: string;
  readonly sandbox: boolean;
}
