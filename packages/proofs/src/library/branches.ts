// Branch coverage of the library's modules around the kernels, in an instrumented copy that records which ways
// conditions go: comparisons and other operands of `if`, `?:`, loops, `&&` and `||`. A kernel's claims cover its
// behaviour when it is called, and coverage claims find code that is never called; branch coverage finds the ways that
// the modules around the kernels never take.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

const source = join(import.meta.dirname, '../../../lanewise/src');

export interface Branch {
  readonly file: string;
  readonly text: string;
}

/** The ways that a condition went. */
interface Ways {
  held: boolean;
  failed: boolean;
}

/** The function that the copy calls with the number of a condition, and the condition. */
const HOOK = 'wentBranch';

const { AmpersandAmpersandToken: And, BarBarToken: Or, ExclamationToken: Not } = ts.SyntaxKind;

const isLogical = (x: ts.Node): x is ts.BinaryExpression =>
  ts.isBinaryExpression(x) && (x.operatorToken.kind === And || x.operatorToken.kind === Or);

/** The operands that a condition consists of. */
function operandsOf(x: ts.Expression): ts.Expression[] {
  if (ts.isParenthesizedExpression(x)) return operandsOf(x.expression);
  if (ts.isPrefixUnaryExpression(x) && x.operator === Not) return operandsOf(x.operand);
  return isLogical(x) ? [x.left, x.right].flatMap(operandsOf) : [x];
}

/** The condition of a node. */
function conditionOf(x: ts.Node): ts.Expression | undefined {
  if (ts.isIfStatement(x) || ts.isWhileStatement(x) || ts.isDoStatement(x)) return x.expression;
  if (ts.isConditionalExpression(x) || ts.isForStatement(x)) return x.condition;
  // The right operand is the result.
  return isLogical(x) ? x.left : undefined;
}

export function conditionsIn(text: string): ts.Expression[] {
  const file = ts.createSourceFile('file.ts', text, ts.ScriptTarget.ESNext, true);
  const found = new Set<ts.Expression>();
  const visit = (x: ts.Node): void => {
    const condition = conditionOf(x);
    if (condition) operandsOf(condition).forEach((operand) => found.add(operand));
    ts.forEachChild(x, visit);
  };
  visit(file);
  return [...found];
}

/** The text with each condition passed through the hook; the first has the number `first`. */
function instrumented(text: string, conditions: readonly ts.Expression[], first: number): string {
  const edits = conditions.flatMap((x, i) => [
    { at: x.getStart(), order: -x.getEnd(), piece: `${HOOK}(${first + i}, ` },
    { at: x.getEnd(), order: -Infinity, piece: ')' },
  ]);
  // A node that encloses another begins before it and ends after it.
  edits.sort((x, y) => x.at - y.at || x.order - y.order);
  let result = '';
  let from = 0;
  for (const { at, piece } of edits) {
    result += text.slice(from, at) + piece;
    from = at;
  }
  return result + text.slice(from);
}

/** A copy of the library in which some files are instrumented. */
export class BranchRecorder {
  readonly #folder = mkdtempSync(join(tmpdir(), 'lanewise-branches-'));
  readonly #branches: Branch[] = [];
  readonly #ways: Ways[] = [];

  /** With `edit`, the files' texts are changed before they are instrumented. */
  constructor(files: readonly string[], edit: (file: string, text: string) => string = (_, text) => text) {
    cpSync(source, this.#folder, { recursive: true });
    for (const file of files) {
      const text = edit(file, readFileSync(join(source, file), 'utf8'));
      const conditions = conditionsIn(text);
      writeFileSync(join(this.#folder, file), instrumented(text, conditions, this.#branches.length));
      for (const condition of conditions) {
        this.#branches.push({ file, text: condition.getText() });
        this.#ways.push({ held: false, failed: false });
      }
    }
    Object.assign(globalThis, {
      [HOOK]: (number: number, condition: unknown) => {
        if (condition) this.#ways[number].held = true;
        else this.#ways[number].failed = true;
        return condition;
      },
    });
  }

  /** Loads a module of the copy. */
  load(file: string): Promise<unknown> {
    return import(/* @vite-ignore */ pathToFileURL(join(this.#folder, file)).href);
  }

  get count(): number {
    return this.#branches.length;
  }

  /** The conditions that went only one way, or were never reached. */
  gaps(): string[] {
    return this.#branches.flatMap(({ file, text }, i) => {
      const { held, failed } = this.#ways[i];
      if (held && failed) return [];
      return [`${file}: ${text} ${held ? 'always holds' : failed ? 'never holds' : 'is not reached'}`];
    });
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }
}
