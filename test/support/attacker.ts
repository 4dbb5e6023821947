// An attacker who holds a copy of every file in DATA_DIR, the master key, a FeatureID's string and, to make it easy,
// the ciphertext of everything that was ever sealed. What can they still decrypt, or read in clear?
import { createDecipheriv } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { collectBytes, sizedBytes } from '../../src/base/sized-bytes.ts';
import { decryptFrames } from '../../src/challenge/assets/framed-cipher.ts';
import { parseFeatid } from '../../src/featid/featid-text.ts';
import { hkdfSha256 } from '../../src/keys/hkdf.ts';
import { createMasterKeyRing } from '../../src/keys/master-key-ring.ts';
import { openRecord } from '../../src/keys/seal.ts';
import { filesBelow, readIfThere } from './secret-search.ts';

/** One ciphertext, and what is needed to open it besides the key. */
interface Ciphertext {
  readonly purpose: string;
  readonly place: string;
  readonly bytes: Buffer;
}

/** Everything that the attacker has besides the files. */
export interface Loot {
  readonly accountKey: Buffer;
  readonly featid: string;
  readonly region: string;
  readonly reference: string;
  readonly video: Buffer;
  readonly sealed: Readonly<Record<string, Ciphertext>>;
  /** Row of the FeatureID's template. */
  readonly template: { readonly sealed: Buffer; readonly place: string };
  /** The encrypted video, as if its deleted file had been restored. */
  readonly blob: Buffer;
}

/** Keeps a copy of every upload chunk, which stays in the database for less than a second. */
export async function spyOnUploads(client: pg.Client): Promise<void> {
  await client.query(`
    create table spied (capture_id text, position integer, bytes bytea);
    create function spy() returns trigger language plpgsql as $$
      begin insert into spied values (new.capture_id, new.position, new.sealed_bytes); return null; end $$;
    create trigger spy after insert on capture_chunk for each row execute function spy()`);
}

/** Connects to the embedded server of a data folder. */
export async function connectToEmbedded(dataDir: string): Promise<pg.Client> {
  const read = (name: string) => readFileSync(join(dataDir, 'postgres', 'cluster', name), 'utf8').trim();
  const client = new pg.Client({
    host: '127.0.0.1',
    port: Number(read('port')),
    user: 'likeness',
    password: read('password'),
    database: 'likeness',
  });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Collects all ciphertexts of a completed challenge while it exists. */
export async function takeLoot(
  dataDir: string,
  client: pg.Client,
  known: { challengeId: string; featid: string; region: string; reference: string; video: Buffer },
): Promise<Loot> {
  const one = async (text: string) => (await client.query(text, [known.challengeId])).rows[0];
  const challenge = await one(`select h.*, a.wrapped_key, a.master_key_id
    from challenge h join account a on a.id = h.account_id where h.id = $1`);
  const asset = await one(`select * from asset where challenge_id = $1 and kind = 'liveness_video'`);
  const delivery = await one('select * from delivery where challenge_id = $1');
  // The last recording's: the video key is renewed when one is sent back.
  const chunk = await one(`select s.* from spied s join capture c on c.id = s.capture_id
    where c.challenge_id = $1 order by c.attempt desc, position`);
  const { id: featidId } = parseFeatid(known.featid)!;
  const featid = (await client.query('select * from featid where id = $1', [featidId])).rows[0];
  const master = Buffer.from(readFileSync(join(dataDir, 'master.key'), 'utf8').trim(), 'base64');
  const wrapped = { wrapped: challenge.wrapped_key, masterKeyId: challenge.master_key_id };
  const place = known.challengeId;
  return {
    ...known,
    accountKey: await createMasterKeyRing([master]).unwrap(challenge.account_id, wrapped),
    sealed: {
      request: { purpose: 'challenge-request', place, bytes: challenge.sealed_request },
      result: { purpose: 'challenge-result', place, bytes: challenge.sealed_result },
      delivery: { purpose: 'delivery-endpoint', place: delivery.id, bytes: delivery.sealed_endpoint },
      upload: {
        purpose: 'capture-chunk',
        place: `${chunk.capture_id}\n${chunk.position}`,
        bytes: chunk.bytes,
      },
      video: { purpose: 'asset-key', place: asset.id, bytes: asset.sealed_key },
    },
    template: {
      sealed: featid.sealed_template,
      place: JSON.stringify([
        featidId,
        featid.account_id,
        known.region,
        featid.pack,
        featid.layout,
        featid.source,
      ]),
    },
    blob: readFileSync(join(dataDir, 'assets', asset.id.slice(-2), asset.id)),
  };
}

/** Names of what can be recovered from the files below `folder`. */
export async function attack(folder: string, loot: Loot): Promise<string[]> {
  const won = new Set<string>();
  const half = hkdfSha256(loot.accountKey, Buffer.alloc(0), 'likeness derived v1\0erasable-record', 32);
  const templateHalf = hkdfSha256(
    loot.accountKey,
    Buffer.alloc(0),
    'likeness derived v1\0featid-template',
    32,
  );
  const recordKey = Buffer.concat([parseFeatid(loot.featid)!.key, templateHalf]);
  const assetKeys: Buffer[] = [];
  const tryKey = (key: Buffer) => {
    for (const [name, ciphertext] of Object.entries(loot.sealed)) {
      const opened = tryOpen(key, ciphertext);
      if (!opened) continue;
      if (name === 'video') assetKeys.push(opened);
      else won.add(name);
    }
  };
  const tryTemplate = (sealed: Buffer) => {
    const { place } = loot.template;
    if (sealed[0] === 1 && tryOpen(recordKey, { purpose: 'featid-template', place, bytes: sealed })) {
      won.add('template');
    }
  };
  // First without anything from the files: what is sealed under keys that are not erased.
  tryKey(loot.accountKey);
  tryTemplate(loot.template.sealed);
  const tried = new Set<string>();
  for (const path of filesBelow(folder)) {
    const bytes = readIfThere(path);
    if (bytes.includes(loot.reference)) won.add('reference in clear');
    if (bytes.includes(loot.video.subarray(1000, 1064))) won.add('video in clear');
    const views = path.includes('/pg_wal/') ? [bytes, withoutPageHeaders(bytes)] : [bytes];
    for (const candidate of views.flatMap((view) => [...keysIn(view, tried)])) {
      tryKey(Buffer.concat([half, candidate]));
      tryTemplate(unmask(candidate, loot.template.sealed));
    }
  }
  for (const key of assetKeys) if (await opensVideo(key, loot)) won.add('video');
  return [...won].sort();
}

async function opensVideo(key: Buffer, { blob, video }: Loot): Promise<boolean> {
  const opened = await collectBytes(decryptFrames(key, sizedBytes(blob).chunks, video.length));
  return opened.equals(video);
}

const LOG_PAGE_BYTES = 8192;
/** Header of a segment's first page, and of all others (src/include/access/xlog_internal.h). */
const LOG_HEADER_BYTES = { first: 40, others: 24 } as const;

/**
 * A write-ahead log segment without page headers, which interrupt any record that crosses from one page to the next.
 */
function withoutPageHeaders(segment: Buffer): Buffer {
  const pages: Buffer[] = [];
  for (let at = 0; at < segment.length; at += LOG_PAGE_BYTES) {
    const header = at === 0 ? LOG_HEADER_BYTES.first : LOG_HEADER_BYTES.others;
    pages.push(segment.subarray(at + header, at + LOG_PAGE_BYTES));
  }
  return Buffer.concat(pages);
}

/** PostgreSQL stores 32 bytes, in its tables as in its log, after a byte that gives their length. */
const LENGTH_OF_32 = 0x43;

function* keysIn(bytes: Buffer, tried: Set<string>): Iterable<Buffer> {
  for (let at = bytes.indexOf(LENGTH_OF_32); at >= 0; at = bytes.indexOf(LENGTH_OF_32, at + 1)) {
    const candidate = bytes.subarray(at + 1, at + 33);
    const text = candidate.toString('latin1');
    // Text and zeros are not a random key.
    if (candidate.length < 32 || new Set(candidate).size < 20 || tried.has(text)) continue;
    tried.add(text);
    yield candidate;
  }
}

function tryOpen(key: Buffer, { purpose, place, bytes }: Ciphertext): Buffer | undefined {
  try {
    return openRecord(key, purpose, bytes, place);
  } catch {
    return undefined;
  }
}

function unmask(key: Buffer, masked: Buffer): Buffer {
  const cipher = createDecipheriv('aes-256-ctr', key, Buffer.alloc(16));
  // The first byte rules out most wrong keys.
  if (cipher.update(masked.subarray(0, 1))[0] !== 1) return Buffer.alloc(1);
  const again = createDecipheriv('aes-256-ctr', key, Buffer.alloc(16));
  return Buffer.concat([again.update(masked), again.final()]);
}
