// A decoder that its separate user cannot find runs under limits alone: the service says so.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import type { Logger } from '../../src/base/log.ts';
import { warnOfReach } from '../../src/composition/decoders.ts';
import { findConfinement } from '../../src/confined/confinement.ts';
import { mediaTool } from '../../src/confined/program.ts';

const folder = mkdtempSync(join(tmpdir(), 'likeness-closed-'));
writeFileSync(join(folder, 'decoder.sh'), 'exit 0', { mode: 0o644 });
afterAll(() => rmSync(folder, { recursive: true }));

it('warns of a program in a folder that only root can enter, unless bubblewrap shows it', async () => {
  const path = join(folder, 'decoder.sh');
  const program = { path: '/bin/sh', files: [path], limits: 'true', trial: [path] };
  const warn = vi.fn();
  await warnOfReach(program, 'pictures', { warn } as unknown as Logger);
  const videos = (await findConfinement(mediaTool('ffmpeg'))).by;
  const needsAnother = process.getuid?.() === 0 && videos !== 'bubblewrap';
  const by = needsAnother ? 'limits' : videos;
  expect((await findConfinement(program)).by).toBe(by);
  const warning = expect.stringMatching(/^the decoder of pictures can reach more .*likeness doctor/);
  expect(warn.mock.calls).toEqual(['limits', 'setpriv'].includes(by) ? [[{ by }, warning]] : []);
});
