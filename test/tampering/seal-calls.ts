// Where src seals and signs, as the compiler's parser reads it.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';

const SOURCE = resolve(import.meta.dirname, '..', '..', 'src');

interface Source {
  /** Below src. */
  readonly path: string;
  readonly tree: ts.SourceFile;
}

const TEXTS = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => [path, readFileSync(join(SOURCE, path), 'utf8')] as const);

/** The files in which one of these names is called. */
function sourcesWith(names: readonly string[]): Source[] {
  return TEXTS.filter(([, text]) => names.some((name) => text.includes(`${name}(`))).map(([path, text]) => ({
    path,
    tree: ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true),
  }));
}

function nodesOf(tree: ts.Node): ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

const textOf = (node: ts.Node | undefined): string | null =>
  node && ts.isStringLiteralLike(node) ? node.text : null;

/** Constants that are texts, and members of constants, as they are written where they are used. */
function constantsOf({ tree }: Source): [string, string][] {
  return nodesOf(tree).flatMap((node): [string, string][] => {
    if (!ts.isVariableDeclaration(node) || !node.initializer) return [];
    const name = node.name.getText();
    const value = ts.isAsExpression(node.initializer) ? node.initializer.expression : node.initializer;
    if (!ts.isObjectLiteralExpression(value)) return [[name, textOf(value)]].filter(hasText);
    return value.properties
      .filter(ts.isPropertyAssignment)
      .map((member) => [`${name}.${member.name.getText()}`, textOf(member.initializer)])
      .filter(hasText);
  });
}

const hasText = (pair: (string | null)[]): pair is [string, string] => pair[1] !== null;

type Call = ts.CallExpression | ts.NewExpression;

const calleeOf = ({ expression }: Call): string =>
  ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();

/** Calls of functions of these names. */
function callsIn({ tree }: Source, names: readonly string[]): Call[] {
  return nodesOf(tree)
    .filter((node): node is Call => ts.isCallExpression(node) || ts.isNewExpression(node))
    .filter((call) => names.includes(calleeOf(call)));
}

/**
 * The purposes that calls of these functions name. A call that names none is given as its file and its callee: it
 * passes on what others name.
 */
export function purposesOf(...names: string[]): string[] {
  const sources = sourcesWith(names);
  const exported = sources.flatMap(constantsOf).filter(([name]) => name.endsWith('_PURPOSE'));
  const found = sources.flatMap((source) => {
    const constants = new Map([...exported, ...constantsOf(source)]);
    return callsIn(source, names).map((call) => {
      const given = [...(call.arguments ?? [])].map((each) => textOf(each) ?? constants.get(each.getText()));
      return given.find((each) => each !== undefined) ?? `${source.path} ${calleeOf(call)}`;
    });
  });
  return [...new Set(found)].toSorted();
}

/** The files that call one of these functions, and which they call. */
export function filesCalling(...names: string[]): Record<string, string> {
  const calling = sourcesWith(names).map((source): [string, string] => {
    const callees = callsIn(source, names).map(calleeOf);
    return [source.path, [...new Set(callees)].toSorted().join(' ')];
  });
  return Object.fromEntries(calling.filter(([, callees]) => callees !== ''));
}
