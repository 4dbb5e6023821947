// A child process that makes templates of files: one per core. Started by embedder.ts, spoken to over its channel.
import { templateOfMedia } from '../../evaluation/template-of-media.ts';
import { packTemplate } from '../../featid/template.ts';
import { loadModels, type Models } from '../../models/load.ts';
import { readPack } from '../../models/packs/read-pack.ts';
import type { FileTemplate } from './embedding-cache.ts';

/** First message: what to load. Then one path a message; each is answered before the next is taken. */
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
// The parent is gone: so are its questions.
process.on('disconnect', () => process.exit());
