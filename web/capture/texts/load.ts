// Loads languages one at a time: English comes with the page, so that there is always one; any other on demand.
import { LANGUAGES, type Language } from '../../../src/contract/languages.ts';
import english from '../messages/en.json' with { type: 'json' };
import { within } from '../time/within.ts';
import { type CompiledMessages, readyTexts } from './ready.ts';
import type { Messages, Texts } from './texts.ts';

type Loader = () => Promise<{ readonly default: Messages }>;

/** A language that lacks a message of the English file does not compile. */
const LOADERS: Readonly<Record<Exclude<Language, 'en'>, Loader>> = {
  es: () => import('../messages/es.json', { with: { type: 'json' } }),
  fr: () => import('../messages/fr.json', { with: { type: 'json' } }),
  de: () => import('../messages/de.json', { with: { type: 'json' } }),
  pt: () => import('../messages/pt.json', { with: { type: 'json' } }),
  it: () => import('../messages/it.json', { with: { type: 'json' } }),
  nl: () => import('../messages/nl.json', { with: { type: 'json' } }),
  pl: () => import('../messages/pl.json', { with: { type: 'json' } }),
  tr: () => import('../messages/tr.json', { with: { type: 'json' } }),
  ar: () => import('../messages/ar.json', { with: { type: 'json' } }),
  hi: () => import('../messages/hi.json', { with: { type: 'json' } }),
  id: () => import('../messages/id.json', { with: { type: 'json' } }),
  vi: () => import('../messages/vi.json', { with: { type: 'json' } }),
  'zh-Hans': () => import('../messages/zh-Hans.json', { with: { type: 'json' } }),
  ja: () => import('../messages/ja.json', { with: { type: 'json' } }),
  ko: () => import('../messages/ko.json', { with: { type: 'json' } }),
};

/**
 * A few kilobytes that have not arrived by then are not waited for: nothing is on the screen yet. Chosen, not measured.
 */
const PATIENCE_MS = 8_000;

/** A language's texts; English if they cannot be fetched, because the check must go on. */
export async function loadTexts(language: Language): Promise<Texts> {
  if (language === 'en') return ready('en', english);
  try {
    const loaded = await within(PATIENCE_MS, LOADERS[language](), null);
    return loaded ? ready(language, loaded.default) : ready('en', english);
  } catch {
    return ready('en', english);
  }
}

/** To the TypeScript compiler these are the files' messages; the build has replaced them by compiled ones. */
function ready(language: Language, messages: Messages): Texts {
  return readyTexts(language, messages as unknown as CompiledMessages);
}

/** The language that the server wrote into the page's root element. */
export function pageLanguage(root: HTMLElement): Language {
  return LANGUAGES.find((language) => language === root.lang) ?? 'en';
}
