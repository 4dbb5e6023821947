// docs/featid-format.md by its test vectors: strings, packed templates, and a sealed record with its key check.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toBase62 } from '../../src/base/checked-token.ts';
import { REGION_NAMES } from '../../src/contract/regions.ts';
import { parseFeatid } from '../../src/featid/featid-text.ts';
import { createFeatids } from '../../src/featid/featids.ts';
import { packTemplate, readTemplate, unpackTemplate } from '../../src/featid/template.ts';
import { createAccountKeys } from '../../src/keys/account-keys.ts';
import { createMasterKeyRing } from '../../src/keys/master-key-ring.ts';

const vectors = JSON.parse(readFileSync(join(import.meta.dirname, 'vectors.json'), 'utf8'));
const hex = (text: string) => Buffer.from(text, 'hex');

test.each(vectors.strings as { id: string; key: string; text: string }[])('reads $text', ({
  id,
  key,
  text,
}) => {
  expect(parseFeatid(text)).toEqual({ id: toBase62(hex(id)), key: hex(key) });
  expect(text.length).toBeLessThanOrEqual(96);
});

test.each(vectors.refused as { why: string; text: string }[])('refuses $why', ({ text }) => {
  expect(parseFeatid(text)).toBeUndefined();
});

test('the regions have this order', () => {
  expect([...REGION_NAMES]).toEqual(vectors.regions);
});

test.each(
  vectors.templates as {
    embedding: number[];
    regions: Record<string, number[]>;
    packed: string;
    frames: number;
  }[],
)('reads and packs the template $packed', ({ embedding, regions, packed, frames }) => {
  const template = {
    packId: 'p',
    embedding: Float32Array.from(embedding),
    regions: Object.fromEntries(
      Object.entries(regions).map(([name, values]) => [name, Float32Array.from(values)]),
    ),
    frames: frames === 0 ? null : frames,
  };
  expect(packTemplate(template).toString('hex')).toBe(packed);
  const read = unpackTemplate('p', hex(packed))!;
  expect(Object.keys(read.regions)).toEqual(Object.keys(regions));
  expect(read.frames).toBe(template.frames);
});

test('a sealed record opens only with both keys, in its place; without its template the key check still verifies the key', async () => {
  const { record } = vectors;
  const ring = createMasterKeyRing([Buffer.alloc(32, 1)]);
  const wrapped = await ring.wrap(record.account, hex(record.account_key));
  const keys = createAccountKeys({ masterKeys: ring, store: { readWrappedKey: async () => wrapped } });
  expect((await keys.deriveKey(record.account, 'featid-template')).toString('hex')).toBe(record.account_half);
  const row = {
    id: parseFeatid(record.text)!.id,
    pack: record.pack,
    layout: record.layout,
    source: 'liveness_video' as const,
    keyCheck: hex(record.key_check),
  };
  const open = async (status: 'in_force' | 'tombstone', sealedTemplate: Buffer) => {
    const store = {
      findMany: async () => [
        {
          ...row,
          status,
          sealedTemplate,
          erasureKey: hex(record.erasure_key),
          pausedForSeconds: null,
          isUseRecorded: true,
        },
      ],
      recordUse: async () => {},
      revoke: async () => false,
      unlock: async () => {},
    };
    const featids = createFeatids({
      keys,
      store,
      region: record.region,
      usablePacks: [record.pack],
    });
    return (await featids.openAll(record.account, [record.text]))[0];
  };
  const template = readTemplate(record.pack, hex(record.packed));
  expect(await open('in_force', hex(record.masked))).toEqual({
    ok: true,
    id: row.id,
    source: row.source,
    template,
  });
  expect(await open('tombstone', Buffer.alloc(100))).toEqual({ ok: false, code: 'featid_revoked' });
});
