// Generates the Python client's calls and types, packages/python/likeness/api.py, from the OpenAPI document. A test
// checks that the file matches the document; `npx vitest run test/packages/python.test.ts -u` regenerates it.

// biome-ignore lint/suspicious/noExplicitAny: a document is read as it comes
type Json = any;

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: Json;
}

const HEAD = `"""Calls and types of the Likeness API, generated from its OpenAPI document by packages/python/generate.ts: do not edit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NotRequired, TypedDict

from .transport import Transport, picture_type, quote
`;

const CONSTRUCTOR = `    def __init__(self, base_url: str, api_key: str, *, timeout: float = 30.0, max_retries: int = 2) -> None:
        self._transport = Transport(base_url, api_key, timeout, max_retries)
`;

/**
 * The module's text. @throws Error for anything in the document that is not supported, instead of omitting it silently
 */
export function pythonClient(document: Json): string {
  const types = new Types(document.components.schemas);
  const calls = Object.entries<Json>(document.paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([path, item]) =>
      Object.entries<Json>(item).flatMap(([method, operation]) => [
        callOf(method, path, operation, types),
        ...eachOf(operation, types),
      ]),
    )
    .sort();
  for (const name of Object.keys(document.components.schemas)) types.named(name);
  const names = [...types.names(), 'Likeness'].sort();
  const client = [
    'class Likeness:',
    '    """A client for one region and one account. Raises LikenessProblem and LikenessUnreachable."""\n',
    `${CONSTRUCTOR}\n${calls.join('\n')}`,
  ].join('\n');
  const all = `__all__ = [\n${names.map((name) => `    "${name}",\n`).join('')}]\n`;
  return [HEAD, all, ...types.texts(), client].join('\n\n');
}

/** The classes of the schemas. Classes of nested objects are named after their place. */
class Types {
  readonly #schemas: Readonly<Record<string, Json>>;
  readonly #classes = new Map<string, string>();

  constructor(schemas: Readonly<Record<string, Json>>) {
    this.#schemas = schemas;
  }

  names(): string[] {
    return [...this.#classes.keys()];
  }

  texts(): string[] {
    return [...this.#classes.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  }

  /** The class name of a shared schema. */
  named(name: string): string {
    const schema = this.#schemas[name];
    if (!schema) throw new Error(`no schema ${name}`);
    return this.#class(name, schema);
  }

  /** A schema's type as an annotation. `place` names the class of an object. */
  of(schema: Json, place: string): string {
    if (schema.$ref) return this.named(schema.$ref.split('/').at(-1));
    if ('const' in schema) return `Literal[${literal(schema.const)}]`;
    if (schema.enum) return `Literal[${schema.enum.map(literal).join(', ')}]`;
    const either: Json[] | undefined = schema.anyOf ?? schema.oneOf;
    if (either) return [...new Set(either.map((one, i) => this.of(one, variant(place, one, i))))].join(' | ');
    const kinds: string[] = [schema.type].flat();
    return kinds.map((kind) => this.#kind(kind, schema, place)).join(' | ');
  }

  #kind(kind: string | undefined, schema: Json, place: string): string {
    if (kind === 'object')
      return schema.properties ? this.#class(place, schema) : `dict[str, ${this.#values(schema, place)}]`;
    if (kind === 'array') return `list[${this.of(schema.items, singular(place))}]`;
    const simple = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }[
      kind ?? ''
    ];
    if (simple) return simple;
    if (kind === undefined && Object.keys(schema).every((key) => key === 'description')) return 'Any';
    throw new Error(`${place}: ${JSON.stringify(schema)}`);
  }

  #values(schema: Json, place: string): string {
    return typeof schema.additionalProperties === 'object'
      ? this.of(schema.additionalProperties, place)
      : 'Any';
  }

  #class(name: string, schema: Json): string {
    if (this.#classes.has(name)) return name;
    this.#classes.set(name, '');
    const required = new Set<string>(schema.required ?? []);
    const lines = Object.entries<Json>(schema.properties).map(([field, value]) => {
      const type = this.of(value, name + pascal(field));
      const annotation = required.has(field) ? type : `NotRequired[${type}]`;
      const comment = value.description ? `    # ${oneLine(value.description)}\n` : '';
      return `${comment}    ${field}: ${annotation}\n`;
    });
    this.#classes.set(name, `class ${name}(TypedDict):\n${lines.join('')}`);
    return name;
  }
}

function callOf(method: string, path: string, operation: Json, types: Types): string {
  const parameters: Parameter[] = operation.parameters ?? [];
  const inPath = parameters.filter((each) => each.in === 'path').map(({ name }) => name);
  const query = parameters.filter((each) => each.in === 'query');
  const body = bodyOf(operation, types);
  const isPost = method === 'post';
  const keyword = [
    ...query.map(({ name, schema }) => `${name}: ${types.of(schema, pascal(name))} | None = None`),
    ...(isPost ? ['idempotency_key: str | None = None'] : []),
  ];
  const given = [
    'self',
    ...inPath.map((name) => `${name}: str`),
    ...(body ? [`${body.name}: ${body.type}`] : []),
    ...(keyword.length > 0 ? ['*', ...keyword] : []),
  ];
  const passed = [
    `"${method.toUpperCase()}"`,
    `${inPath.length > 0 ? 'f' : ''}"${path.replaceAll(/\{(\w+)\}/g, '{quote($1)}')}"`,
    ...(query.length > 0 ? [`query={${query.map(({ name }) => `"${name}": ${name}`).join(', ')}}`] : []),
    ...(body ? [body.passed] : []),
    ...(isPost ? ['idempotency_key=idempotency_key'] : []),
  ];
  const answer = answerOf(operation, types);
  const result = answer === 'None' ? '' : `result: ${answer} = `;
  const lines = (items: readonly string[], indent: string) =>
    items.map((item) => `${indent}${item},\n`).join('');
  return [
    `    def ${snake(operation.operationId)}(\n${lines(given, '        ')}    ) -> ${answer}:`,
    `        """${oneLine([operation.summary, operation.description].filter(Boolean).join('. '))}"""`,
    `        ${result}self._transport.call(\n${lines(passed, '            ')}        )`,
    ...(answer === 'None' ? [] : ['        return result']),
    '',
  ].join('\n');
}

/** Generates an iterator over the items of a paginated list. */
function eachOf({ operationId, parameters = [], responses }: Json, types: Types): string[] {
  const query = (parameters as Parameter[]).filter((each) => each.in === 'query');
  if (!query.some(({ name }) => name === 'cursor')) return [];
  const { data } = responses['200'].content['application/json'].schema.properties;
  const item = types.of(data.items, `${pascal(operationId)}Item`);
  const call = snake(operationId);
  const given = query.map(
    ({ name, schema }) => `        ${name}: ${types.of(schema, pascal(name))} | None = None,\n`,
  );
  const passed = query.map(({ name }) => `                ${name}=${name},\n`);
  return [
    [
      `    def ${singular(call.replace(/^list_/, 'each_'))}(\n        self,\n        *,\n${given.join('')}    ) -> Iterator[${item}]:`,
      `        """Every item of \`${call}\`, page after page; \`limit\` is the page size."""`,
      '        while True:',
      `            page = self.${call}(\n${passed.join('')}            )`,
      '            yield from page["data"]',
      '            cursor = page["next_cursor"]',
      '            if cursor is None:\n                return',
      '',
    ].join('\n'),
  ];
}

function bodyOf(operation: Json, types: Types): { name: string; type: string; passed: string } | null {
  const content = operation.requestBody?.content;
  if (!content) return null;
  const json = content['application/json'];
  if (json)
    return {
      name: 'body',
      type: types.of(json.schema, `${pascal(operation.operationId)}Body`),
      passed: 'body=body',
    };
  if (!Object.keys(content).every((type) => type.startsWith('image/')))
    throw new Error(`${operation.operationId} takes ${Object.keys(content)}`);
  return {
    name: 'picture',
    type: 'bytes',
    passed: 'content=picture,\n            content_type=picture_type(picture)',
  };
}

function answerOf({ responses, operationId }: Json, types: Types): string {
  const [success] = Object.entries<Json>(responses).filter(([status]) => status.startsWith('2'));
  const content = success?.[1].content;
  if (!content) return 'None';
  const json = content['application/json'];
  if (json) return types.of(json.schema, `${pascal(operationId)}Answer`);
  if (content['application/jose']) return 'str';
  throw new Error(`${operationId} answers ${Object.keys(content)}`);
}

const literal = (value: unknown): string =>
  value === null ? 'None' : typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);
const pascal = (name: string): string =>
  name.replaceAll(/(?:^|[_-])(\w)/g, (_, first: string) => first.toUpperCase());
const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`);
const singular = (name: string): string => name.replace(/s$/, '');
const oneLine = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll('"""', "'''").replaceAll('\\', '\\\\');
/** Names each of several objects in one place after its first field. */
const variant = (place: string, schema: Json, index: number): string => {
  const [first] = Object.keys(schema.properties ?? {});
  return first ? `${place}Of${pascal(first)}` : `${place}${index}`;
};
