// Writes out the contract's types, which are computed from schemas, as plain TypeScript for the client's declarations.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** A declaration file with every type that the folder's files import from the contract. */
export function contractTypes(clientFolder: string): string {
  const files = readdirSync(clientFolder).map((name) => join(clientFolder, name));
  const program = ts.createProgram(files, {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    skipLibCheck: true,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  });
  const checker = program.getTypeChecker();
  const types = new Map<string, ts.Type>();
  for (const file of files)
    for (const statement of program.getSourceFile(file)!.statements)
      for (const { name, type } of contractImports(statement, checker)) types.set(name, type);
  const lines = [...types].sort(([a], [b]) => (a < b ? -1 : 1));
  return `${lines.map(([name, type]) => `export type ${name} = ${written(type, checker, 0)};`).join('\n\n')}\n`;
}

function contractImports(
  statement: ts.Statement,
  checker: ts.TypeChecker,
): { name: string; type: ts.Type }[] {
  const isImport = ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement);
  if (!isImport || !statement.moduleSpecifier?.getText().includes('/contract/')) return [];
  const named = ts.isImportDeclaration(statement)
    ? statement.importClause?.namedBindings
    : statement.exportClause;
  if (!named || !(ts.isNamedImports(named) || ts.isNamedExports(named))) return [];
  return named.elements.map((element) => {
    const symbol = checker.getSymbolAtLocation(element.propertyName ?? element.name)!;
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return { name: element.name.text, type: checker.getDeclaredTypeOfSymbol(target) };
  });
}

/** Types that the compiler writes as one word or literal. */
const SIMPLE =
  ts.TypeFlags.StringLike |
  ts.TypeFlags.NumberLike |
  ts.TypeFlags.BooleanLiteral |
  ts.TypeFlags.Null |
  ts.TypeFlags.Undefined |
  ts.TypeFlags.Any |
  ts.TypeFlags.Unknown;

/** No type of the contract is even half as deep, so exceeding this means that a type refers to itself. */
const MAX_DEPTH = 16;

/** Writes out one type. @throws Error for a kind of type that the contract does not use */
function written(type: ts.Type, checker: ts.TypeChecker, depth: number): string {
  if (depth > MAX_DEPTH) throw new Error('a type of the contract refers to itself');
  const inner = (one: ts.Type) => written(one, checker, depth + 1);
  const { flags } = type;
  if (flags & SIMPLE) return checker.typeToString(type);
  if (type.isUnion()) return unionOf(type, inner);
  if (checker.isArrayType(type) || checker.isTupleType(type)) {
    const [item] = checker.getTypeArguments(type as ts.TypeReference);
    const text = `Array<${inner(item!)}>`;
    return checker.typeToString(type).startsWith('readonly ') ? `Readonly${text}` : text;
  }
  if (flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) return objectOf(type, checker, inner, depth);
  throw new Error(`a type of the contract cannot be written out: ${checker.typeToString(type)}`);
}

/** To the compiler, `boolean` is a union of two literals. `undefined` is dropped, as the question mark covers it. */
function unionOf(type: ts.UnionType, inner: (one: ts.Type) => string): string {
  const parts = type.types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined)).map(inner);
  const isBoolean = parts.includes('true') && parts.includes('false');
  const rest = isBoolean
    ? [...parts.filter((part) => part !== 'true' && part !== 'false'), 'boolean']
    : parts;
  return [...new Set(rest)].sort(lastNull).join(' | ');
}

const lastNull = (a: string, b: string): number => Number(a === 'null') - Number(b === 'null');

function objectOf(
  type: ts.Type,
  checker: ts.TypeChecker,
  inner: (one: ts.Type) => string,
  depth: number,
): string {
  const indent = '  '.repeat(depth + 1);
  const lines = checker.getPropertiesOfType(type).map((property) => {
    const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0;
    const valued = checker.getTypeOfSymbol(property);
    const modifiers = property.declarations?.some(isReadonly) ? 'readonly ' : '';
    return `${indent}${modifiers}${JSON.stringify(property.name)}${isOptional ? '?' : ''}: ${inner(valued)};\n`;
  });
  for (const { keyType, type: value } of checker.getIndexInfosOfType(type))
    lines.push(`${indent}[name: ${inner(keyType)}]: ${inner(value)};\n`);
  return `{\n${lines.join('')}${'  '.repeat(depth)}}`;
}

const isReadonly = (declaration: ts.Declaration): boolean =>
  (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Readonly) !== 0;
