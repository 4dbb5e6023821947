// Makes a language's messages ready to show. They were compiled when the page was built, so the page carries no parser.
import format, { type CompiledMessage, type FormatOptions } from 'icu-minify/format';
import { directionOf, type Language } from '../../../src/contract/languages.ts';
import type { Texts } from './texts.ts';

/** A language's messages as the build compiles them (web/capture/build/messages.ts): a text, or a list of its parts. */
export interface CompiledMessages {
  readonly [key: string]: CompiledMessage | CompiledMessages;
}

// Numbers in European digits and without separators, whatever the browser's locale data: the text that the person
// consents to is the same in every browser.
const OPTIONS: FormatOptions = {
  formatters: {
    getPluralRules: (locale) => new Intl.PluralRules(locale),
    getNumberFormat: (locale) => new Intl.NumberFormat(`${locale}-u-nu-latn`, { useGrouping: false }),
    getDateTimeFormat: (locale) => new Intl.DateTimeFormat(locale),
  },
};

type Values = Readonly<Record<string, string | number>>;

/** Scripts written from right to left. */
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/**
 * Names and purposes are the client's, in any script. In a sentence of the other direction they are isolated (FIRST
 * STRONG ISOLATE, UAX #9); otherwise a name would move an adjacent full stop or number to its other side.
 */
function isolated(values: Values, isInOtherDirection: (value: string) => boolean): Values {
  const entries = Object.entries(values);
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      typeof value === 'string' && isInOtherDirection(value) ? `\u2068${value}\u2069` : value,
    ]),
  );
}

/** The texts of a language from its compiled messages. */
export function readyTexts(language: Language, messages: CompiledMessages): Texts {
  const isFromRight = directionOf(language) === 'rtl';
  const prepare = (values: Values) => isolated(values, (value) => isFromRight || RIGHT_TO_LEFT.test(value));
  const ready = (message: CompiledMessage | CompiledMessages): unknown => {
    if (typeof message === 'string') return message;
    if (Array.isArray(message)) {
      return (values: Values) => format(message, language, prepare(values), OPTIONS);
    }
    return Object.fromEntries(Object.entries(message).map(([key, inner]) => [key, ready(inner)]));
  };
  return { ...(ready(messages) as object), language } as Texts;
}
