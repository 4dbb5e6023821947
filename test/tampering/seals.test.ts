// Nothing that is sealed opens once one byte of it differs, or in a place, for a purpose or under a key other than its
// own; and nothing is sealed that has no row here.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { composeOpenid } from '../../src/composition/console.ts';
import { composeOidcAdministration } from '../../src/composition/oidc/administration.ts';
import { CONSOLE_HOLDER } from '../../src/console/holder.ts';
import type { KeyHolder } from '../../src/keys/account-keys.ts';
import { newErasureKey } from '../../src/keys/erasure-key.ts';
import { PROVIDER_HOLDER } from '../../src/oidc/holder.ts';
import { createRig, type Rig } from '../challenge/challenge-rig.ts';
import { accepted, byteFlipped, everyByteFlipped, isRefused } from '../support/tamper.ts';
import { ACCOUNT_ROWS } from './account-rows.ts';
import { CHALLENGE_ROWS } from './challenge-rows.ts';
import { purposesOf } from './seal-calls.ts';
import type { Row, Rows, Sealed } from './sealed.ts';
import { SERVICE_ROWS } from './service-rows.ts';

const ROWS: Rows = { ...CHALLENGE_ROWS, ...ACCOUNT_ROWS, ...SERVICE_ROWS };
/** What is longer is altered in as many places, drawn at random. */
const EXHAUSTIVE_BYTES = 400;

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
  // They make the service's own keys.
  await composeOpenid(rig.foundation);
  await composeOidcAdministration(rig.foundation);
});
afterAll(() => rig.close());

/** Holders that did not seal it: of an erasable key either half may be another's, or both the account's. */
function othersThan(holder: KeyHolder): KeyHolder[] {
  const stranger = rig.stranger.accountId;
  if (typeof holder === 'string')
    return [stranger, CONSOLE_HOLDER, PROVIDER_HOLDER].filter((other) => other !== holder);
  const { accountId, erasureKey } = holder;
  return [{ accountId: stranger, erasureKey }, { accountId, erasureKey: newErasureKey() }, accountId];
}

/** The same contents, sealed as they would be elsewhere; and its own bytes, cut, lengthened or gone. */
async function misplaced(purpose: string, { bytes, holder, place }: Sealed): Promise<Buffer[]> {
  const { custody } = rig.parts;
  const contents = await custody.open(holder, purpose, bytes, place);
  return [
    ...(await Promise.all(othersThan(holder).map((other) => custody.seal(other, purpose, contents, place)))),
    await custody.seal(holder, `${purpose}s`, contents, place),
    await custody.seal(holder, purpose, contents, `${place}s`),
    bytes.subarray(0, -1),
    Buffer.concat([bytes, Buffer.of(0)]),
    Buffer.alloc(0),
  ];
}

it.each(Object.entries(ROWS))('%s', async (purpose, { seal, once }: Row) => {
  const sealed = await seal(rig);
  /** Whether it is refused with its bytes altered. */
  const refuses = async (
    alter: (own: Sealed) => Uint8Array | undefined | Promise<Uint8Array | undefined>,
  ) => {
    const own = once ? await seal(rig) : sealed;
    return isRefused(async () => own.open((await alter(own))!));
  };
  const { length } = sealed.bytes;
  const places = [...Array(length).keys()];
  if (length <= EXHAUSTIVE_BYTES)
    expect(await accepted(places, (at) => refuses(({ bytes }) => byteFlipped(bytes, at)))).toEqual([]);
  else
    await fc.assert(
      fc.asyncProperty(fc.nat(length - 1), async (at) => {
        expect(await refuses(({ bytes }) => byteFlipped(bytes, at))).toBe(true);
      }),
      { numRuns: EXHAUSTIVE_BYTES },
    );
  const elsewhere = [...(await misplaced(purpose, sealed)).keys()];
  const asMisplaced = (at: number) => refuses(async (own) => (await misplaced(purpose, own))[at]);
  expect(await accepted(elsewhere, asMisplaced)).toEqual([]);
  // It is the alteration that is refused.
  expect(await refuses(({ bytes }) => bytes)).toBe(false);
});

describe('a fingerprint', () => {
  it('covers every byte, and is that of its holder and purpose', async () => {
    const { custody } = rig.parts;
    const holder = { accountId: rig.caller.accountId, erasureKey: newErasureKey() };
    const bytes = Buffer.from('what is found by it');
    const own = await custody.fingerprint(holder, 'p', bytes);
    const differs = async (other: Promise<Buffer>) => !(await other).equals(own);
    const altered = everyByteFlipped(bytes);
    expect(await accepted(altered, (each) => differs(custody.fingerprint(holder, 'p', each)))).toEqual([]);
    const others = othersThan(holder);
    expect(await accepted(others, (other) => differs(custody.fingerprint(other, 'p', bytes)))).toEqual([]);
    expect(await differs(custody.fingerprint(holder, 'q', bytes))).toBe(true);
  });
});

describe('nothing is left out:', () => {
  it('what is sealed', () => {
    expect(purposesOf('seal', 'sealRecord')).toEqual(
      [
        ...Object.keys(ROWS),
        // Under the FeatureID's own key: signatures.test.ts.
        'featid-template',
        // They pass on what others name.
        'challenge/closing/completion.ts seal',
        'idempotency/idempotency.ts seal',
        'keys/account-keys.ts sealRecord',
        'keys/issue.ts sealRecord',
        'keys/webhook-secrets.ts seal',
      ].toSorted(),
    );
  });

  it('what a fingerprint stands for', () => {
    // Somebody shows it, or what it was made of, and is believed: signatures.test.ts.
    const shown = ['asset-link', 'capture-video'];
    // Rows are found or compared by it: one that was altered finds nothing.
    const tags = [
      'capture-frame',
      'customer-reference',
      'delivery-endpoint-address',
      'delivery-endpoint-origin',
      'idempotency-record',
      'oidc-subject-name',
    ];
    // At the start an account's key is tried.
    const tried = ['start'];
    const passedOn = ['idempotency/idempotency.ts fingerprint'];
    expect(purposesOf('fingerprint')).toEqual([...shown, ...tags, ...tried, ...passedOn].toSorted());
  });
});
