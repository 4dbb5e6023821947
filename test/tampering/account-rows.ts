// What is sealed of an account and of its people: its webhook secret, kept answers, FeatureIDs' devices and pictures.
import { sql } from 'kysely';
import { createPictures, readQueuedPicture } from '../../src/featid/pictures.ts';
import { insertFeatid } from '../../src/featid/tables/keys.ts';
import {
  createPictureStore,
  type NewPicture,
  type PictureStore,
} from '../../src/featid/tables/picture-store.ts';
import { createIdempotency } from '../../src/idempotency/idempotency.ts';
import { createIdempotencyStore } from '../../src/idempotency/tables/store.ts';
import { insertPasskey } from '../../src/passkeys/tables/store.ts';
import { type Rig, someTemplate } from '../challenge/challenge-rig.ts';
import { inColumn, type Rows } from './sealed.ts';

const PICTURE = Buffer.from('a picture');
const KEY = { credentialId: 'AQID', publicKey: 'BAUG', transports: [], signCount: 0, backedUp: true };

/** A FeatureID of the caller, as a picture makes it; returns its row's id. */
export async function addFeatid({ featids, database, caller }: Rig): Promise<{ id: string; featid: string }> {
  const of = { accountId: caller.accountId, challengeId: null, template: someTemplate() };
  const { featid, row } = await featids.create(of);
  await database.db.transaction().execute((trx) => insertFeatid(trx, row));
  return { id: row.id, featid };
}

/** Sends a picture; `store` is the queue's, except for what a test does in its place. */
function enrol(rig: Rig, store: Partial<PictureStore>) {
  const parts = { ...rig.parts, store: { ...createPictureStore(rig.database.db), ...store } };
  const idempotency = createIdempotency({ ...rig.parts, store: createIdempotencyStore(rig.database.db) });
  return createPictures({ ...parts, idempotency }).enrol(rig.caller, PICTURE, { idempotencyKey: null });
}

/** A worker reads the picture, in which there is no face; returns what it saw and answered. */
async function read(rig: Rig, picture: NewPicture) {
  const done: { seen?: Uint8Array; sealedAnswer?: Buffer } = {};
  const store: PictureStore = {
    ...createPictureStore(rig.database.db),
    take: async () => ({ ...picture, starts: 1 }),
    answer: async (_, { sealedAnswer }) => void Object.assign(done, { sealedAnswer }),
  };
  const parts = { ...rig.parts, store };
  await readQueuedPicture(
    {
      ...parts,
      read: async (seen) => {
        Object.assign(done, { seen });
        return { status: 'refused', fault: 'no_face' };
      },
    },
    picture.id,
  );
  return done;
}

export const ACCOUNT_ROWS: Rows = {
  'webhook-secret': {
    seal: async ({ foundation, database: { db }, caller: { accountId } }) => {
      const { webhookSecrets } = foundation;
      await webhookSecrets.rotate(accountId, 0, 'test');
      const { id } = await db
        .selectFrom('webhook_secret')
        .select('id')
        .where('account_id', '=', accountId)
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow();
      const column = await inColumn(db, ['webhook_secret', 'sealed_secret'], sql`id = ${id}`, () =>
        webhookSecrets.inForce(accountId),
      );
      return { ...column, holder: accountId, place: id };
    },
  },
  'idempotency-record': {
    seal: async (rig) => {
      const { db } = rig.database;
      const { accountId } = rig.caller;
      const { claimed } = createIdempotency({ ...rig.parts, store: createIdempotencyStore(db) });
      const request = { accountId, path: '/v1/webhooks/test', key: 'tampered', body: {} };
      const ask = () =>
        claimed(request, { run: async () => 'an answer', isFinal: () => true, challengeId: null });
      await ask();
      const isRow = sql`account_id = ${accountId} and key = ${request.key}`;
      const column = await inColumn(db, ['idempotency_record', 'sealed_answer'], isRow, ask);
      return { ...column, holder: accountId, place: `${request.path}\n${request.key}` };
    },
  },
  passkey: {
    seal: async (rig) => {
      const { passkeys } = rig.parts;
      const { db } = rig.database;
      const { accountId } = rig.caller;
      const made = await passkeys.seal(accountId, KEY, '2026-01-31T09:30:00.123Z');
      const featid = await addFeatid(rig);
      await db.transaction().execute((trx) => insertPasskey(trx, featid.id, made));
      const isRow = sql`id = ${made.id}`;
      const column = await inColumn(db, ['passkey', 'sealed_passkey'], isRow, () =>
        passkeys.ofFeatids(accountId, [featid.id]),
      );
      return { ...column, holder: made, place: made.id };
    },
  },
  'featid-picture': {
    seal: async (rig) => {
      const sent: NewPicture[] = [];
      await enrol(rig, { submit: async (picture) => sent.push(picture) < 0 });
      const [picture] = sent;
      const open = async (bytes: Uint8Array) =>
        (await read(rig, { ...picture!, sealedPicture: Buffer.from(bytes) })).seen;
      return { bytes: picture!.sealedPicture, holder: picture!, place: picture!.id, open };
    },
  },
  'featid-picture-answer': {
    once: true,
    seal: async (rig) => {
      let give: (answer: Buffer) => void = () => {};
      const answer = new Promise<Buffer>((resolve) => {
        give = resolve;
      });
      let enrolled: ReturnType<typeof enrol> | null = null;
      const picture = await new Promise<NewPicture>((submitted) => {
        const submit = async (sent: NewPicture) => {
          submitted(sent);
          return true;
        };
        enrolled = enrol(rig, { submit, readAnswer: () => answer, collect: async () => 'collected' });
      });
      const { sealedAnswer } = await read(rig, picture);
      const open = async (bytes: Uint8Array) => {
        give(Buffer.from(bytes));
        return enrolled;
      };
      return { bytes: sealedAnswer!, holder: picture, place: picture.id, open };
    },
  },
};
