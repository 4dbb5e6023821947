// Vite plugin: what the server itself says in the person's language, taken from the page's own texts: the document's title,
// the word on blocked scripts, and the pages of dead links. One file in the build, read by src/http/capture-html.ts.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { LANGUAGES } from '../../../src/contract/languages.ts';
import type { ServerTexts } from '../../../src/contract/server-texts.ts';
import { loadTexts } from '../texts/load.ts';

/** @param outDir folder of the build */
export function writeServerTexts(outDir: string): Plugin {
  return {
    name: 'likeness-server-texts',
    apply: 'build',
    closeBundle: {
      order: 'pre',
      sequential: true,
      async handler() {
        mkdirSync(outDir, { recursive: true });
        writeFileSync(join(outDir, 'server-texts.json'), JSON.stringify(await serverTexts()));
      },
    },
  };
}

/** The server's texts of every language, by tag. */
export async function serverTexts(): Promise<Record<string, ServerTexts>> {
  const entries = LANGUAGES.map(async (language) => [language, await textsOf(language)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

async function textsOf(language: (typeof LANGUAGES)[number]): Promise<ServerTexts> {
  const texts = await loadTexts(language);
  // English stands in for what cannot be fetched; a build must not.
  if (texts.language !== language) throw new Error(`the texts of ${language} cannot be read`);
  const { deadEnds, failed, tooMany } = texts;
  return {
    direction: texts.direction,
    documentTitle: texts.documentTitle,
    noScript: texts.noScript,
    goBack: texts.goBack,
    deadLinks: {
      unknown: deadEnds.unknown_link,
      completed: deadEnds.used,
      expired: deadEnds.expired,
      cancelled: deadEnds.cancelled,
      busy: tooMany,
      failed: failed.server,
    },
  };
}
