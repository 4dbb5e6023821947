// What `likeness doctor` says of the decoder, observed from inside the sandbox, so that it claims no more than is true.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test, vi } from 'vitest';
import { readConfig } from '../../src/config/read-config.ts';
import { findConfinement } from '../../src/confined/confinement.ts';
import { mediaTool } from '../../src/confined/program.ts';
import { checkDecoder } from '../../src/doctor/decoder.ts';

const config = readConfig({ DATA_DIR: resolve('no-such-folder') });

test('warns of a decoder with our own rights, and says what it can reach and how to fix that', async () => {
  const found = await checkDecoder(config, { by: 'limits', wrapper: [] });
  expect(found).toMatchObject({ status: 'warning', mend: expect.stringContaining('bubblewrap') });
  for (const open of ['gain privileges', 'reach the network', 'the private files of its user']) {
    expect(found.detail.split('; but ')[1]).toContain(open);
  }
  expect(found.detail).toContain('a bare environment');
});

test.runIf(process.getuid?.() === 0)(
  'a separate user protects private files, but not the network',
  async () => {
    // A user of its own: a decoder that runs beside this one would be another process that it can read.
    const wrapper = ['setpriv', '--reuid=65400', '--regid=65400', '--clear-groups', '--no-new-privs'];
    const found = await checkDecoder(config, { by: 'setpriv', wrapper });
    expect(found.detail).toMatch(
      /as uid 65400: no privileges, no other process, no private file, .*; but it can reach the network$/,
    );
  },
);

test('examines the decoder in use, and leaves nothing behind', async () => {
  const confinement = await findConfinement(mediaTool('ffmpeg'));
  const temporary = await mkdtemp(join(tmpdir(), 'likeness-check-'));
  vi.stubEnv('TMPDIR', temporary);
  const found = await checkDecoder(config, confinement);
  const expected = {
    bubblewrap: 'in bubblewrap',
    namespaces: 'in namespaces',
    setpriv: 'by setpriv',
    limits: 'under resource',
  };
  expect(found.detail).toContain(expected[confinement.by]);
  if (confinement.by === 'bubblewrap') expect(found.status).toBe('ok');
  vi.unstubAllEnvs();
  expect(await readdir(temporary)).toEqual([]);
  await rm(temporary, { recursive: true });
});
