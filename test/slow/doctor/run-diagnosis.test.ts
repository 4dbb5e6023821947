import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useDeployment } from '../../doctor/deployment.ts';
import { compiledModelsDir } from '../../support/compiled-models.ts';
import { CAN_MOUNT, mountSmallDisk } from '../../support/small-disk.ts';

const deployment = useDeployment();
const { diagnose } = deployment;

test('reports a pack without a file as failed, and nothing else', async () => {
  const modelsDir = await compiledModelsDir();
  const broken = async (pack: string, file: string) => {
    const folder = join(deployment.dataDir, `broken-${pack}`);
    await cp(join(modelsDir, 'packs', pack), folder, { recursive: true });
    await rm(join(folder, file));
    return folder;
  };
  const pad = await broken('minifasnet', 'minifasnet.onnx');
  expect(await diagnose({ PAD_PACK: pad }, modelsDir)).toMatchObject({
    models: { status: 'ok' },
    recogniser: { status: 'ok', detail: expect.stringContaining('makes new FeatureIDs') },
    PAD: {
      status: 'failed',
      detail: expect.stringContaining(join(pad, 'minifasnet.onnx')),
      mend: expect.stringContaining('PAD_PACK'),
    },
  });
  const recogniser = await broken('mobilefacenet', 'mobilefacenet.onnx');
  expect(await diagnose({ RECOGNISER_PACK: recogniser }, modelsDir)).toMatchObject({
    models: { status: 'ok' },
    PAD: { status: 'ok' },
    recogniser: {
      status: 'failed',
      detail: expect.stringContaining(join(recogniser, 'mobilefacenet.onnx')),
      mend: expect.stringContaining('RECOGNISER_PACK'),
    },
  });
});

test.skipIf(!CAN_MOUNT)(
  'says to free space on a full disk, not to change permissions (mounts a tmpfs)',
  async () => {
    const disk = mountSmallDisk(1);
    try {
      // With the mark of the database's store, which the first diagnosis writes.
      await diagnose();
      await cp(join(deployment.dataDir, 'assets'), join(disk.folder, 'assets'), { recursive: true });
      await writeFile(join(disk.folder, 'fill'), Buffer.alloc(2_000_000)).catch(() => {});
      const found = await diagnose({ DATA_DIR: disk.folder });
      expect(found['asset store']).toMatchObject({
        status: 'failed',
        detail: expect.stringContaining('ENOSPC'),
        mend: expect.stringMatching(/^free some space/),
      });
    } finally {
      disk.remove();
    }
  },
);
