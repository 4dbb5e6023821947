// What is gathered from a clip, recorded once and read by every later run. The key is the clip's bytes, the settings,
// the networks, the decoder, the processor and the gathering code. Under build/, because it contains faces.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { arch, cpus } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { EvidenceStore } from '../../bench/pad-evidence.ts';
import type { Script } from '../../src/contract/script.ts';
import type { Reference } from '../../src/evaluation/compare.ts';
import type { Gathered } from '../../src/evaluation/gather.ts';
import { judgeGathered, settingsFor } from '../../src/evaluation/judge.ts';
import type { VideoEvidence } from '../../src/evaluation/liveness/evidence.ts';
import { DEFAULT_SETTINGS, type EvaluationSettings } from '../../src/evaluation/settings.ts';
import type { Models } from '../../src/models/load.ts';
import { ffmpegVersion } from './video/make-clip.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');
const FOLDER = join(ROOT, 'build', 'test-evidence');
const GATHERS = join(ROOT, 'src', 'evaluation', 'gather.ts');

/** Models and their folder, whose name identifies their bytes (test/support/compiled-models.ts). */
export interface LoadedModels {
  readonly models: Models;
  readonly modelsDir: string;
}

/**
 * How a file's tests judge: like `judge`, with the video's evidence from an earlier run if there is one. Default
 * settings. Throws if the video cannot be judged.
 */
export const judgedBy =
  (held: LoadedModels) =>
  async (video: string, script: Script | null, references: readonly Reference[] = []) => {
    const gathered = await recorded(video, settingsFor(script), held);
    const judgement = await judgeGathered(gathered, { script, references }, held.models);
    if (judgement.status !== 'judged') throw new Error(judgement.reason);
    return judgement;
  };

/** What is gathered from a video with default settings. Throws if it cannot be judged. */
export async function evidenceOf(video: string, held: LoadedModels): Promise<VideoEvidence> {
  const gathered = await recorded(video, DEFAULT_SETTINGS, held);
  if (gathered.status !== 'gathered') throw new Error(gathered.reason);
  return gathered.evidence;
}

async function recorded(
  path: string,
  settings: EvaluationSettings,
  { models, modelsDir }: LoadedModels,
): Promise<Gathered> {
  const version = versionOf(modelsDir);
  const store = new EvidenceStore(join(FOLDER, version, nameOf(settings)), models, settings);
  for (const former of readdirSync(FOLDER))
    if (former !== version) rmSync(join(FOLDER, former), { recursive: true, force: true });
  await store.gather(path);
  return store.kept(path)!;
}

let version: string | undefined;
function versionOf(modelsDir: string): string {
  version ??= hashOf([
    basename(modelsDir),
    ffmpegVersion(),
    arch(),
    cpus()[0]?.model ?? '',
    ...sourcesBehind(GATHERS),
  ]);
  return version;
}

function nameOf({ video: { tempDir: _anywhere, ...video }, templateFrames }: EvaluationSettings): string {
  return hashOf([JSON.stringify({ video, templateFrames })]);
}

/** The texts of a source file and of all project files that it imports. */
function sourcesBehind(file: string): string[] {
  const texts = new Map<string, string>();
  const read = (path: string) => {
    if (texts.has(path)) return;
    const text = readFileSync(path, 'utf8');
    texts.set(path, text);
    for (const [, imported] of text.matchAll(/ from '(\.[^']+)';/g)) read(join(dirname(path), imported!));
  };
  read(file);
  return [...texts.values()];
}

function hashOf(parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex').slice(0, 16);
}
