// Shared by commands that judge files: loading models, reading inputs, and showing comparisons.
import { readFile, stat } from 'node:fs/promises';
import { Compile } from 'typebox/compile';
import { readPacksInUse } from '../composition/packs-in-use.ts';
import { readConfigOffline } from '../config/read-config.ts';
import { Script } from '../contract/script.ts';
import type { FaceTemplate } from '../evaluation/recognition/template.ts';
import { type MediaOptions, templateOfMedia } from '../evaluation/template-of-media.ts';
import { parseFeatid } from '../featid/featid-text.ts';
import { loadModels, type Models } from '../models/load.ts';
import { orUsage, UsageError } from './usage-error.ts';

/** The decoder uses the other core, and more threads per network cost more in waiting than they gain. */
const THREADS = 1;

/** Opens a FeatureID given instead of a file. Commands with a database provide it. */
export type OpenFeatid = (
  text: string,
) => Promise<{ status: 'opened'; template: FaceTemplate } | { status: 'refused'; reason: string }>;

/** A template, or the reason why there is none, as text for the shell. */
export type Opened = { status: 'made'; template: FaceTemplate } | { status: 'unusable'; reason: string };

/**
 * Reads the input, loads the models (which takes most of a second), runs `work` and frees them. Prints usage errors and
 * sets exit code 2.
 */
export function withModels<Input>(
  read: () => Promise<Input>,
  work: (models: Models, input: Input) => Promise<number>,
): Promise<void> {
  return orUsage(async () => {
    const input = await read();
    const config = readConfigOffline(process.env);
    const models = await loadModels({
      modelsDir: config.modelsDir,
      threads: THREADS,
      packs: readPacksInUse(config),
      padPack: config.PAD_PACK,
    });
    try {
      process.exitCode = await work(models, input);
    } finally {
      await models.close();
    }
  });
}

/** Rejects unless each input is a FeatureID or a regular file. */
export async function checkMedia(inputs: readonly string[]): Promise<void> {
  for (const input of inputs)
    if (!parseFeatid(input) && !(await stat(input)).isFile())
      throw new UsageError(`${input} is not a regular file`);
}

/** Reads and validates a script file. */
export async function readScript(path: string): Promise<Script> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UsageError(`${path} is not JSON`);
  }
  const schema = Compile(Script);
  const [fault] = schema.Errors(value);
  if (fault) throw new UsageError(`${path} is not a script: ${fault.instancePath || '/'} ${fault.message}`);
  const script = value as Script;
  const ordered = script.steps.every(
    ({ from_ms, to_ms }, i) => from_ms < to_ms && from_ms >= (script.steps[i - 1]?.to_ms ?? 0),
  );
  if (!ordered) throw new UsageError(`${path} is not a script: its steps must follow each other in time`);
  return script;
}

/** Opens a reference: a FeatureID if the text is one, otherwise a photograph or a video. */
export async function openReference(
  reference: string,
  models: Models,
  openFeatid?: OpenFeatid,
  subject: MediaOptions['subject'] = 'only',
): Promise<Opened> {
  if (parseFeatid(reference)) {
    if (!openFeatid) throw new UsageError('FeatureIDs can be compared only with access to the database');
    const opened = await openFeatid(reference);
    return opened.status === 'opened'
      ? { status: 'made', template: opened.template }
      : { status: 'unusable', reason: opened.reason };
  }
  return templateOfMedia(reference, models, { subject });
}

/** Two lines: the regions that are alike and those that are not. */
export function regionLines(features: Readonly<Record<string, string>>): string[] {
  const named = (result: string) =>
    Object.keys(features)
      .filter((name) => features[name] === result)
      .join(', ') || 'none';
  return [`  alike: ${named('Pass')}`, `  not alike: ${named('Fail')}`];
}

/** Rounds to `digits` decimals, for output. */
export function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
