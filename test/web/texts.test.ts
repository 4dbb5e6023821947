// The page's languages: one file each, complete and in their own words.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { acceptedLanguages, chooseLanguage, directionOf, LANGUAGES } from '../../src/contract/languages.ts';
import { AMOUNT_NAMES } from '../../src/contract/target.ts';
import { readTexts } from '../../web/capture/build/messages.ts';
import { promptText } from '../../web/capture/texts/prompt-text.ts';
import { SECTORS } from '../../web/capture/texts/sectors.ts';
import { PLACEHOLDERS } from '../../web/capture/texts/texts.ts';
import { messageFaults, messagesOf, placeholdersOf, type Tree } from './support/message-faults.ts';

const FOLDER = join(import.meta.dirname, '../../web/capture/messages');

function messages(language: string): Tree {
  return JSON.parse(readFileSync(join(FOLDER, `${language}.json`), 'utf8'));
}

const english = messages('en');

describe('messages', () => {
  it('are one file per language', () => {
    const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
    expect(files.sort()).toEqual(LANGUAGES.map((language) => `${language}.json`).sort());
  });

  it.each(LANGUAGES)('of %s are complete and valid: keys, placeholders, plurals, plain text', (language) => {
    expect(messageFaults(language, messages(language), english)).toEqual([]);
  });

  it('have the placeholders that the page fills, and no others', () => {
    const found = [...messagesOf(english)].map(([place, text]) => [place, placeholdersOf(text)] as const);
    const wanted = Object.entries(PLACEHOLDERS).map(([place, names]) => [place, [...names].sort()] as const);
    expect(Object.fromEntries(found.filter(([, names]) => names.length > 0))).toEqual(
      Object.fromEntries(wanted),
    );
  });

  it.each(LANGUAGES.filter((language) => language !== 'en'))('of %s are not left in English', (language) => {
    const source = messagesOf(english);
    const own = messagesOf(messages(language));
    // A few messages may be the same in both; in a language left in English all of them would be.
    const same = [...own].filter(([place, text]) => source.get(place) === text).map(([place]) => place);
    expect(same.length, same.join(' ')).toBeLessThan(8);
  });
});

/** The form of address that a language's file does not use, where the language has two. */
const OTHER_ADDRESS: Partial<Record<(typeof LANGUAGES)[number], RegExp>> = {
  es: word('tú|tu|tus|te|ti|contigo'),
  fr: word('tu|te|toi|ton|ta|tes'),
  de: word('du|dich|dir|dein\\p{L}*'),
  it: word('Lei|suo|sua|suoi|sue|tenga|segua|chieda|prema|apra|scelga|faccia|guardi|riprovi'),
  nl: word('je|jij|jou|jouw'),
  pt: word('tu|te|ti|teu|tua|teus|tuas'),
};

function word(words: string): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'iu');
}

it.each(
  Object.entries(OTHER_ADDRESS),
)('of %s keep to one way of addressing the person', (language, other) => {
  const mixed = [...messagesOf(messages(language))].filter(([, text]) => other.test(text));
  expect(mixed).toEqual([]);
});

it('of French keep colons, question marks and quotes on the same line as their words', () => {
  const loose = [...messagesOf(messages('fr'))].filter(([, text]) => / [:;?!»]|« /.test(text));
  // The consent text is not changed for its spaces alone, because every change needs a new version.
  expect(loose.filter(([place]) => !place.startsWith('privacy.'))).toEqual([]);
});

it('isolate names in sentences of the other direction, and only there', () => {
  const values = { account: 'ACME (Ltd.)' };
  expect(readTexts('ar').welcome.lead(values)).toContain('\u2068ACME (Ltd.)\u2069');
  expect(readTexts('en').welcome.lead(values)).not.toMatch(/[\u2066-\u2069]/);
  for (const account of ['مصرف الخليج (ش.م.ك)', 'בנק לאומי (בע״מ)', 'ACME مصر 24', '\u{1e900}\u{1e901}']) {
    expect(readTexts('en').welcome.lead({ account })).toContain(`\u2068${account}\u2069`);
    expect(readTexts('ja').done.redirecting({ account })).toContain(`\u2068${account}\u2069`);
  }
});

describe('faults of messages', () => {
  const polish = messages('pl');
  const withRetry = (changed: Tree) => ({ ...polish, retry: { ...(polish.retry as Tree), ...changed } });
  it.each([
    ['a missing key', { ...polish, retry: 'x' }, 'retry.triesLeft: missing'],
    ['an extra key', withRetry({ more: 'Więcej' }), 'retry.more: not in English'],
    ['an empty message', withRetry({ again: ' ' }), 'retry.again: empty, or blanks around it'],
    ['HTML', withRetry({ again: '<b>Jeszcze raz</b>' }), 'retry.again: HTML or a line break'],
    [
      'another placeholder',
      { ...polish, done: { ...(polish.done as Tree), redirecting: 'Powrót do {konto}…' } },
      'done.redirecting: placeholders konto',
    ],
    [
      'English plural forms',
      withRetry({ triesLeft: '{tries, plural, one {# próba} other {# próby}}' }),
      'retry.triesLeft: plural one,other for few,many,one,other',
    ],
    ['a date', withRetry({ triesLeft: '{tries, date}' }), 'retry.triesLeft: neither placeholder nor plural'],
  ])('find %s', (_what, changed: Tree, fault) => {
    expect(messageFaults('pl', changed, english)).toContain(fault);
  });

  it.each([
    '{tries',
    '{tries, plural, one {#}}',
    '{tries} <b',
  ])('find what is not an ICU message: %s', (triesLeft) => {
    expect(messageFaults('pl', withRetry({ triesLeft }), english).join()).toMatch(
      /triesLeft: no ICU message/,
    );
  });
});

describe('texts', () => {
  it('use the plurals of the language', () => {
    const tries = (language: 'pl' | 'ar' | 'ja', list: number[]) =>
      list.map((count) => readTexts(language).retry.triesLeft({ tries: count }));
    expect(tries('pl', [1, 2, 5, 12, 22])).toEqual([
      'To ostatnia próba.',
      'Pozostały 2 próby.',
      'Pozostało 5 prób.',
      'Pozostało 12 prób.',
      'Pozostały 22 próby.',
    ]);
    expect(tries('ar', [1, 2, 3, 11, 100])).toEqual([
      'هذه محاولتك الأخيرة.',
      'بقيت لك محاولتان.',
      'بقيت لك 3 محاولات.',
      'بقيت لك 11 محاولة.',
      'بقيت لك 100 محاولة.',
    ]);
    expect(tries('ja', [1, 2])).toEqual(['これが最後の 1 回です。', 'あと 2 回試せます。']);
  });

  it.each(
    LANGUAGES,
  )('of %s say where to turn in sixteen ways, for people who do not see the dot', (language) => {
    const { stage } = readTexts(language);
    const said = AMOUNT_NAMES.flatMap((amount) =>
      SECTORS.map((_, i) => promptText({ prompt: 'target', angle_deg: 45 * i, amount }, stage)),
    );
    expect(new Set(said).size).toBe(16);
  });

  it('say the sector that is nearest to the dot', () => {
    const said = (angle_deg: number) =>
      promptText({ prompt: 'target', angle_deg, amount: 'far' }, readTexts('en').stage);
    expect([0, 22, 338, 359].map(said)).toEqual(Array(4).fill('Turn your head to your left'));
    expect([23, 67].map(said)).toEqual(Array(2).fill('Turn your head up and to your left'));
    expect(said(225)).toBe('Turn your head down and to your right');
  });

  it.each(LANGUAGES)('of %s show numbers in European digits, without separators', (language) => {
    const { privacy, processing } = readTexts(language);
    expect(privacy.kept.detail({ account: 'Harbour Bank', days: 3650 })).toContain('3650');
    expect(processing.estimate({ seconds: 21 })).toContain('21');
    expect(privacy.kept.detail({ account: 'Harbour Bank', days: 0 })).not.toMatch(/\d/);
  });

  it('show what a client says unchanged', () => {
    const { welcome, privacy } = readTexts('en');
    const account = "L'Été & {days} <b>#";
    expect(welcome.lead({ account })).toBe(`${account} asks you to take a short video selfie.`);
    const purpose = "'{account}' | it's a loan.";
    expect(privacy.who.detailWithPurpose({ account, purpose })).toContain(`Purpose: ${purpose}`);
  });
});

describe('languages', () => {
  it('know their writing direction', () => {
    expect(LANGUAGES.filter((language) => directionOf(language) === 'rtl')).toEqual(['ar']);
  });

  it('are chosen by the browser’s preference or by the link', () => {
    expect(chooseLanguage(acceptedLanguages('sv, pt-BR;q=0.8, en;q=0.9'))).toBe('en');
    expect(chooseLanguage(acceptedLanguages('pt-BR'))).toBe('pt');
    expect(chooseLanguage(['zh-TW'])).toBe('zh-Hans');
    expect(chooseLanguage(acceptedLanguages('fr;q=0, <script>, ja'))).toBe('ja');
    expect(chooseLanguage([])).toBe('en');
  });
});
