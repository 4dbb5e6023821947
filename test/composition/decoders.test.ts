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

const warned = async (path: string) => {
  const program = { path: '/bin/sh', files: [path], limits: 'true', trial: [path] };
  const warn = vi.fn();
  await warnOfReach(program, 'pictures', { warn } as unknown as Logger);
  return { program, warnings: warn.mock.calls };
};

it('warns of a program in a folder that only root can enter, unless bubblewrap shows it', async () => {
  const { program, warnings } = await warned(join(folder, 'decoder.sh'));
  const { by } = await findConfinement(mediaTool('ffmpeg'));
  const shown = by === 'bubblewrap' || (by === 'namespaces' && process.getuid?.() !== 0);
  expect((await findConfinement(program)).by).toBe(shown ? by : 'limits');
  expect(warnings.length).toBe(shown ? 0 : 1);
  if (!shown) expect(warnings[0]![1]).toMatch(/^the decoder of pictures can reach more .*likeness doctor/);
});
