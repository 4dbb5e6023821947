// Makes a language's messages ready to be shown. They were compiled when the page was built: no parser comes with it.
import format, { type CompiledMessage, type FormatOptions } from 'icu-minify/format';
import type { Language } from '../../../src/contract/languages.ts';
import type { Texts } from './texts.ts';

/** A language's messages as the build compiles them (web/capture/build/messages.ts): a text, or its parts in a list. */
export interface CompiledMessages {
  readonly [key: string]: CompiledMessage | CompiledMessages;
}

// Numbers in European digits and without separators, whatever the browser's data: the text that consent is given to is
// the same in every browser.
const OPTIONS: FormatOptions = {
  formatters: {
    getPluralRules: (locale) => new Intl.PluralRules(locale),
    getNumberFormat: (locale) => new Intl.NumberFormat(`${locale}-u-nu-latn`, { useGrouping: false }),
    getDateTimeFormat: (locale) => new Intl.DateTimeFormat(locale),
  },
};

/** The texts of a language from its compiled messages. */
export function readyTexts(language: Language, messages: CompiledMessages): Texts {
  const ready = (message: CompiledMessage | CompiledMessages): unknown => {
    if (typeof message === 'string') return message;
    if (Array.isArray(message)) {
      return (values: Record<string, string | number>) => format(message, language, values, OPTIONS);
    }
    return Object.fromEntries(Object.entries(message).map(([key, inner]) => [key, ready(inner)]));
  };
  return { ...(ready(messages) as object), language } as Texts;
}
