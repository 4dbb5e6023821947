// Describes what judges here, for receipts: versions and hashes of everything that a value may depend on.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpus } from 'node:os';
import { promisify } from 'node:util';
import { canonicalJson } from '../base/canonical-json.ts';
import type { Engine } from '../contract/receipt.ts';
import type { Models } from '../models/load.ts';
import { ORT_VERSION } from '../models/onnx-runtime.ts';
import { templatePackId } from './recognition/operating-point.ts';
import type { EvaluationSettings } from './settings.ts';

/** Describes this engine; `version` is the code's. Rejects if the decoder cannot be started. */
export async function describeEngine(
  models: Models,
  settings: EvaluationSettings,
  version: string,
): Promise<Engine> {
  const { recognisers, pad } = models;
  const networks = recognisers.flatMap(({ pack }) => pack.manifest.networks);
  const files = [...networks, ...(pad?.manifest.networks ?? [])];
  return {
    version,
    models: [...models.files, ...files.map(({ file, sha256 }) => ({ id: file, sha256 }))],
    recognisers: recognisers.map(({ pack }) => ({
      id: templatePackId(pack),
      calibration_sha256: pack.calibration && hashOf(pack.calibration),
    })),
    pad: pad && { id: pad.manifest.name, sha256: hashOf(pad.manifest) },
    target_fmr: settings.targetFmr,
    runtime: {
      node: process.versions.node,
      onnxruntime: ORT_VERSION,
      ffmpeg: await ffmpegVersion(settings.video.ffmpegPath),
      processor: `${process.arch} ${cpus()[0]?.model ?? ''}`.trim(),
    },
  };
}

/** What differs between two engines and may change a value, in words; empty if nothing does. */
export function differences(made: Engine, here: Engine): string[] {
  const found: string[] = [];
  const compare = (what: string, one: unknown, other: unknown) => {
    if (canonicalJson(one) !== canonicalJson(other)) found.push(what);
  };
  compare(`the version: ${made.version}, here ${here.version}`, made.version, here.version);
  const hashes = new Map(here.models.map(({ id, sha256 }) => [id, sha256]));
  for (const { id, sha256 } of made.models) compare(`the network ${id}`, sha256, hashes.get(id) ?? null);
  compare('the set of networks', made.models.length, here.models.length);
  compare('recognisers or their calibration', made.recognisers, here.recognisers);
  compare('the PAD pack', made.pad, here.pad);
  return found;
}

async function ffmpegVersion(path: string): Promise<string> {
  const { stdout } = await promisify(execFile)(path, ['-hide_banner', '-version']);
  return stdout.split(' Copyright')[0]!.replace('ffmpeg version ', '');
}

const hashOf = (value: unknown): string => createHash('sha256').update(canonicalJson(value)).digest('hex');
