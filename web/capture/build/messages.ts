// Compiles the message files from ICU MessageFormat: as a Vite plugin for the page, and in Node for the server's texts
// and for tests.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import compile from 'icu-minify/compile';
import type { Plugin } from 'vite';
import type { Language } from '../../../src/contract/languages.ts';
import { type CompiledMessages, readyTexts } from '../texts/ready.ts';
import { SERVER_MESSAGES, type ServerMessages, type Texts } from '../texts/texts.ts';

const folder = join(import.meta.dirname, '../messages');

interface Source {
  readonly [key: string]: string | Source;
}

/** Compiles a tree of messages. Throws SyntaxError if one of them is not ICU MessageFormat. */
function compileMessages(messages: Source): CompiledMessages {
  const entries = Object.entries(messages).map(([key, message]) => [
    key,
    typeof message === 'string' ? compile(message) : compileMessages(message),
  ]);
  return Object.fromEntries(entries);
}

/** Vite plugin: replaces the message files by the compiled messages. */
export function compiledMessages(): Plugin {
  return {
    name: 'likeness-messages',
    enforce: 'pre',
    transform: {
      filter: { id: /\/web\/capture\/messages\/[\w-]+\.json$/ },
      handler: (code) => {
        const messages = JSON.parse(code);
        for (const name of SERVER_MESSAGES) delete messages[name];
        return { code: JSON.stringify(compileMessages(messages)), map: null };
      },
    },
  };
}

/** A language's texts, read from its file. */
export function readTexts(language: Language): Texts & ServerMessages {
  const messages = JSON.parse(readFileSync(join(folder, `${language}.json`), 'utf8'));
  return readyTexts(language, compileMessages(messages)) as Texts & ServerMessages;
}
