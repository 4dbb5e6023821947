// The judge's runtime sends no telemetry: loading the models leaves no trace of it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..', '..');

test('a process that loads the models writes nothing to the home folder and the temporary folder', () => {
  const home = mkdtempSync(join(tmpdir(), 'likeness-home-'));
  try {
    const temp = join(home, 'tmp');
    mkdirSync(temp);
    // The models are opened before the picture files, which do not exist.
    const { status, stderr } = spawnSync(process.execPath, ['bin/likeness', 'compare', 'a.jpg', 'b.jpg'], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, HOME: home, TMPDIR: temp },
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 2, stderr: 'likeness: cannot read a.jpg: ENOENT\n' });
    expect(readdirSync(home, { recursive: true })).toEqual(['tmp']);
  } finally {
    rmSync(home, { recursive: true });
  }
});

test('a worker thread refuses to load it if the switch did not reach native code', async () => {
  const moduleUrl = pathToFileURL(join(ROOT, 'dist/models/onnx-runtime.js')).href;
  const worker = new Worker(`import(${JSON.stringify(moduleUrl)})`, { eval: true, env: {} });
  const outcome = await new Promise<string>((done) => {
    worker.once('error', (error) => done(error.message));
    worker.once('exit', () => done('loaded'));
  });
  expect(outcome).toMatch(/must be set in the main thread/);
});
