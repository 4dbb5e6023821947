// Compares one probe with a hundred FeatureIDs, step by step, and times one comparison in plain JavaScript against the
// limit set by memory bandwidth.
import { randomBytes } from 'node:crypto';
import { REGION_NAMES } from '../src/contract/regions.ts';
import { compareTemplates } from '../src/evaluation/compare.ts';
import { type OperatingPoint, operatingPoint } from '../src/evaluation/recognition/operating-point.ts';
import type { FaceTemplate } from '../src/evaluation/recognition/template.ts';
import { cosineSimilarity, normalise } from '../src/evaluation/recognition/vector.ts';
import { parseFeatid } from '../src/featid/featid-text.ts';
import { createFeatids, type Featids } from '../src/featid/featids.ts';
import type { FeatidStore } from '../src/featid/ports.ts';
import { createAccountKeys } from '../src/keys/account-keys.ts';
import { createAccounts } from '../src/keys/accounts.ts';
import { hkdfSha256 } from '../src/keys/hkdf.ts';
import { createMasterKeyRing } from '../src/keys/master-key-ring.ts';
import { DEFAULT_PACK, readPack } from '../src/models/packs/read-pack.ts';
import { createApiKeyStore } from '../src/storage/postgres/accounts/api-key-store.ts';
import { createAccountStore } from '../src/storage/postgres/accounts/store.ts';
import { createDatabase, type Database } from '../src/storage/postgres/database.ts';
import { insertFeatid } from '../src/storage/postgres/featids/keys.ts';
import { createFeatidStore } from '../src/storage/postgres/featids/store.ts';
import { median, type Section } from './report.ts';

const REFERENCES = 100;
const ROUNDS = 60;
const NOTED_ROUNDS = 9;
const EMBEDDING_SIZE = 192;
const DESCRIPTOR_SIZE = 512;
const GALLERIES = [1_000, 10_000, 100_000] as const;

/** Measures both tables. The database is left as it was. */
export async function measureFeatidComparison(databaseUrl: string, modelsDir: string): Promise<Section[]> {
  const at = operatingPoint(readPack(DEFAULT_PACK, modelsDir), 1e-3);
  const db = createDatabase(databaseUrl);
  try {
    return [await measureHundred(db, at), measureComparisons()];
  } finally {
    await db.destroy();
  }
}

async function measureHundred(db: Database, at: OperatingPoint): Promise<Section> {
  const masterKeys = createMasterKeyRing([randomBytes(32)]);
  const accountStore = createAccountStore(db);
  const accounts = createAccounts({ accounts: accountStore, apiKeys: createApiKeyStore(db), masterKeys });
  const made = await accounts.create({ name: `bench ${randomBytes(6).toString('hex')}` }, 'operator');
  if (made.status !== 'created') throw new Error(made.status);
  const { accountId } = made;
  const store = createFeatidStore(db);
  const featids = createFeatids({
    keys: createAccountKeys({ masterKeys, store: accountStore }),
    keyShredder: { shredNow: async () => {} },
    store,
    region: 'au',
    usablePacks: [at.packId],
  });
  try {
    const strings = await enrol(db, featids, accountId, at.packId);
    const times = await timeSteps({ db, featids, store, strings, accountId, at });
    return hundredSection(times);
  } finally {
    await db.deleteFrom('account').where('id', '=', accountId).execute();
  }
}

/** Milliseconds per round, by step. */
type Times = Record<'parse' | 'query' | 'derive' | 'check' | 'compare' | 'note' | 'total', number[]>;

async function timeSteps(parts: {
  db: Database;
  featids: Featids;
  store: FeatidStore;
  strings: readonly string[];
  accountId: string;
  at: OperatingPoint;
}): Promise<Times> {
  const { db, featids, store, strings, accountId, at } = parts;
  const halves = randomBytes(64);
  const probe = randomTemplate(at.packId);
  const times: Times = { parse: [], query: [], derive: [], check: [], compare: [], note: [], total: [] };
  const ids = strings.map((text) => parseFeatid(text)!.id);
  for (let round = -10; round < ROUNDS; round++) {
    const take = async <T>(step: keyof Times, work: () => T | Promise<T>): Promise<T> => {
      const from = performance.now();
      const done = await work();
      // The first rounds only warm up the compiler and the database's cache.
      if (round >= 0) times[step].push(performance.now() - from);
      return done;
    };
    await take('parse', () => strings.map(parseFeatid));
    const rows = await take('query', () => store.findMany(accountId, ids, 0));
    // The same as src/keys/seal.ts does when it opens a record.
    await take('derive', () =>
      rows.map((row) => hkdfSha256(halves, row.sealedTemplate.subarray(1, 33), 'likeness record v1', 44)),
    );
    await take('check', () => featids.check(accountId, strings));
    const opened = await featids.openAll(accountId, strings);
    const templates = opened.map((one) => {
      if (!one.ok) throw new Error(one.code);
      return one;
    });
    await take('compare', () => templates.map((reference) => compareTemplates(probe, reference, at)));
    await take('total', async () => {
      for (const one of await featids.openAll(accountId, strings))
        if (one.ok) compareTemplates(probe, one, at);
    });
  }
  // Done last and less often, because every round leaves dead rows behind.
  for (let round = 0; round < NOTED_ROUNDS; round++) {
    await db.updateTable('featid').set({ last_used_at: null }).where('account_id', '=', accountId).execute();
    const from = performance.now();
    await store.recordUse(accountId, ids);
    times.note.push(performance.now() - from);
  }
  return times;
}

function hundredSection(times: Times): Section {
  const [parse, query, derive, check, compare, note, total] = [
    median(times.parse),
    median(times.query),
    median(times.derive),
    median(times.check),
    median(times.compare),
    median(times.note),
    median(times.total),
  ];
  const sum = check + compare;
  const row = (name: string, ms: number) => [name, ms.toFixed(2), `${((100 * ms) / sum).toFixed(0)} %`];
  return {
    title: 'One probe against 100 FeatureIDs',
    method: `Whole templates (${EMBEDDING_SIZE} values and twelve regions of ${DESCRIPTOR_SIZE}), sealed in PostgreSQL on the same machine; medians of ${ROUNDS} rounds, one process. Decryption is the time that checking all of them takes in addition to the steps before it.`,
    columns: ['step', 'ms', 'share'],
    rows: [
      row('read 100 strings', parse),
      row('one query', query),
      row('derive 100 keys', derive),
      row('decrypt, read', check - parse - query - derive),
      row('compare embeddings and regions, decide', compare),
      ['all, in one go (aim ≤ 10)', total.toFixed(2), ''],
      ['once an hour in addition: record the use (one statement)', note.toFixed(2), ''],
    ],
  };
}

/** Nanoseconds per comparison of embeddings, in galleries of several sizes. */
function measureComparisons(): Section {
  const rows = GALLERIES.map((size) => {
    const bytes = new Int8Array(size * EMBEDDING_SIZE);
    for (let at = 0; at < bytes.length; at += 65_536) {
      bytes.set(randomBytes(Math.min(65_536, bytes.length - at)), at);
    }
    const views = Array.from({ length: size }, (_, index) =>
      bytes.subarray(index * EMBEDDING_SIZE, (index + 1) * EMBEDDING_SIZE),
    );
    const probe = randomUnit(EMBEDDING_SIZE);
    const quantised = bytes.slice(0, EMBEDDING_SIZE);
    const copy = new Int8Array(bytes.length);
    const perItem = (work: () => void) => (1e6 * median(timesOf(work, size))) / size;
    return [
      size.toLocaleString('en'),
      perItem(() => sumOfProducts(quantised, bytes)).toFixed(0),
      perItem(() => {
        for (const view of views) cosineSimilarity(probe, view);
      }).toFixed(0),
      // A copy reads and writes each byte; reading alone takes half the time.
      (perItem(() => copy.set(bytes)) / 2).toFixed(1),
    ];
  });
  return {
    title: 'One comparison of embeddings',
    method: `Nanoseconds for ${EMBEDDING_SIZE} values, medians; the bound is the time in which memory delivers the ${EMBEDDING_SIZE} bytes (half of a copy). A judgement compares a float32 probe with an int8 reference, whose norm is computed on the way. A hundred comparisons are a hundredth of the table above, where SIMD (17–27 ns in WebAssembly) would make no noticeable difference.`,
    columns: [
      'references',
      'int8 · int8, plain JavaScript',
      'float32 · int8, as in the judgement',
      'memory bound',
    ],
    rows,
  };
}

function timesOf(work: () => void, size: number): number[] {
  const rounds = Math.max(5, Math.round(300_000 / size));
  return Array.from({ length: rounds }, () => {
    const from = performance.now();
    work();
    return performance.now() - from;
  });
}

/** The best integer product of any row with the probe, as a search over a gallery would compute it. */
function sumOfProducts(probe: Int8Array, rows: Int8Array): number {
  let best = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < rows.length; at += EMBEDDING_SIZE) {
    let [sum, other] = [0, 0];
    for (let i = 0; i < EMBEDDING_SIZE; i += 2) {
      sum = (sum + Math.imul(probe[i]!, rows[at + i]!)) | 0;
      other = (other + Math.imul(probe[i + 1]!, rows[at + i + 1]!)) | 0;
    }
    sum += other;
    if (sum > best) best = sum;
  }
  return best;
}

async function enrol(db: Database, featids: Featids, accountId: string, packId: string): Promise<string[]> {
  const made = await Promise.all(
    Array.from({ length: REFERENCES }, () =>
      featids.create({ accountId, challengeId: null, template: randomTemplate(packId) }),
    ),
  );
  for (const { row } of made) await db.transaction().execute((trx) => insertFeatid(trx, row));
  return made.map(({ featid }) => featid);
}

function randomTemplate(packId: string): FaceTemplate {
  const regions = REGION_NAMES.map((name) => [name, randomUnit(DESCRIPTOR_SIZE)]);
  return { packId, embedding: randomUnit(EMBEDDING_SIZE), regions: Object.fromEntries(regions), frames: 5 };
}

function randomUnit(length: number): Float32Array {
  const bytes = randomBytes(2 * length);
  return normalise(Float32Array.from({ length }, (_, at) => bytes.readInt16LE(2 * at)));
}
