// Templates of LFW's photographs, made once and kept in build/bench: what the measurements of templates work on.
// Resumable: every template is a line of its own, appended as it is made.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { RegionName } from '../src/contract/regions.ts';
import { trackFaces } from '../src/evaluation/face/track.ts';
import { embed } from '../src/evaluation/recognition/embed.ts';
import { templatePackId } from '../src/evaluation/recognition/operating-point.ts';
import type { FaceTemplate } from '../src/evaluation/recognition/template.ts';
import { describeRegions } from '../src/evaluation/regions/describe.ts';
import { loadModels, type Models } from '../src/models/load.ts';

/** A labelled pair of photographs; paths below FACES_DIR. */
export interface Pair {
  readonly fileA: string;
  readonly fileB: string;
  readonly same: boolean;
}

interface Line {
  readonly file: string;
  /** Base64 of float32, or null where no template could be made. */
  readonly embedding: string | null;
  readonly regions: Partial<Record<RegionName, string>>;
}

/** LFW's pairs of `FACES_DIR/pairs/pairs.csv`. */
export function readLfwPairs(facesDir: string): Pair[] {
  const [, ...lines] = readFileSync(join(facesDir, 'pairs/pairs.csv'), 'utf8').trim().split(/\r?\n/);
  return lines
    .map((line) => line.split(','))
    .filter(([, , , set]) => set === 'lfw')
    .map(([fileA, fileB, same]) => ({ fileA: fileA!, fileB: fileB!, same: same === '1' }));
}

/** Templates by file of every photograph of the pairs that shows a face: of the largest where there are several. */
export async function lfwTemplates(places: {
  facesDir: string;
  modelsDir: string;
  cacheDir: string;
}): Promise<Map<string, FaceTemplate>> {
  const { facesDir, modelsDir, cacheDir } = places;
  const files = new Set(readLfwPairs(facesDir).flatMap(({ fileA, fileB }) => [fileA, fileB]));
  const models = await loadModels({ modelsDir, threads: 1 });
  try {
    const packId = templatePackId(models.recognisers[0].pack);
    const cache = join(cacheDir, `lfw-${packId}.jsonl`);
    const kept = readCache(cache);
    const missing = [...files].filter((file) => !kept.has(file));
    mkdirSync(cacheDir, { recursive: true });
    for (const [done, file] of missing.entries()) {
      const line = lineOf(file, await makeTemplate(models, join(facesDir, file), packId));
      appendFileSync(cache, `${JSON.stringify(line)}\n`);
      kept.set(file, line);
      if (done % 200 === 0) process.stderr.write(`LFW templates: ${done} of ${missing.length}\n`);
    }
    const templates = [...kept.values()].filter(({ file }) => files.has(file));
    return new Map(templates.flatMap((line) => templateOf(line, packId) ?? []));
  } finally {
    await models.close();
  }
}

async function makeTemplate(models: Models, path: string, packId: string): Promise<FaceTemplate | null> {
  const { data, info } = await sharp(path)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const frame = { timeMs: 0, width: info.width, height: info.height, rgb: new Uint8Array(data) };
  const [observation] = await trackFaces(models, [frame]);
  if (!observation?.face) return null;
  const embedding = await embed(models.recognisers[0], frame, observation.face);
  return { packId, embedding, regions: await describeRegions(models, frame, observation.face) };
}

function readCache(path: string): Map<string, Line> {
  if (!existsSync(path)) return new Map();
  const lines = readFileSync(path, 'utf8').split('\n');
  // What stands after the last line feed is a line that was not finished.
  return new Map(
    lines.slice(0, -1).flatMap((text) => {
      const line = parseLine(text);
      return line ? [[line.file, line] as const] : [];
    }),
  );
}

/** Undefined for a line that a killed run cut off and the next one went on from. */
function parseLine(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined;
  }
}

function lineOf(file: string, template: FaceTemplate | null): Line {
  const regions = Object.entries(template?.regions ?? {}).map(([name, values]) => [name, encode(values)]);
  return { file, embedding: template && encode(template.embedding), regions: Object.fromEntries(regions) };
}

function templateOf(
  { file, embedding, regions }: Line,
  packId: string,
): [[string, FaceTemplate]] | undefined {
  if (!embedding) return undefined;
  const decoded = Object.entries(regions).map(([name, text]) => [name, decode(text)]);
  return [[file, { packId, embedding: decode(embedding), regions: Object.fromEntries(decoded) }]];
}

const encode = (values: Float32Array): string =>
  Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString('base64');

function decode(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  return new Float32Array(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer,
  );
}
