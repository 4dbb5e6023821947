// What the challenge room and the FeatureID room share: the FeatureID of a completing challenge, and renewals of those that it
// compared with. The FeatureID room seals them, the challenge room hands them to the transaction that completes.
import type { FeatidSource } from './picture.ts';

/** A FeatureID row to be inserted by the transaction that completes a challenge, or answers a picture. */
export interface NewFeatidRow {
  readonly id: string;
  readonly accountId: string;
  readonly challengeId: string | null;
  readonly pack: string;
  readonly layout: number;
  readonly source: FeatidSource;
  /** Masked with the erasure key, sealed under the string's and the account's. */
  readonly sealedTemplate: Buffer;
  /** The FeatureID's own 32 bytes: without them the template opens for nobody. */
  readonly erasureKey: Buffer;
  /** Distinguishes the right key from a wrong one when the template is gone; 16 bytes. */
  readonly keyCheck: Buffer;
}

/** A renewal to be inserted by the transaction that completes a challenge, if nothing has come between. */
export interface NewRenewalRow {
  readonly id: string;
  /** Of the FeatureID's row. */
  readonly featidId: string;
  readonly accountId: string;
  /** Whose capture it is of. */
  readonly challengeId: string;
  readonly layout: number;
  /** Masked with the erasure key, sealed under the FeatureID's string and the account's key. */
  readonly sealedEmbedding: Buffer;
  /** The renewal's own 32 bytes. */
  readonly erasureKey: Buffer;
}
