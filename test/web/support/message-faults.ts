// Lists what is wrong with a message file, in sentences: against the English file, and by the rules of its language.
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';

export type Tree = { readonly [key: string]: string | Tree };

/** Every message of a file with its place, as `retry.triesLeft`. */
export function messagesOf(tree: Tree, prefix = ''): Map<string, string> {
  const entries = Object.entries(tree).flatMap(([key, inner]): [string, string][] =>
    typeof inner === 'string' ? [[prefix + key, inner]] : [...messagesOf(inner, `${prefix}${key}.`)],
  );
  return new Map(entries);
}

/** Names of a message's placeholders, sorted. */
export function placeholdersOf(message: string): string[] {
  return [...new Set(flat(parse(message)).flatMap((element) => nameOf(element) ?? []))].sort();
}

/** Plural categories of a language's whole numbers; always with `other`, which ICU requires. */
function categoriesOf(language: string): string[] {
  const rules = new Intl.PluralRules(language);
  return [...new Set(['other', ...Array.from({ length: 1001 }, (_, count) => rules.select(count))])].sort();
}

/** The faults of a language's messages, each with its place; empty if they can be shown. */
export function messageFaults(language: string, messages: Tree, english: Tree): string[] {
  const own = messagesOf(messages);
  const source = messagesOf(english);
  const categories = categoriesOf(language);
  const missing = [...source.keys()].filter((place) => !own.has(place));
  return [
    ...missing.map((place) => `${place}: missing`),
    ...[...own].flatMap(([place, message]) => {
      const model = source.get(place);
      if (model === undefined) return [`${place}: not in English`];
      return faultsOf(message, model, categories).map((fault) => `${place}: ${fault}`);
    }),
  ];
}

function faultsOf(message: string, model: string, categories: readonly string[]): string[] {
  let elements: MessageFormatElement[];
  try {
    elements = parse(message);
  } catch (error) {
    return [`no ICU message: ${String(error)}`];
  }
  const faults: string[] = [];
  if (message.trim() === '' || message !== message.trim()) faults.push('empty, or blanks around it');
  if (/[<>\n]|&\w+;/.test(message)) faults.push('HTML or a line break');
  const names = placeholdersOf(message).join();
  if (names !== placeholdersOf(model).join()) faults.push(`placeholders ${names || 'none'}`);
  for (const element of flat(elements)) {
    if (![TYPE.literal, TYPE.argument, TYPE.plural, TYPE.pound, TYPE.tag].includes(element.type)) {
      faults.push('neither placeholder nor plural');
    }
    if (element.type !== TYPE.plural) continue;
    const given = Object.keys(element.options).filter((option) => !option.startsWith('='));
    if (given.sort().join() !== categories.join()) faults.push(`plural ${given} for ${categories}`);
  }
  return faults;
}

/** All elements, including those within plurals. */
function flat(elements: readonly MessageFormatElement[]): MessageFormatElement[] {
  return elements.flatMap((element) => {
    const inner =
      'options' in element ? Object.values(element.options).flatMap((option) => flat(option.value)) : [];
    return [element, ...inner];
  });
}

function nameOf(element: MessageFormatElement): string | null {
  return element.type === TYPE.literal || element.type === TYPE.pound ? null : element.value;
}
