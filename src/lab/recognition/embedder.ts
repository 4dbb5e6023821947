// Makes templates from files on every core, or takes them from the cache. A file is read once for its hash; a child
// process reads it again to make the template.
import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { InputError } from '../csv.ts';
import type { EmbedAnswer, EmbedStart } from './embed-process.ts';
import type { EmbeddingCache, FileTemplate } from './embedding-cache.ts';
import { pathBelow } from './pairs-file.ts';

export interface EmbedOptions extends EmbedStart {
  readonly root: string;
  /** Number of concurrent child processes. */
  readonly jobs: number;
  readonly cache: EmbeddingCache;
  /** Called after each file. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Returns templates by file.
 * @throws InputError if a file cannot be read; Error if a child process fails.
 */
export async function embedFiles(
  files: readonly string[],
  options: EmbedOptions,
): Promise<Map<string, FileTemplate>> {
  const results = new Map<string, FileTemplate>();
  const queue = [...files];
  const lane = async () => {
    let worker: EmbedWorker | null = null;
    try {
      for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
        const hash = await hashOf(pathBelow(options.root, file));
        let made = await options.cache.read(hash);
        if (!made) {
          worker ??= await startWorker(options);
          made = await worker.embed(pathBelow(options.root, file));
          await options.cache.write(hash, made);
        }
        results.set(file, made);
        options.onProgress?.(results.size, files.length);
      }
    } catch (error) {
      // Stop the other lanes too.
      queue.length = 0;
      throw error;
    } finally {
      worker?.stop();
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, options.jobs) }, lane));
  return results;
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path), hash);
  } catch (error) {
    throw new InputError(`cannot read ${path}: ${(error as NodeJS.ErrnoException).code}`);
  }
  return hash.digest('hex');
}

interface EmbedWorker {
  embed(path: string): Promise<FileTemplate>;
  stop(): void;
}

/** Called only if a file is not in the cache, because loading the networks takes a second. */
async function startWorker({ modelsDir, pack }: EmbedStart): Promise<EmbedWorker> {
  const module = join(import.meta.dirname, `embed-process${extname(import.meta.filename)}`);
  const child = fork(module, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const first = await ask(child, { modelsDir, pack });
  if ('fault' in first) {
    child.disconnect();
    throw new Error(first.fault);
  }
  return {
    embed: async (path) => {
      const reply = await ask(child, path);
      if ('made' in reply) return reply.made;
      throw new Error(`${path}: ${'fault' in reply ? reply.fault : 'no answer'}`);
    },
    stop: () => child.disconnect(),
  };
}

function ask(child: ChildProcess, message: EmbedStart | string): Promise<EmbedAnswer> {
  return new Promise((done, fail) => {
    const onMessage = (answer: unknown) => {
      child.off('exit', onExit);
      done(answer as EmbedAnswer);
    };
    const onExit = (code: number | null, signal: string | null) => {
      child.off('message', onMessage);
      fail(new Error(`a process that makes templates ended with ${signal ?? code}`));
    };
    child.once('message', onMessage);
    child.once('exit', onExit);
    child.send(message);
  });
}
