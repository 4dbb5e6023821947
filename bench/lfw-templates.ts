// Templates of LFW's photographs, made once and kept in build/bench: what the measurements of templates work on.
// Resumable: every template is a line of its own, appended as it is made.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RegionName } from '../src/contract/regions.ts';
import { templatePackId } from '../src/evaluation/recognition/operating-point.ts';
import type { FaceTemplate } from '../src/evaluation/recognition/template.ts';
import { templateOfMedia } from '../src/evaluation/template-of-media.ts';
import { DEFAULT_PACK, loadModels } from '../src/models/load.ts';
import { readPack } from '../src/models/packs/read-pack.ts';

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

/** Templates by file of every photograph of the pairs that gives one. Makes those that are not kept yet. */
export async function lfwTemplates(places: {
  facesDir: string;
  modelsDir: string;
  cacheDir: string;
}): Promise<Map<string, FaceTemplate>> {
  const { facesDir, modelsDir, cacheDir } = places;
  const packId = templatePackId(readPack(DEFAULT_PACK, modelsDir));
  const cache = join(cacheDir, `lfw-${packId}.jsonl`);
  const files = new Set(readLfwPairs(facesDir).flatMap(({ fileA, fileB }) => [fileA, fileB]));
  const kept = readCache(cache);
  const missing = [...files].filter((file) => !kept.has(file));
  if (missing.length > 0) {
    mkdirSync(dirname(cache), { recursive: true });
    const models = await loadModels({ modelsDir, threads: 1 });
    try {
      for (const [done, file] of missing.entries()) {
        const made = await templateOfMedia(join(facesDir, file), models);
        const line = lineOf(file, made.status === 'made' ? made.template : null);
        appendFileSync(cache, `${JSON.stringify(line)}\n`);
        kept.set(file, line);
        if (done % 200 === 0) process.stderr.write(`LFW templates: ${done} of ${missing.length}\n`);
      }
    } finally {
      await models.close();
    }
  }
  const templates = [...kept.values()]
    .filter(({ file }) => files.has(file))
    .map((line) => templateOf(line, packId));
  return new Map(templates.flatMap((entry) => (entry ? [entry] : [])));
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

function templateOf({ file, embedding, regions }: Line, packId: string): [string, FaceTemplate] | undefined {
  if (!embedding) return undefined;
  const decoded = Object.entries(regions).map(([name, text]) => [name, decode(text)]);
  const template = {
    packId,
    embedding: decode(embedding),
    regions: Object.fromEntries(decoded),
  };
  return [file, template];
}

const encode = (values: Float32Array): string =>
  Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString('base64');

function decode(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  return new Float32Array(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer,
  );
}
