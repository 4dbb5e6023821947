// `likeness assets adopt` on a real database and a real folder: after it, the service takes the place for its own.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assetsCommand } from '../../src/cli/assets.ts';
import { withFoundation } from '../../src/cli/with-foundation.ts';
import { composeServices } from '../../src/composition/services.ts';
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

test('a place without the mark is refused with what to do, and is the store once it is adopted', async () => {
  await check();
  const assets = join(deployment.dataDir, 'assets');
  await rm(assets, { recursive: true });
  await mkdir(assets);
  await expect(check()).rejects.toThrow(/not mounted.*likeness assets adopt/);
  const answer = JSON.parse(await runCommand([assetsCommand()], ['assets', 'adopt', '--json']));
  expect(answer).toEqual({ store: assets, mark: expect.stringMatching(/^[0-9a-f]{32}$/) });
  await check();
  // Twice is once.
  expect(JSON.parse(await runCommand([assetsCommand()], ['assets', 'adopt', '--json']))).toEqual(answer);
});
