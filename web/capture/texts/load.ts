// Languages come one by one: English with the page, so that there is always one, every other when it is asked for.
import { LANGUAGES, type Language } from '../../../src/contract/languages.ts';
import { texts as english } from './en.ts';
import type { Texts } from './texts.ts';

type Loader = () => Promise<{ readonly texts: Texts }>;

const LOADERS: Readonly<Record<Exclude<Language, 'en'>, Loader>> = {
  es: () => import('./es.ts'),
  fr: () => import('./fr.ts'),
  de: () => import('./de.ts'),
  pt: () => import('./pt.ts'),
  it: () => import('./it.ts'),
  nl: () => import('./nl.ts'),
  pl: () => import('./pl.ts'),
  tr: () => import('./tr.ts'),
  ar: () => import('./ar.ts'),
  hi: () => import('./hi.ts'),
  id: () => import('./id.ts'),
  vi: () => import('./vi.ts'),
  'zh-Hans': () => import('./zh-Hans.ts'),
  ja: () => import('./ja.ts'),
  ko: () => import('./ko.ts'),
};

/** A language's texts; English where they cannot be fetched, for the check must go on. */
export async function loadTexts(language: Language): Promise<Texts> {
  if (language === 'en') return english;
  try {
    return (await LOADERS[language]()).texts;
  } catch {
    return english;
  }
}

/** The language that the server wrote into the page's root element. */
export function pageLanguage(root: HTMLElement): Language {
  return LANGUAGES.find((language) => language === root.lang) ?? 'en';
}
