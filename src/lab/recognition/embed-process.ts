// A child process that makes templates from files, one per core. embedder.ts starts it and talks to it over IPC.
import { templateOfMedia } from '../../evaluation/template-of-media.ts';
import { packTemplate } from '../../featid/template.ts';
import { loadModels, type Models } from '../../models/load.ts';
import { readPack } from '../../models/packs/read-pack.ts';
import type { FileTemplate } from './embedding-cache.ts';

/** The first message: what to load. Each later message is one path and is answered before the next is sent. */
export interface EmbedStart {
  readonly modelsDir: string;
  readonly pack: string;
}
export type EmbedAnswer =
  | { readonly ready: true }
  | { readonly made: FileTemplate }
  | { readonly fault: string };

async function templateOf(path: string, models: Models): Promise<FileTemplate> {
  const made = await templateOfMedia(path, models, { subject: 'central' });
  if (made.status !== 'made') return made;
  const { embedding } = made.template;
  return {
    status: 'made',
    embedding: Buffer.from(embedding.buffer, embedding.byteOffset, embedding.byteLength).toString('base64'),
    packed: packTemplate(made.template).toString('base64'),
    frames: made.template.frames ?? 1,
  };
}

function answer(message: EmbedAnswer): void {
  process.send?.(message);
}

let loaded: Promise<Models> | null = null;
process.on('message', (message: EmbedStart | string) => {
  const work = async () => {
    if (typeof message !== 'string') {
      const { modelsDir, pack } = message;
      loaded = loadModels({ modelsDir, threads: 1, packs: [readPack(pack, modelsDir)] });
      await loaded;
      return answer({ ready: true });
    }
    const models = await loaded;
    if (models) answer({ made: await templateOf(message, models) });
  };
  work().catch((error: unknown) => answer({ fault: error instanceof Error ? error.message : String(error) }));
});
// Without the parent there is no more work.
process.on('disconnect', () => process.exit());
