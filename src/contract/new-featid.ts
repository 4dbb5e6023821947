// What src/challenge and src/featid share: the FeatureID of a challenge that completes. src/featid seals it, and
// src/challenge passes it to the transaction that completes the challenge.
import type { FeatidSource } from './picture.ts';

/** A FeatureID row that the transaction completing a challenge, or answering a picture, inserts. */
export interface NewFeatidRow {
  readonly id: string;
  readonly accountId: string;
  readonly challengeId: string | null;
  readonly pack: string;
  readonly layout: number;
  readonly source: FeatidSource;
  /** Sealed under the string's key and the account's, then masked with the erasure key. */
  readonly sealedTemplate: Buffer;
  /** The FeatureID's own 32 bytes. Without them nobody can open the template. */
  readonly erasureKey: Buffer;
  /** 16 bytes that tell the right key from a wrong one after the template has been erased. */
  readonly keyCheck: Buffer;
}
