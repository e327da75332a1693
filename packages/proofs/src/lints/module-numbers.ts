/**
 * Numbers from 256 on in the modules that are shipped: each is on a list, with its reason. A fault at a length that no test has
 * needs the length, and claims say nothing of JavaScript, so it stands here.
 *
 *     node packages/proofs/src/lints/module-numbers-golden.ts
 *
 * writes the list. A number that is new gets no reason there; a person who looks at it does.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { doors } from '../../../lanewise/scripts/rooms.ts';

/** The smallest number that is listed: bytes, and lengths of blocks and keys, are below it. */
const LEAST = 256;
/** A shift by so many bits tells numbers from 256 on apart from others. */
const LEAST_SHIFT = 8;

const source = join(import.meta.dirname, '../../../lanewise/src');

/** The texts of modules, by their paths in the library. */
export type Sources = Readonly<Record<string, string>>;

/** The modules that doors load. Text that the build writes is not read: other claims are about it. */
export function shippedModules(): Sources {
  const found: Record<string, string> = {};
  const visit = (file: string): void => {
    const name = relative(source, file);
    if (name in found || /(^|\/)generated/.test(name)) return;
    found[name] = readFileSync(file, 'utf8');
    for (const statement of parsed(name, found[name]).statements) {
      if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
      const isType = ts.isImportDeclaration(statement) ? statement.importClause?.phaseModifier : statement.isTypeOnly;
      const from = statement.moduleSpecifier;
      if (isType === ts.SyntaxKind.TypeKeyword || isType === true || !from || !ts.isStringLiteral(from)) continue;
      if (from.text.startsWith('.')) visit(join(dirname(file), from.text));
    }
  };
  for (const door of doors) visit(join(source, `${door}.ts`));
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const parsed = (file: string, text: string): ts.SourceFile =>
  ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);

const isComparison = (kind: ts.SyntaxKind): boolean =>
  [
    ts.SyntaxKind.LessThanToken,
    ts.SyntaxKind.LessThanEqualsToken,
    ts.SyntaxKind.GreaterThanToken,
    ts.SyntaxKind.GreaterThanEqualsToken,
    ts.SyntaxKind.EqualsEqualsEqualsToken,
    ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ].includes(kind);

const isShift = (kind: ts.SyntaxKind): boolean =>
  [
    ts.SyntaxKind.LessThanLessThanToken,
    ts.SyntaxKind.GreaterThanGreaterThanToken,
    ts.SyntaxKind.GreaterThanGreaterThanGreaterThanToken,
  ].includes(kind);

/** The values of operations of constants. Anything else has no value, and then its operands are looked at. */
const VALUES: Partial<Record<ts.SyntaxKind, (x: number, y: number) => number>> = {
  [ts.SyntaxKind.PlusToken]: (x, y) => x + y,
  [ts.SyntaxKind.MinusToken]: (x, y) => x - y,
  [ts.SyntaxKind.AsteriskToken]: (x, y) => x * y,
  [ts.SyntaxKind.SlashToken]: (x, y) => x / y,
  [ts.SyntaxKind.AsteriskAsteriskToken]: (x, y) => x ** y,
  [ts.SyntaxKind.LessThanLessThanToken]: (x, y) => x << y,
  [ts.SyntaxKind.BarToken]: (x, y) => x | y,
  [ts.SyntaxKind.CaretToken]: (x, y) => x ^ y,
};

const numeral = (text: string): number => (/^\s*[\d.]/.test(text) ? Number(text.replace(/[_n]/g, '')) : NaN);

/** The value of an expression of literals. */
function valueOf(node: ts.Node): number | undefined {
  if (ts.isNumericLiteral(node) || ts.isBigIntLiteral(node)) return numeral(node.text);
  if (ts.isStringLiteralLike(node)) return Number.isNaN(numeral(node.text)) ? undefined : numeral(node.text);
  if (ts.isParenthesizedExpression(node)) return valueOf(node.expression);
  if (ts.isPrefixUnaryExpression(node)) {
    const value = valueOf(node.operand);
    if (value === undefined) return undefined;
    if (node.operator === ts.SyntaxKind.TildeToken) return ~value;
    return node.operator === ts.SyntaxKind.MinusToken ? -value : value;
  }
  if (!ts.isBinaryExpression(node)) return undefined;
  const operation = VALUES[node.operatorToken.kind];
  const [left, right] = [node.left, node.right].map(valueOf);
  return operation && left !== undefined && right !== undefined ? operation(left, right) : undefined;
}

/** An expression of literals and the names of constants. */
function isConstant(node: ts.Node): boolean {
  if (valueOf(node) !== undefined) return true;
  if (ts.isIdentifier(node)) return /^[A-Z][A-Z0-9_]*$/.test(node.text) && node.text.length > 1;
  if (ts.isParenthesizedExpression(node)) return isConstant(node.expression);
  if (ts.isPropertyAccessExpression(node)) return isConstant(node.name);
  return (
    ts.isBinaryExpression(node) && node.operatorToken.kind in VALUES && isConstant(node.left) && isConstant(node.right)
  );
}

/** A comparison with a computed constant: `length > 40 * BLOCK_BYTES`. */
const isComputed = (node: ts.Node): boolean =>
  ts.isBinaryExpression(node) &&
  isComparison(node.operatorToken.kind) &&
  [node.left, node.right].some((side) => ts.isBinaryExpression(side) && isConstant(side)) &&
  ![node.left, node.right].every(isConstant);

/** A shift that leaves nothing of numbers below 256, or makes them larger. */
const isLongShift = (node: ts.Node): boolean =>
  ts.isBinaryExpression(node) &&
  isShift(node.operatorToken.kind) &&
  valueOf(node.left) === undefined &&
  Math.abs(valueOf(node.right) ?? 0) >= LEAST_SHIFT;

const isLarge = (node: ts.Node): boolean => {
  const value = valueOf(node);
  return value !== undefined && Math.abs(value) >= LEAST;
};

/** A number and all that it is part of, up to a function, a statement or a list. */
function around(node: ts.Node): string {
  let whole = node;
  while (
    ts.isBinaryExpression(whole.parent) ||
    ts.isParenthesizedExpression(whole.parent) ||
    ts.isPrefixUnaryExpression(whole.parent) ||
    ts.isConditionalExpression(whole.parent) ||
    ts.isElementAccessExpression(whole.parent) ||
    ts.isAsExpression(whole.parent)
  )
    whole = whole.parent;
  const { parent } = whole;
  if (
    (ts.isVariableDeclaration(parent) || ts.isPropertyDeclaration(parent) || ts.isPropertyAssignment(parent)) &&
    parent.initializer === whole
  )
    whole = parent;
  else if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) whole = parent;
  else if (ts.isArrayLiteralExpression(parent) && ts.isVariableDeclaration(parent.parent)) whole = parent.parent;
  else if (ts.isReturnStatement(parent) || ts.isIfStatement(parent)) {
    const text = parent.getText();
    return short(ts.isIfStatement(parent) ? `if (${parent.expression.getText()})` : text);
  }
  return short(whole.getText());
}

const MOST_TEXT = 600;
const short = (text: string): string => {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= MOST_TEXT ? line : `${line.slice(0, MOST_TEXT)}… (${line.length})`;
};

/** The numbers of a module: the expressions that have them, as often as they are there. */
export function numbersIn(file: string, text: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    const isListed = isLarge(node);
    if (isListed || isLongShift(node) || isComputed(node)) found.push(around(node));
    if (!isListed) ts.forEachChild(node, visit);
  };
  visit(parsed(file, text));
  return found.sort();
}

/** The list: for each file its expressions, and the reason for the number. */
export type ModuleNumbers = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The name of an expression that is on the list more than once. */
export const named = (numbers: readonly string[]): string[] =>
  [...new Set(numbers)].map((one) => {
    const times = numbers.filter((other) => other === one).length;
    return times === 1 ? one : `${one} (${times} times)`;
  });

export const MISSING = 'NOT REVIEWED';

/** The difference between modules and the list. */
export function moduleNumberFindings(sources: Sources, listed: ModuleNumbers): string[] {
  const findings: string[] = [];
  for (const [file, text] of Object.entries(sources)) {
    const now = named(numbersIn(file, text));
    const before = listed[file] ?? {};
    for (const one of now)
      if (!(one in before)) findings.push(`${file}: ${one} is not in module-numbers.golden.json`);
      else if (!before[one] || before[one] === MISSING) findings.push(`${file}: ${one} has no reason`);
    for (const one of Object.keys(before))
      if (!now.includes(one)) findings.push(`${file}: ${one} is in module-numbers.golden.json, but not there`);
  }
  for (const file of Object.keys(listed))
    if (!(file in sources)) findings.push(`${file} is not a module that is shipped`);
  return findings;
}

export const GOLDEN = join(import.meta.dirname, 'module-numbers.golden.json');
export const listedNumbers = (): ModuleNumbers => JSON.parse(readFileSync(GOLDEN, 'utf8')) as ModuleNumbers;
