// What the challenge room and the FeatureID room share: the FeatureID of a completing challenge. The FeatureID room seals
// it, the challenge room hands it to the transaction that completes.

/** A FeatureID row to be inserted by the transaction that completes a challenge. */
export interface NewFeatidRow {
  readonly id: string;
  readonly accountId: string;
  readonly challengeId: string | null;
  readonly pack: string;
  readonly layout: number;
  /** Masked with the erasure key, sealed under the string's and the account's. */
  readonly sealedTemplate: Buffer;
  /** The FeatureID's own 32 bytes: without them the template opens for nobody. */
  readonly erasureKey: Buffer;
  /** Tells the right key from a wrong one when the template is gone; 16 bytes. */
  readonly keyCheck: Buffer;
}
