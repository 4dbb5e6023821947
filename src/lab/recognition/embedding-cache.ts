// Templates of files, kept on disk so that an interrupted measurement can be resumed. They are biometric data: only
// their owner can read the folders and files, and `clear` removes them.
import { chmod, mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashOfCode } from '../code-hash.ts';

/** The template made from one file, or why there is none. */
export type FileTemplate =
  | {
      readonly status: 'made';
      /** Mean embedding as of a probe: unquantised float32, in base64. */
      readonly embedding: string;
      /** The template as a FeatureID stores it, in base64. */
      readonly packed: string;
      readonly frames: number;
    }
  | { readonly status: 'unusable'; readonly reason: string };

export interface EmbeddingCache {
  readonly folder: string;
  read(fileHash: string): Promise<FileTemplate | null>;
  write(fileHash: string, made: FileTemplate): Promise<void>;
  /** Removes the templates of every pack and version. Other files beside them stay. */
  clear(): Promise<void>;
}

/** Names of folders that `openEmbeddingCache` makes: a pack's id with its region layout, and a hash of the code. */
const FOLDER = /^[a-z0-9-]+-[0-9a-f]{12}\.r\d+-[0-9a-f]{12}$/;

/**
 * Opens the cache of one recogniser pack. The folder is named after the pack and a hash of the code, so that templates
 * made by other code are not found.
 */
export async function openEmbeddingCache(cacheDir: string, packId: string): Promise<EmbeddingCache> {
  const folder = join(cacheDir, `${packId}-${await hashOfCode('template')}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // The folder may have existed with another mode. Its parent is left alone, as the operator may use it for other
  // things.
  await chmod(folder, 0o700);
  const place = (fileHash: string) => join(folder, `${fileHash}.json`);
  return {
    folder,
    read: async (fileHash) => {
      try {
        return JSON.parse(await readFile(place(fileHash), 'utf8')) as FileTemplate;
      } catch (error) {
        // Treat a file that is missing or that a crash left incomplete as not cached.
        if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return null;
        throw error;
      }
    },
    write: async (fileHash, made) => {
      const temporary = `${place(fileHash)}.${process.pid}`;
      await writeFile(temporary, JSON.stringify(made), { mode: 0o600 });
      await rename(temporary, place(fileHash));
    },
    clear: () => removeFolders(cacheDir),
  };
}

async function removeFolders(cacheDir: string): Promise<void> {
  const entries = await readdir(cacheDir, { withFileTypes: true });
  const ours = entries.filter((entry) => entry.isDirectory() && FOLDER.test(entry.name));
  for (const { name } of ours) await rm(join(cacheDir, name), { recursive: true });
  // The folder held only ours, so it was made for them.
  if (ours.length === entries.length) await rmdir(cacheDir);
}
