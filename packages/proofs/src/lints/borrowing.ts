/**
 * How the public modules borrow a kernel's memory, read off their sources: whoever takes an instance wipes behind itself
 * whether the call returns or throws, and on no condition. What lengths decide, claims about recorded calls can only see at
 * the lengths that they have; here no length may decide anything.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export interface BorrowFinding {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

/** What tells of the call whether more is to be wiped, or less: that there is a copy, or that what lies there is public. */
const FLAGS = ['clean', 'copied', 'fresh', 'right', 'own !== mode'];
/** Functions that make one address of others. */
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

const isWipe = (statement: ts.Statement, kernel: string): boolean =>
  ts.isExpressionStatement(statement) &&
  ts.isCallExpression(statement.expression) &&
  ts.isPropertyAccessExpression(statement.expression.expression) &&
  statement.expression.expression.expression.getText() === kernel &&
  called(statement.expression) === 'wipe';

/** What runs whatever happens in a `try`, or if it throws, where the kernel has wiped if it does not. */
function cleanupOf({ finallyBlock, catchClause }: ts.TryStatement): ts.Block | undefined {
  if (finallyBlock) return finallyBlock;
  const last = catchClause?.block.statements.at(-1);
  return last && ts.isThrowStatement(last) ? catchClause?.block : undefined;
}

const isFlag = (x: ts.Expression): boolean => {
  if (FLAGS.includes(x.getText())) return true;
  if (ts.isPrefixUnaryExpression(x)) return x.operator === ts.SyntaxKind.ExclamationToken && isFlag(x.operand);
  return (
    ts.isBinaryExpression(x) && x.operatorToken.kind === ts.SyntaxKind.BarBarToken && isFlag(x.left) && isFlag(x.right)
  );
};

/** A call, or one that a flag decides. */
const isPlain = (statement: ts.Statement): boolean =>
  (ts.isExpressionStatement(statement) && ts.isCallExpression(statement.expression)) ||
  ts.isThrowStatement(statement) ||
  (ts.isIfStatement(statement) &&
    isFlag(statement.expression) &&
    isPlain(statement.thenStatement) &&
    !statement.elseStatement);

const SUMS = [ts.SyntaxKind.PlusToken, ts.SyntaxKind.MinusToken, ts.SyntaxKind.AsteriskToken];

/** Sums and products of names and numbers, and the one choice that there is: without additional data AAD holds nothing. */
function isFormula(x: ts.Expression): boolean {
  if (ts.isIdentifier(x) || ts.isNumericLiteral(x)) return true;
  if (ts.isPropertyAccessExpression(x)) return isFormula(x.expression);
  if (ts.isParenthesizedExpression(x)) return isFormula(x.expression);
  if (ts.isBinaryExpression(x)) return SUMS.includes(x.operatorToken.kind) && isFormula(x.left) && isFormula(x.right);
  if (ts.isCallExpression(x)) return FORMULAS.includes(called(x)) && x.arguments.every(isFormula);
  return ts.isConditionalExpression(x) && x.getText().startsWith('aadLength ? AAD : ') && isFormula(x.whenFalse);
}

/** Of the statements behind the one that borrows, those in front of `try` only name what comes later. */
const isPreparation = (statement: ts.Statement, kernel: string): boolean =>
  ts.isVariableStatement(statement) &&
  statement.declarationList.declarations.every(
    ({ initializer: x }) =>
      !x || ts.isArrowFunction(x) || x.getText() === kernel || !x.getText().includes(`${kernel}.`),
  );

/** Pages are clean, so that they need no wiping, by this function and no other. */
const CLEAN = { name: 'onlyCiphertext', body: 'back === 0 && length % SET === 0' };

/** Whether an assignment to `clean`, or the definition of what it is, is another. */
function isOtherwiseClean(node: ts.Node): boolean {
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken)
    return node.left.getText() === 'clean' && !node.right.getText().startsWith(`${CLEAN.name}(`);
  if (!ts.isVariableDeclaration(node) || !node.initializer) return false;
  if (node.name.getText() === 'clean') return node.initializer.getText() !== 'false';
  if (node.name.getText() !== CLEAN.name) return false;
  return !ts.isArrowFunction(node.initializer) || node.initializer.body.getText() !== CLEAN.body;
}

export function borrowFindings(file: string, text: string): BorrowFinding[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: BorrowFinding[] = [];
  const tell = (node: ts.Node, message: string): void => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    found.push({ file, line: line + 1, message });
  };

  function checkBorrow(statements: readonly ts.Statement[], at: number, kernel: string): void {
    let next = at + 1;
    while (next < statements.length && isPreparation(statements[next], kernel)) next++;
    const statement = statements.at(next);
    const cleanup = statement && ts.isTryStatement(statement) ? cleanupOf(statement) : undefined;
    if (!cleanup) tell(statements[at], `${kernel} is borrowed, and what follows is no try that wipes`);
    else if (!cleanup.statements.some((one) => isWipe(one, kernel)))
      tell(cleanup, `${kernel} is not wiped whatever happens`);
    else
      cleanup.statements
        .filter((one) => !isPlain(one))
        .forEach((one) => {
          tell(one, `more than a call decides what is wiped of ${kernel}`);
        });
  }

  function visit(node: ts.Node): void {
    if (ts.isBlock(node) || ts.isSourceFile(node))
      node.statements.forEach((statement, i) => {
        const kernel = borrowed(statement);
        if (kernel !== undefined) checkBorrow(node.statements, i, kernel);
      });
    if (ts.isTryStatement(node) && node.finallyBlock)
      node.finallyBlock.statements
        .filter((one) => !isPlain(one))
        .forEach((one) => {
          tell(one, 'what is wiped depends on more than a flag');
        });
    if (ts.isCallExpression(node) && called(node) === 'wipe')
      node.arguments
        .filter((one) => !isFormula(one))
        .forEach((one) => {
          tell(one, 'where is wiped is no sum of addresses and lengths');
        });
    if (isOtherwiseClean(node)) tell(node, 'pages are clean on another condition');
    ts.forEachChild(node, visit);
  }
  visit(source);
  return found;
}

const src = join(import.meta.dirname, '../../../lanewise/src');

/** Of all sources in a folder of the library. */
export const borrowFindingsIn = (folder: string): BorrowFinding[] =>
  readdirSync(join(src, folder))
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => borrowFindings(`${folder}/${name}`, readFileSync(join(src, folder, name), 'utf8')));
