/**
 * Checks in the sources how the public modules borrow a kernel's memory: an instance is used only through `lend`, which
 * wipes whether the call returns or throws, between two addresses that no condition decides. Claims about recorded
 * calls can only see decisions at the lengths that were recorded; this lint allows no decision by a length.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export interface BorrowFinding {
  readonly file: string;
  /** The line in the source, counted from 1. */
  readonly line: number;
  readonly message: string;
}

/** Conditions that may decide how much is wiped: whether there is a copy or a key, or whether the bytes are public. */
const FLAGS = ['kept', 'clean', 'copied', 'fresh', 'key', 'own !== mode'];
/** The last of the jobs under way tells so; it wipes nothing. */
const COUNTS_DOWN = 'if (!--this.#underWay) this.#onIdle?.();';
/** Functions that compute an address from others. */
const FORMULAS = ['min', 'max', 'secretsFrom', 'secretsTo'];

const called = (call: ts.CallExpression): string =>
  ts.isPropertyAccessExpression(call.expression)
    ? call.expression.name.text
    : ts.isIdentifier(call.expression)
      ? call.expression.text
      : '';

/** `const kernel = chachaInstance(length)`: the variable. */
function borrowed(statement: ts.Statement): string | undefined {
  if (!ts.isVariableStatement(statement)) return undefined;
  for (const { name, initializer } of statement.declarationList.declarations)
    if (ts.isIdentifier(name) && initializer && ts.isCallExpression(initializer))
      if (/(?:^i|I)nstances?$/.test(called(initializer))) return name.text;
  return undefined;
}

const isFlag = (x: ts.Expression): boolean => {
  if (FLAGS.includes(x.getText())) return true;
  if (ts.isPrefixUnaryExpression(x)) return x.operator === ts.SyntaxKind.ExclamationToken && isFlag(x.operand);
  return (
    ts.isBinaryExpression(x) && x.operatorToken.kind === ts.SyntaxKind.BarBarToken && isFlag(x.left) && isFlag(x.right)
  );
};

/** Expressions that decide nothing: a call, also one that is awaited, a property that is awaited, and `flag = true`. */
const isStep = (x: ts.Expression): boolean =>
  ts.isCallExpression(x) ||
  (ts.isAwaitExpression(x) && (ts.isCallExpression(x.expression) || ts.isPropertyAccessExpression(x.expression))) ||
  (ts.isBinaryExpression(x) &&
    x.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    x.right.kind === ts.SyntaxKind.TrueKeyword);

/** `for (const memory of all) fillBytes(memory, 0)`, or the same with an index: all of each. */
const wipesAll = (statement: ts.Statement): boolean => {
  const counted = /^for \(let i = 0; i < (\w+)\.length; i\+\+\) fillBytes\((\w+)\[i\], 0\);$/.exec(statement.getText());
  if (counted) return counted[1] === counted[2];
  return (
    ts.isForOfStatement(statement) &&
    ts.isVariableDeclarationList(statement.initializer) &&
    statement.statement.getText() === `fillBytes(${statement.initializer.declarations[0].name.getText()}, 0);`
  );
};

/** Whether a statement is a step, also under a condition that is a flag, or wipes everything. */
const isPlain = (statement: ts.Statement): boolean =>
  (ts.isExpressionStatement(statement) && isStep(statement.expression)) ||
  wipesAll(statement) ||
  ts.isThrowStatement(statement) ||
  statement.getText() === COUNTS_DOWN ||
  (ts.isIfStatement(statement) &&
    isFlag(statement.expression) &&
    isPlain(statement.thenStatement) &&
    !statement.elseStatement);

const SUMS = [ts.SyntaxKind.PlusToken, ts.SyntaxKind.MinusToken, ts.SyntaxKind.AsteriskToken];

/** The functions of a room whose results are formulas, by their names. */
type Formulas = ReadonlySet<string>;

/** Sums and products of names and numbers, and the one choice that there is: without additional data AAD holds nothing. */
function isFormula(x: ts.Expression, formulas: Formulas): boolean {
  const are = (...all: readonly ts.Expression[]): boolean => all.every((one) => isFormula(one, formulas));
  if (ts.isIdentifier(x) || ts.isNumericLiteral(x) || x.kind === ts.SyntaxKind.ThisKeyword) return true;
  if (ts.isPropertyAccessExpression(x) || ts.isParenthesizedExpression(x)) return are(x.expression);
  if (ts.isElementAccessExpression(x)) return are(x.expression) && ts.isNumericLiteral(x.argumentExpression);
  if (ts.isBinaryExpression(x)) return SUMS.includes(x.operatorToken.kind) && are(x.left, x.right);
  if (ts.isSpreadElement(x)) return ts.isIdentifier(x.expression);
  if (ts.isCallExpression(x)) {
    const isOwn = ts.isIdentifier(x.expression) && formulas.has(x.expression.text);
    return (isOwn || FORMULAS.includes(called(x))) && are(...x.arguments);
  }
  return ts.isConditionalExpression(x) && x.getText().startsWith('aadLength ? AAD : ') && are(x.whenFalse);
}

const parsed = (file: string, text: string): ts.SourceFile =>
  ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);

/** An import of another name, or from outside the room. */
const isForeign = (node: ts.Node): node is ts.ImportSpecifier =>
  ts.isImportSpecifier(node) &&
  (node.propertyName !== undefined || !/^'\.\/[\w-]+\.ts'$/.test(node.parent.parent.parent.moduleSpecifier.getText()));

/** Whatever a name may stand for, but for types. */
const isDefinition = (node: ts.Node): node is ts.NamedDeclaration =>
  isForeign(node) ||
  ts.isVariableDeclaration(node) ||
  ts.isParameter(node) ||
  ts.isBindingElement(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isFunctionExpression(node) ||
  ts.isClassDeclaration(node);

/**
 * The functions of a room whose calls are what they return, `const x = (a, b) => formula`: of nothing but their parameters and names, and
 * defined once in all of the room, so a call means no other function. One may call another.
 */
export function formulasIn(texts: readonly string[]): Formulas {
  const definitions = new Map<string, ts.Node[]>();
  const visit = (node: ts.Node): void => {
    if (isDefinition(node) && node.name && ts.isIdentifier(node.name))
      definitions.set(node.name.text, [...(definitions.get(node.name.text) ?? []), node]);
    ts.forEachChild(node, visit);
  };
  for (const text of texts) visit(parsed('', text));
  const formulas = new Set<string>();
  const isOne = ([node, ...others]: readonly ts.Node[]): boolean =>
    others.length === 0 &&
    ts.isVariableDeclaration(node) &&
    (node.parent.flags & ts.NodeFlags.Const) !== 0 &&
    node.initializer !== undefined &&
    ts.isArrowFunction(node.initializer) &&
    node.initializer.parameters.every(({ name, initializer }) => ts.isIdentifier(name) && !initializer) &&
    !ts.isBlock(node.initializer.body) &&
    isFormula(node.initializer.body, formulas);
  // Until a pass finds no more, because a function may be defined before one that it calls.
  for (let before = -1; before < formulas.size;) {
    before = formulas.size;
    for (const [name, all] of definitions) if (isOne(all)) formulas.add(name);
  }
  return formulas;
}

/** The functions that lend memory to a call, and to steps that are done in slices. */
const LENDING = ['lend', 'lendInSlices'];
const isLend = (node: ts.Node): node is ts.CallExpression =>
  ts.isCallExpression(node) && ts.isIdentifier(node.expression) && LENDING.includes(node.expression.text);

/**
 * Whether the instance is used only through `lend`, which wipes in every case: as the argument of `lend`, or in a
 * function that is passed to `lend`.
 */
function isLentOnly(statements: readonly ts.Statement[], kernel: string): boolean {
  let lent = 0;
  const visit = (node: ts.Node): boolean => {
    if (isLend(node) && node.arguments[0]?.getText() === kernel) {
      lent++;
      return node.arguments.slice(1, 3).every(visit);
    }
    // Its memory is wiped then, whether the call returned or threw, so the next call may have it.
    if (lent > 0 && node.getText() === `giveBack(${kernel})`) return true;
    if (ts.isIdentifier(node) && node.text === kernel) return false;
    return !(ts.forEachChild(node, (child) => !visit(child)) ?? false);
  };
  return statements.every(visit) && lent > 0;
}

/** Ciphertext needs no wiping; only this function may decide that pages are only ciphertext. */
const CLEAN = { name: 'onlyCiphertext', body: 'back === 0 && length % SET === 0' };

/** The one condition of `lend`: whether there is anything to wipe. */
const ANYTHING = 'to > from';

export function borrowFindings(file: string, text: string, formulas: Formulas = new Set()): BorrowFinding[] {
  const source = parsed(file, text);
  const found: BorrowFinding[] = [];
  const tell = (node: ts.Node, message: string): void => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    found.push({ file, line: line + 1, message });
  };
  /** The end of an area may be a variable, whose definition is then checked. */
  const areas = new Set<string>();
  const checkArea = (one: ts.Expression): void => {
    if (ts.isIdentifier(one)) areas.add(one.text);
    if (!isFormula(one, formulas)) tell(one, 'where is wiped is no sum of addresses and lengths');
  };

  function visit(node: ts.Node): void {
    if (ts.isBlock(node) || ts.isSourceFile(node))
      node.statements.forEach((statement, i) => {
        const kernel = borrowed(statement);
        if (kernel !== undefined && !isLentOnly(node.statements.slice(i + 1), kernel))
          tell(statement, `${kernel} is used without being lent`);
      });
    if (ts.isTryStatement(node) && node.finallyBlock)
      node.finallyBlock.statements
        .filter((one) => !isPlain(one))
        .forEach((one) => {
          tell(one, 'what is wiped depends on more than a flag');
        });
    if (ts.isIfStatement(node) && /\bkernel\.wipe\(/.test(node.thenStatement.getText()))
      if (!node.expression.getText().startsWith(`!${CLEAN.name}(`)) tell(node, 'a call wipes on another condition');
    if (ts.isVariableDeclaration(node) && node.name.getText() === CLEAN.name && node.initializer)
      if (!ts.isArrowFunction(node.initializer) || node.initializer.body.getText() !== CLEAN.body)
        tell(node, 'pages are clean on another condition');
    if (isLend(node)) node.arguments.slice(1, 3).forEach(checkArea);
    if (ts.isFunctionDeclaration(node) && LENDING.includes(node.name?.text ?? '')) checkLend(node);
    ts.forEachChild(node, visit);
  }

  function checkLend(node: ts.Node): void {
    if (ts.isIfStatement(node) && node.expression.getText() !== ANYTHING)
      tell(node, 'lending wipes on another condition than that there is something to wipe');
    ts.forEachChild(node, checkLend);
  }

  visit(source);
  const checkDefinitions = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && areas.has(node.name.getText()) && node.initializer)
      if (!isFormula(node.initializer, formulas)) tell(node, 'where is wiped is no sum of addresses and lengths');
    ts.forEachChild(node, checkDefinitions);
  };
  checkDefinitions(source);
  return found;
}

const src = join(import.meta.dirname, '../../../lanewise/src');

/** The sources of a folder of the library, by their paths. */
export const sourcesIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(join(src, folder))
      .filter((name) => name.endsWith('.ts'))
      .map((name) => [`${folder}/${name}`, readFileSync(join(src, folder, name), 'utf8')]),
  );

/** The findings in the sources of a folder. */
export function borrowFindingsOf(sources: Readonly<Record<string, string>>): BorrowFinding[] {
  const formulas = formulasIn(Object.values(sources));
  return Object.entries(sources).flatMap(([file, text]) => borrowFindings(file, text, formulas));
}

export const borrowFindingsIn = (folder: string): BorrowFinding[] => borrowFindingsOf(sourcesIn(folder));
