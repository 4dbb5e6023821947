// `likeness featids import` on real pictures: a line for each, FeatureIDs that open, and a run that resumes after it
// was killed at the worst moment.
import { copyFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { composeServices, type Services } from '../../../src/composition/services.ts';
import { generateFeatid } from '../../../src/featid/featid-text.ts';
import { parseCsv } from '../../../src/lab/csv.ts';
import { runLikeness } from '../../support/command-line.ts';
import { FACES_DIR, facePath, HAS_FACES } from '../../support/faces.ts';
import { createTestFoundation, type TestFoundation } from '../../support/foundation.ts';

describe.skipIf(!HAS_FACES)(`featids import (FACES_DIR: ${FACES_DIR})`, () => {
  let foundation: TestFoundation;
  let services: Services;
  let folder: string;
  let accountId: string;

  beforeAll(async () => {
    foundation = await createTestFoundation();
    services = composeServices(foundation);
    const made = await foundation.accounts.create({ name: 'importer' }, 'test');
    if (made.status !== 'created') throw new Error('no account');
    accountId = made.accountId;
    folder = await mkdtemp(join(tmpdir(), 'likeness-import-'));
    const given = { 'a.webp': 'webp.webp', 'b.jpg': 'gray.jpg', 'c.jpg': 'not_an_image.jpg' };
    for (const [name, file] of Object.entries(given))
      await copyFile(facePath(`negative/malformed/${file}`), join(folder, name)).catch(() =>
        writeFile(join(folder, name), 'no picture'),
      );
    const rows = ['a.webp,"one, of many"', 'b.jpg,two', 'c.jpg,three', 'missing.jpg,four', 'a.webp,five'];
    await writeFile(join(folder, 'pictures.csv'), `file,reference\n${rows.join('\n')}\n`);
  });
  afterAll(async () => {
    await services?.close();
    await foundation?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const out = () => join(folder, 'featids.csv');
  const run = (csv = 'pictures.csv', account = 'importer') =>
    runLikeness(
      [
        ['featids', 'import', '--account', account, '--csv', join(folder, csv), '--root', folder],
        ['--out', out(), '--json'],
      ].flat(),
      foundation.environment,
    );
  const lines = async () =>
    parseCsv(await readFile(out(), 'utf8'), out(), ['featid']).map(({ values }) => values);

  it('makes FeatureIDs, names each refusal, and resumes where it was cut off', async () => {
    const first = await run();
    expect(first.code).toBe(3);
    expect(JSON.parse(first.stdout)).toMatchObject({ made: 3, refused: 2, earlier: 0 });
    expect(first.stderr).toContain('c.jpg: picture_not_supported');
    expect(first.stderr).toContain('missing.jpg: file_unreadable');
    expect((await stat(out())).mode & 0o777).toBe(0o600);
    const made = await lines();
    expect(made.map(({ file, reference, refused }) => [file, reference, refused])).toEqual([
      ['a.webp', 'one, of many', ''],
      ['b.jpg', 'two', ''],
      ['c.jpg', 'three', 'picture_not_supported'],
      ['missing.jpg', 'four', 'file_unreadable'],
      ['a.webp', 'five', ''],
    ]);
    const featids = made.flatMap(({ featid }) => featid || []);
    expect(await services.featids.check(accountId, featids)).toMatchObject(
      featids.map(() => ({ ok: true, source: 'image' })),
    );

    // Killed between the string and the row: the last line's FeatureID does not exist, and half a line follows.
    const text = await readFile(out(), 'utf8');
    const kept = text.trimEnd().split('\n').slice(0, -1).join('\n');
    await writeFile(out(), `${kept}\na.webp,five,${generateFeatid().text},,\nb.jp`);
    const second = await run();
    expect(JSON.parse(second.stdout)).toMatchObject({ made: 1, refused: 0, earlier: 4 });
    const again = await lines();
    expect(again.slice(0, 4)).toEqual(made.slice(0, 4));
    expect(await services.featids.check(accountId, [again[4]!.featid!])).toMatchObject([{ ok: true }]);
    const last = await run();
    expect(JSON.parse(last.stdout)).toMatchObject({ made: 0, refused: 0, earlier: 5 });
    // As long as the file names refused pictures.
    expect(last.code).toBe(3);
  }, 60_000);

  it('says what is wrong with its input, and touches no file that it did not write', async () => {
    await writeFile(join(folder, 'no-reference.csv'), 'file\na.webp\n');
    expect(await run('no-reference.csv')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('reference'),
    });
    expect(await run('pictures.csv', 'nobody')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no account nobody'),
    });
    await writeFile(out(), 'my own notes\n');
    expect(await run()).toMatchObject({ code: 2, stderr: expect.stringContaining('was not written by') });
    expect(await readFile(out(), 'utf8')).toBe('my own notes\n');
  });
});
