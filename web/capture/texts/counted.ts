// Numbers in sentences: the form of the words that a count takes in a language.

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

/** A sentence part for a count: the form as of the language's plural rules (CLDR), `#` standing for the number. */
export function counted(language: string, forms: Forms): (count: number) => string {
  return (count) =>
    (forms[new Intl.PluralRules(language).select(count)] ?? forms.other).replace('#', String(count));
}
