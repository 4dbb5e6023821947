// What the OpenID Provider needs from the database (src/oidc/tables/), and its records. Types only.

/** How a client authenticates at the token endpoint and when it pushes a request. */
export type ClientAuthMethod = 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'none';

/** Issuer of `id_token_hint`s other than this provider: Entra, whose tenant names the person. */
export interface HintIssuer {
  readonly issuer: string;
  readonly jwks_uri: string;
}

/** An operator's settings for a client. Stored unsealed: nothing in them is secret or personal data. */
export interface ClientSettings {
  readonly redirect_uris: readonly string[];
  readonly auth_method: ClientAuthMethod;
  /** Public keys of `private_key_jwt` and of signed requests. */
  readonly jwks: { readonly keys: readonly object[] } | null;
  /**
   * `authenticated`: a person who logs in for the first time is enrolled, if only the client can have named them.
   * `never`: only people whom an operator has linked can log in.
   */
  readonly enrolment: 'never' | 'authenticated';
  /** Refuses requests that were not pushed. */
  readonly require_par: boolean;
  /**
   * For how long a check counts for further logins of the same person at the same client. 0: every login needs a check.
   */
  readonly session_seconds: number;
  /** `entra`: an external authentication method of Microsoft Entra; its tenant's tokens name the person. */
  readonly profile: 'standard' | 'entra';
  readonly hint_issuer: HintIssuer | null;
  /** Shown on the privacy screen in place of the account's text; null: the account's. */
  readonly display_name: string | null;
  readonly purpose: string | null;
  /** The client's addition to the consent text, shown unchanged in every language. */
  readonly consent_text: string | null;
  readonly privacy_url: string | null;
}

export interface OidcClient {
  readonly id: string;
  readonly accountId: string;
  /** For operators; unique within its account. */
  readonly name: string;
  readonly settings: ClientSettings;
  readonly secretHash: Buffer | null;
  readonly createdAt: Date;
}

/** Every change writes its audit row in the same transaction. */
export interface ClientStore {
  insert(client: Omit<OidcClient, 'createdAt'>, actor: string): Promise<'inserted' | 'taken'>;
  find(id: string): Promise<OidcClient | null>;
  /** The clients of one account, or of all; sorted by name. */
  list(accountId?: string): Promise<OidcClient[]>;
  change(
    id: string,
    change: { settings?: ClientSettings; secretHash?: Buffer },
    actor: string,
  ): Promise<boolean>;
  /** Deletes the client, everyone it knows, and the FeatureIDs that its logins enrolled. */
  remove(id: string, actor: string): Promise<boolean>;
}

export interface StoredSubject {
  readonly id: string;
  readonly accountId: string;
  readonly clientId: string;
  readonly featidId: string;
  /** HMAC of the client's name for the person. */
  readonly hintTag: Buffer;
  readonly sealedFeatid: Buffer;
  /** An arbitrary key if the subject was erased. */
  readonly erasureKey: Buffer;
}

/** A subject to be inserted. */
export type NewSubject = StoredSubject & { readonly isEnrolledHere: boolean };

export interface SubjectStore {
  findByTag(clientId: string, hintTag: Buffer): Promise<StoredSubject | null>;
  find(id: string): Promise<StoredSubject | null>;
  /** `gone`: the FeatureID was erased meanwhile; `taken`: the client already knows somebody by this name. */
  insert(subject: NewSubject, actor: string): Promise<'inserted' | 'taken' | 'gone'>;
  /** Forgets somebody, and erases the FeatureID if a login enrolled it. */
  erase(id: string, actor: string): Promise<boolean>;
  countOf(clientId: string): Promise<number>;
}

/** A login in progress, as stored; `sealedLogin` is the sealed JSON of the `Login` in `logins.ts`. */
export interface StoredLogin {
  readonly interactionHash: Buffer;
  readonly clientId: string;
  readonly sealedLogin: Buffer;
  readonly linkHash: Buffer | null;
  readonly browserHash: Buffer | null;
}

export interface LoginStore {
  insert(login: StoredLogin, lifeSeconds: number): Promise<void>;
  find(interactionHash: Buffer): Promise<StoredLogin | null>;
  /** Replaces a login's challenge, unless another request did so since it was read. */
  replace(login: StoredLogin, from: Buffer | null): Promise<boolean>;
  /** The browser that may start the challenge of this link; null if it does not belong to a login. */
  findBrowserOf(linkHash: Buffer): Promise<Buffer | null>;
  deleteExpired(limit: number): Promise<number>;
}

/** What the library's adapter stores. */
export interface OidcRecord {
  readonly model: string;
  readonly idHash: Buffer;
  readonly sealedPayload: Buffer;
  readonly uidHash: Buffer | null;
  readonly grantHash: Buffer | null;
  readonly clientId: string | null;
  readonly consumedAt: Date | null;
}

export interface RecordStore {
  upsert(record: Omit<OidcRecord, 'consumedAt'>, lifeSeconds: number): Promise<void>;
  /** False if there is a record with this id already. */
  insert(record: Omit<OidcRecord, 'consumedAt'>, lifeSeconds: number): Promise<boolean>;
  find(model: string, idHash: Buffer): Promise<OidcRecord | null>;
  findByUid(model: string, uidHash: Buffer): Promise<OidcRecord | null>;
  /** Marks a record as used; false if it was used before. */
  consume(model: string, idHash: Buffer): Promise<boolean>;
  destroy(model: string, idHash: Buffer): Promise<void>;
  revokeGrant(grantHash: Buffer): Promise<void>;
  deleteExpired(limit: number): Promise<number>;
}

export interface StoredSigningKey {
  readonly id: string;
  readonly sealedKey: Buffer;
  readonly createdAt: Date;
  readonly signsFrom: Date;
}

export interface SigningKeyStore {
  /** Newest first. */
  list(): Promise<StoredSigningKey[]>;
  /** Runs `work` while no other process changes keys. */
  alone<T>(work: (keys: SigningKeyChanges) => Promise<T>): Promise<T>;
}

export interface SigningKeyChanges {
  list(): Promise<StoredSigningKey[]>;
  insert(key: Omit<StoredSigningKey, 'createdAt'>, actor: string): Promise<void>;
  remove(ids: readonly string[], actor: string): Promise<void>;
}
