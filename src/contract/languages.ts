// The languages of the capture page, and how the server chooses one for a person.

/** BCP 47 tags: the name of each language's file in web/capture/messages. */
export const LANGUAGES = [
  'en',
  'es',
  'fr',
  'de',
  'pt',
  'it',
  'nl',
  'pl',
  'tr',
  'ar',
  'hi',
  'id',
  'vi',
  'zh-Hans',
  'ja',
  'ko',
] as const;
export type Language = (typeof LANGUAGES)[number];

const RIGHT_TO_LEFT: readonly Language[] = ['ar'];

/** The direction in which a language is written, as a value of the `dir` attribute. */
export function directionOf(language: Language): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.includes(language) ? 'rtl' : 'ltr';
}

/** Further tags are ignored, because a header may be long. */
const MAX_PREFERRED = 20;

/**
 * The first tag that matches an available language by its primary subtag, or English if none does. Any Chinese tag
 * gets simplified Chinese, the only one available.
 * @param preferred BCP 47 tags in order of preference, as navigator.languages or `acceptedLanguages` give them
 */
export function chooseLanguage(preferred: readonly string[]): Language {
  for (const tag of preferred.slice(0, MAX_PREFERRED)) {
    const [first = ''] = tag.trim().toLowerCase().split(/[-_]/, 1);
    const found = LANGUAGES.find((language) => language.split('-', 1)[0] === first);
    if (found) return found;
  }
  return 'en';
}

/** The tags of an Accept-Language header (RFC 9110, 12.5.4), best first; weights of zero are left out. */
export function acceptedLanguages(header: string): string[] {
  return header
    .slice(0, 500)
    .split(',')
    .map((entry) => {
      const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim());
      const weight = parameters.find((part) => /^q=/i.test(part))?.slice(2);
      return { tag, weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ tag, weight }) => /^[a-z]{2,8}([-_][a-z0-9]{1,8})*$/i.test(tag) && weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag);
}
