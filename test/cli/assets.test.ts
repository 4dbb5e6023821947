// `likeness assets adopt` on a real database and a real folder: afterwards the service accepts the place as its asset
// store.
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/base/ids.ts';
import { assetsCommand } from '../../src/cli/assets.ts';
import { composeServices } from '../../src/composition/services.ts';
import { withFoundation } from '../../src/composition/with-foundation.ts';
import { createDiskBlobs } from '../../src/storage/assets/disk-blobs.ts';
import { createDeployment, runCommand, type TestDeployment } from '../support/command-line.ts';

let deployment: TestDeployment;

beforeAll(async () => {
  deployment = await createDeployment();
});
afterAll(() => deployment?.remove());

const check = () =>
  withFoundation(async (foundation) => {
    const services = composeServices(foundation);
    try {
      await services.challengeParts.assets.check();
    } finally {
      await services.close();
    }
  });

test('refuses a place without the mark, says what to do, and uses it as the store once it is adopted', async () => {
  await check();
  const assets = join(deployment.dataDir, 'assets');
  await rm(assets, { recursive: true });
  await mkdir(assets);
  await expect(check()).rejects.toThrow(/not mounted.*likeness assets adopt/);
  const answer = JSON.parse(await runCommand([assetsCommand()], ['assets', 'adopt', '--json']));
  expect(answer).toEqual({
    store: assets,
    mark: expect.stringMatching(/^[0-9a-f]{32}$/),
    newest_assets: 0,
    found: 0,
  });
  await check();
  // Adopting twice has the same result.
  expect(JSON.parse(await runCommand([assetsCommand()], ['assets', 'adopt', '--json']))).toEqual(answer);
});

test('adopt counts the newest assets it finds, and says that missing ones may be in another place', async () => {
  const id = newId('asset');
  const blobs = createDiskBlobs(join(deployment.dataDir, 'assets'));
  await blobs.write(id, Buffer.from('a video'));
  await withFoundation(async ({ accounts, database }) => {
    const created = await accounts.create({ name: 'shop', displayName: 'Shop' }, 'operator');
    const account_id = (created as { accountId: string }).accountId;
    const asset = { id, account_id, kind: 'liveness_video', mime_type: 'video/webm', size_bytes: 7 } as const;
    await database.db
      .insertInto('asset')
      .values({ ...asset, sealed_key: Buffer.from('x') })
      .execute();
  });
  const adopt = () => runCommand([assetsCommand()], ['assets', 'adopt']);
  expect(await adopt()).toMatch(/it has 1 of the 1 newest assets\n$/);
  await rename(join(deployment.dataDir, 'assets', id.slice(-2)), join(deployment.dataDir, 'assets', 'other'));
  expect(await adopt()).toMatch(
    /it has 0 of the 1 newest assets\nunless the others are lost, they are under other paths/,
  );
});
