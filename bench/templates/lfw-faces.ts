// LFW's faces as the template measurements need them: the person, the embedding as computed, the template as stored.
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { templatePackId } from '../../src/evaluation/recognition/operating-point.ts';
import type { FaceTemplate } from '../../src/evaluation/recognition/template.ts';
import { unpackTemplate } from '../../src/featid/template.ts';
import { embedFiles } from '../../src/lab/recognition/embedder.ts';
import { openEmbeddingCache } from '../../src/lab/recognition/embedding-cache.ts';
import { DEFAULT_PACK, readPack } from '../../src/models/packs/read-pack.ts';

/** One photograph. */
export interface Face {
  /** Index of the person. */
  readonly person: number;
  /** Unit norm, not quantised. */
  readonly embedding: Float32Array;
  /** The template that its FeatureID would open to. */
  readonly template: FaceTemplate;
  /** The same, packed. */
  readonly packed: Buffer;
}

/** A photograph's embedding and packed template, by its path, `…/lfw/PERSON/FILE`; the person is the folder. */
export interface FileFace {
  readonly file: string;
  readonly embedding: Float32Array;
  readonly packed: Buffer;
}

/**
 * Every photograph of LFW's pairs in FACES_DIR that yields a template. The first run takes minutes; later ones read the
 * cache.
 */
export async function readLfwFaces(facesDir: string, modelsDir: string, cacheDir: string): Promise<Face[]> {
  const pack = readPack(DEFAULT_PACK, modelsDir);
  const packId = templatePackId(pack);
  const files = lfwFiles(facesDir);
  const made = await embedFiles(files, {
    modelsDir,
    pack: DEFAULT_PACK,
    root: facesDir,
    jobs: cpus().length,
    cache: await openEmbeddingCache(cacheDir, packId),
    onProgress: (done, total) => {
      if (done % 500 === 0) process.stderr.write(`LFW: ${done} of ${total}\n`);
    },
  });
  const faces = [...made].flatMap(([file, template]): FileFace[] => {
    if (template.status !== 'made') return [];
    const bytes = Buffer.from(template.embedding, 'base64');
    const embedding = Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(4 * at));
    return [{ file, embedding, packed: Buffer.from(template.packed, 'base64') }];
  });
  return facesOf(faces, packId);
}

/** Numbers the people and unpacks their templates. */
export function facesOf(files: readonly FileFace[], packId: string): Face[] {
  const people = new Map<string, number>();
  return files.map(({ file, embedding, packed }) => {
    const name = file.split('/').at(-2)!;
    const person = people.get(name) ?? people.size;
    people.set(name, person);
    const template = unpackTemplate(packId, packed);
    if (!template) throw new Error(`${file}: a packed template that does not unpack`);
    return { person, embedding, template, packed };
  });
}

function lfwFiles(facesDir: string): string[] {
  const [, ...lines] = readFileSync(join(facesDir, 'pairs/pairs.csv'), 'utf8').trim().split(/\r?\n/);
  const rows = lines.map((line) => line.split(',')).filter(([, , , set]) => set === 'lfw');
  return [...new Set(rows.flatMap(([fileA, fileB]) => [fileA!, fileB!]))];
}
