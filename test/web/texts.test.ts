// The page's languages: one file each, none lacks a sentence, each speaks for itself.
import { describe, expect, it } from 'vitest';
import { acceptedLanguages, chooseLanguage, LANGUAGES } from '../../src/contract/languages.ts';
import { loadTexts } from '../../web/capture/texts/load.ts';
import type { Texts } from '../../web/capture/texts/texts.ts';

const FACTS = { account: 'Harbour Bank', purpose: null, retentionDays: 30 };

/** Every sentence by its place; sentences with something in them are made with a sample of it. */
function sentences(value: unknown, at = ''): [string, string][] {
  if (typeof value === 'string') return [[at, value]];
  if (typeof value === 'function') {
    const sample = at.endsWith('.text')
      ? FACTS
      : /account|lead|checkbox|redirecting/.test(at)
        ? 'Harbour Bank'
        : 3;
    return sentences(value(sample), at);
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => sentences(inner, `${at}.${key}`));
}

describe('languages', () => {
  it.each(LANGUAGES)('%s has every sentence, none empty, and its own numbers', async (language) => {
    const english = sentences(await loadTexts('en'));
    const texts: Texts = await loadTexts(language);
    const own = sentences(texts);
    expect(texts.language).toBe(language);
    expect(texts.direction).toBe(language === 'ar' ? 'rtl' : 'ltr');
    expect(own.map(([at]) => at)).toEqual(english.map(([at]) => at));
    expect(own.filter(([, text]) => text.trim() === '' || /undefined|NaN|#/.test(text))).toEqual([]);
    for (const count of [1, 2, 3, 5, 11, 100]) {
      expect(texts.processing.estimate(count)).not.toMatch(/#|undefined/);
      expect(texts.retry.triesLeft(count)).not.toMatch(/#|undefined/);
    }
    expect(texts.privacy.text({ ...FACTS, purpose: 'a loan.' })[0]!.detail).toContain('a loan.');
    expect(texts.privacy.text({ ...FACTS, retentionDays: 0 })).not.toEqual(texts.privacy.text(FACTS));
    if (language === 'en') return;
    // A word or two may be the same in both; a language left in English would be all of them.
    const same = own.filter(([, text], index) => text === english[index]![1]);
    expect(same.length, same.map(([at]) => at).join(' ')).toBeLessThan(8);
  });

  it('are chosen as the browser asks, or as the link does', () => {
    expect(chooseLanguage(acceptedLanguages('sv, pt-BR;q=0.8, en;q=0.9'))).toBe('en');
    expect(chooseLanguage(acceptedLanguages('pt-BR'))).toBe('pt');
    expect(chooseLanguage(['zh-TW'])).toBe('zh-Hans');
    expect(chooseLanguage(acceptedLanguages('fr;q=0, <script>, ja'))).toBe('ja');
    expect(chooseLanguage([])).toBe('en');
  });
});
