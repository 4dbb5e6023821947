// Vite plugin: writes one file with what the server itself says in the person's language, taken from the page's own
// texts: the document's title, the notices for blocked scripts and for scripts that do not load, and the pages of dead
// links. src/http/documents/capture-html.ts reads it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { directionOf, LANGUAGES, type Language } from '../../../src/contract/languages.ts';
import type { ServerTexts } from '../../../src/contract/server-texts.ts';
import { readTexts } from './messages.ts';

/** @param outDir folder of the build */
export function writeServerTexts(outDir: string): Plugin {
  return {
    name: 'likeness-server-texts',
    apply: 'build',
    closeBundle: {
      order: 'pre',
      sequential: true,
      handler() {
        mkdirSync(outDir, { recursive: true });
        writeFileSync(join(outDir, 'server-texts.json'), JSON.stringify(serverTexts()));
      },
    },
  };
}

/** The server's texts of every language, by tag. */
export function serverTexts(): Record<string, ServerTexts> {
  return Object.fromEntries(LANGUAGES.map((language) => [language, textsOf(language)]));
}

function textsOf(language: Language): ServerTexts {
  const texts = readTexts(language);
  const { deadEnds, failed, tooMany } = texts;
  return {
    direction: directionOf(language),
    documentTitle: texts.documentTitle,
    noScript: texts.noScript,
    late: texts.late,
    retry: failed.retry,
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
