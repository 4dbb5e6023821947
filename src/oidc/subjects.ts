// The people known to a client: maps the client's name for a person to the FeatureID that the person is verified
// against.
import { Fault } from '../base/errors.ts';
import { randomSecret } from '../base/secrets.ts';
import type { Custody } from '../keys/account-keys.ts';
import { newErasureKey } from '../keys/erasure-key.ts';
import type { OidcClient } from './tables/clients.ts';
import type { StoredSubject, SubjectStore } from './tables/subjects.ts';

/** Key purposes: the tag by which a name is found, and the FeatureID. */
const TAG_PURPOSE = 'oidc-subject-name';
const FEATID_PURPOSE = 'oidc-subject-featid';
const ID_BYTES = 16;

/** How a client names a person. The same text from two sources is two names. */
export interface PersonName {
  /** `login_hint`: the client's own name. `issuer`: `sub` in a token of the issuer that the client's settings name. */
  readonly source: 'login_hint' | 'issuer';
  readonly name: string;
}

export interface Subject {
  /** The row's id. */
  readonly id: string;
  /** `sub` in the client's tokens: the id, or the `sub` that the client's issuer uses for the person. */
  readonly sub: string;
  readonly clientId: string;
  readonly featid: string;
  /** `customer_reference` of this person's checks. */
  readonly checks: string;
}

export interface Subjects {
  findByName(client: OidcClient, person: PersonName): Promise<Subject | null>;
  find(clientId: string, id: string): Promise<Subject | null>;
  /** The person who has this `sub` in the client's tokens. */
  findBySub(client: OidcClient, sub: string): Promise<Subject | null>;
  /** Adds a person; `featidId` is the id of the FeatureID's row. */
  add(input: {
    readonly client: OidcClient;
    readonly person: PersonName;
    readonly featid: string;
    readonly featidId: string;
    readonly isEnrolledHere: boolean;
    readonly actor: string;
  }): Promise<'inserted' | 'taken' | 'gone'>;
  /** Forgets a person at once, by the row's id, and erases the FeatureID if a login enrolled it. */
  erase(clientId: string, id: string, actor: string): Promise<boolean>;
  countOf(clientId: string): Promise<number>;
  /**
   * The `customer_reference` of a person's checks at a client, whether the client knows the person or not. Forgetting a
   * person finds the checks by it. It reveals nothing about the name.
   */
  checksOf(client: OidcClient, person: PersonName): Promise<string>;
}

interface SealedFeatid {
  readonly featid: string;
  readonly issuer_sub: string | null;
}

export function createSubjects(parts: { readonly store: SubjectStore; readonly custody: Custody }): Subjects {
  const { store, custody } = parts;
  const open = async (stored: StoredSubject | null): Promise<Subject | null> => {
    if (!stored) return null;
    const { id, accountId, clientId, erasureKey, hintTag, sealedFeatid } = stored;
    try {
      const bytes = await custody.open({ accountId, erasureKey }, FEATID_PURPOSE, sealedFeatid, id);
      const { featid, issuer_sub }: SealedFeatid = JSON.parse(bytes.toString('utf8'));
      return { id, sub: issuer_sub ?? id, clientId, featid, checks: referenceOf(hintTag) };
    } catch (error) {
      // Erased between the two reads.
      if (error instanceof Fault && error.code === 'SEAL_BROKEN') return null;
      throw error;
    }
  };
  const findByName: Subjects['findByName'] = async (client, person) =>
    open(await store.findByTag(client.id, await tagOf(custody, client, person)));
  const find: Subjects['find'] = async (clientId, id) => {
    const stored = await store.find(id);
    return stored?.clientId === clientId ? open(stored) : null;
  };
  return {
    findByName,
    find,
    findBySub: (client, sub) =>
      client.settings.profile === 'entra'
        ? findByName(client, { source: 'issuer', name: sub })
        : find(client.id, sub),
    add: async ({ client, person, featid, featidId, isEnrolledHere, actor }) => {
      const id = randomSecret(ID_BYTES);
      const { accountId, id: clientId } = client;
      const erasureKey = newErasureKey();
      const issuer_sub = person.source === 'issuer' ? person.name : null;
      const value = Buffer.from(JSON.stringify({ featid, issuer_sub } satisfies SealedFeatid));
      const sealedFeatid = await custody.seal({ accountId, erasureKey }, FEATID_PURPOSE, value, id);
      const hintTag = await tagOf(custody, client, person);
      const place = { id, accountId, clientId, featidId };
      return store.insert({ ...place, erasureKey, sealedFeatid, hintTag, isEnrolledHere }, actor);
    },
    erase: async (clientId, id, actor) => {
      const stored = await store.find(id);
      if (stored?.clientId !== clientId) return false;
      return store.erase(id, actor);
    },
    countOf: (clientId) => store.countOf(clientId),
    checksOf: async (client, person) => referenceOf(await tagOf(custody, client, person)),
  };
}

const referenceOf = (tag: Buffer): string => `person_${tag.toString('base64url')}`;

/** The tag includes the client, so that two clients of an account cannot tell that they know the same person. */
function tagOf(custody: Custody, client: OidcClient, { source, name }: PersonName): Promise<Buffer> {
  const bytes = Buffer.from(JSON.stringify([client.id, source, name]));
  return custody.fingerprint(client.accountId, TAG_PURPOSE, bytes);
}
