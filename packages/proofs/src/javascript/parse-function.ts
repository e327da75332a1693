// Parses the functions of a generated file into statements and expressions, in which variables are numbers.
import ts from 'typescript';
import { isIntrinsic, type Intrinsic } from './intrinsics.ts';
import { lineOf, refuse } from './refuse.ts';
import type { Comparison, Condition, Expression, FunctionText, Operator, Statement, View } from './syntax.ts';

/** The names that functions may use besides their own variables: views, and functions with their numbers of parameters. */
export interface Globals {
  /** The imported names. */
  readonly intrinsics: ReadonlySet<Intrinsic>;
  readonly views: Map<string, View>;
  readonly functions: Map<string, number>;
}

const operators = new Map<ts.SyntaxKind, Operator>([
  [ts.SyntaxKind.PlusToken, '+'],
  [ts.SyntaxKind.MinusToken, '-'],
  [ts.SyntaxKind.AsteriskToken, '*'],
  [ts.SyntaxKind.AmpersandToken, '&'],
  [ts.SyntaxKind.BarToken, '|'],
  [ts.SyntaxKind.CaretToken, '^'],
  [ts.SyntaxKind.LessThanLessThanToken, '<<'],
  [ts.SyntaxKind.GreaterThanGreaterThanToken, '>>'],
  [ts.SyntaxKind.GreaterThanGreaterThanGreaterThanToken, '>>>'],
]);
/** The tokens of assignments, each with the operator before its `=` if there is one. */
const assignments = new Map<ts.SyntaxKind, Operator | undefined>([
  [ts.SyntaxKind.EqualsToken, undefined],
  [ts.SyntaxKind.PlusEqualsToken, '+'],
  [ts.SyntaxKind.MinusEqualsToken, '-'],
  [ts.SyntaxKind.AsteriskEqualsToken, '*'],
  [ts.SyntaxKind.AmpersandEqualsToken, '&'],
  [ts.SyntaxKind.BarEqualsToken, '|'],
  [ts.SyntaxKind.CaretEqualsToken, '^'],
  [ts.SyntaxKind.LessThanLessThanEqualsToken, '<<'],
  [ts.SyntaxKind.GreaterThanGreaterThanEqualsToken, '>>'],
  [ts.SyntaxKind.GreaterThanGreaterThanGreaterThanEqualsToken, '>>>'],
]);
const comparisons = new Map<ts.SyntaxKind, Comparison>([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '==='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.LessThanToken, '<'],
  [ts.SyntaxKind.LessThanEqualsToken, '<='],
  [ts.SyntaxKind.GreaterThanToken, '>'],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>='],
]);

/** `let`, `const` and the two kinds of `using` share bits. */
export const isDeclaredBy = (list: ts.VariableDeclarationList, kind: ts.NodeFlags): boolean =>
  ((list.flags & ts.NodeFlags.BlockScoped) as ts.NodeFlags) === kind;

/** The variables in scope, innermost block first. */
type Scope = readonly Map<string, number>[];

export const functionParser =
  (globals: Globals) =>
  (name: string, node: ts.FunctionDeclaration | ts.ArrowFunction): FunctionText => {
    let slots = 0;
    const names: string[] = [];
    const declare = (scope: Scope, called: ts.BindingName): number => {
      if (!ts.isIdentifier(called)) return refuse(called, 'a pattern');
      const { text } = called;
      // Each name is declared only once, so textual order decides its meaning, and hoisting never does.
      const taken = [...scope, globals.views, globals.functions].some((names) => names.has(text));
      if (taken || isIntrinsic(text)) return refuse(called, 'a name that is taken');
      scope[0].set(text, slots);
      names.push(text);
      return slots++;
    };

    const slotOf = (scope: Scope, called: ts.Identifier): number =>
      scope.find((block) => block.has(called.text))?.get(called.text) ?? refuse(called, 'an unknown name');

    const viewOf = (called: ts.Expression): View =>
      (ts.isIdentifier(called) ? globals.views.get(called.text) : undefined) ?? refuse(called, 'not a view');

    /** Whether a called name is this intrinsic; no other function may have the name. */
    const isImported = (called: ts.Expression, intrinsic: Intrinsic): boolean =>
      ts.isIdentifier(called) && called.text === intrinsic && globals.intrinsics.has(intrinsic);

    function call(scope: Scope, node: ts.CallExpression): Expression {
      const { expression: callee, arguments: operands } = node;
      if (node.questionDotToken) return refuse(node, 'a call that may not happen');
      const values = operands.map((operand) => expression(scope, operand));
      const line = lineOf(node);
      if (ts.isIdentifier(callee) && globals.functions.get(callee.text) === values.length)
        return { kind: 'call', callee: callee.text, operands: values, line };
      if (isImported(callee, 'imul') && values.length === 2)
        return { kind: 'imul', left: values[0], right: values[1], line };
      return refuse(node, 'a call');
    }

    function expression(scope: Scope, node: ts.Expression): Expression {
      const line = lineOf(node);
      if (ts.isParenthesizedExpression(node)) return expression(scope, node.expression);
      if (ts.isNumericLiteral(node)) {
        // 010 would be octal, and Number() does not parse 1_000.
        if (!/^((0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?|0x[\da-f]+)$/i.test(node.getText())) return refuse(node, 'a number');
        return { kind: 'number', value: Number(node.getText()), line };
      }
      if (ts.isIdentifier(node)) return { kind: 'variable', slot: slotOf(scope, node), line };
      if (ts.isElementAccessExpression(node) && !node.questionDotToken)
        return {
          kind: 'element',
          view: viewOf(node.expression),
          index: expression(scope, node.argumentExpression),
          line,
        };
      if (ts.isPrefixUnaryExpression(node)) {
        const operand = expression(scope, node.operand);
        if (node.operator === ts.SyntaxKind.MinusToken) return { kind: 'unary', operator: '-', operand, line };
        if (node.operator === ts.SyntaxKind.TildeToken) return { kind: 'unary', operator: '~', operand, line };
      }
      if (ts.isConditionalExpression(node))
        return {
          kind: 'choice',
          condition: condition(scope, node.condition),
          then: expression(scope, node.whenTrue),
          otherwise: expression(scope, node.whenFalse),
          line,
        };
      if (ts.isCallExpression(node)) return call(scope, node);
      if (ts.isBinaryExpression(node)) {
        const operator = operators.get(node.operatorToken.kind);
        if (operator)
          return {
            kind: 'binary',
            operator,
            left: expression(scope, node.left),
            right: expression(scope, node.right),
            line,
          };
        if (assignments.has(node.operatorToken.kind) && ts.isIdentifier(node.left)) return assignment(scope, node);
      }
      return refuse(node, 'an expression');
    }

    /** `x = value` or `x += value`, which reads x first. */
    function assignment(scope: Scope, node: ts.BinaryExpression): Expression {
      const line = lineOf(node);
      const slot = slotOf(scope, node.left as ts.Identifier);
      const operator = assignments.get(node.operatorToken.kind);
      const right = expression(scope, node.right);
      const value: Expression = operator
        ? { kind: 'binary', operator, left: { kind: 'variable', slot, line }, right, line }
        : right;
      return { kind: 'assign', slot, value, line };
    }

    function condition(scope: Scope, node: ts.Expression): Condition {
      const line = lineOf(node);
      if (ts.isParenthesizedExpression(node)) return condition(scope, node.expression);
      if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
        return { kind: 'not', operand: condition(scope, node.operand), line };
      if (!ts.isBinaryExpression(node)) return refuse(node, 'a condition');
      const { kind } = node.operatorToken;
      const operator = comparisons.get(kind);
      if (operator)
        return {
          kind: 'compare',
          operator,
          left: expression(scope, node.left),
          right: expression(scope, node.right),
          line,
          at: node.getStart(),
        };
      const and = kind === ts.SyntaxKind.AmpersandAmpersandToken;
      if (!and && kind !== ts.SyntaxKind.BarBarToken) return refuse(node, 'a condition');
      return { kind: and ? 'and' : 'or', left: condition(scope, node.left), right: condition(scope, node.right), line };
    }

    /** `fillBytes(view, value, start, end)` and `moveBytes(view, target, start, end)` */
    function bulk(scope: Scope, node: ts.CallExpression): Statement | undefined {
      const { expression: callee, arguments: operands } = node;
      const [fills, moves] = [isImported(callee, 'fillBytes'), isImported(callee, 'moveBytes')];
      if (!fills && !moves) return undefined;
      if (operands.length !== 4 || node.questionDotToken) return refuse(node, 'a call');
      const view = viewOf(operands[0]);
      if (view.elementBytes !== 1) return refuse(node, 'a view of words');
      const [first, start, end] = operands.slice(1).map((operand) => expression(scope, operand));
      const line = lineOf(node);
      return fills
        ? { kind: 'fill', value: first, start, end, line }
        : { kind: 'copyWithin', target: first, start, end, line };
    }

    /** An expression as a statement, for its effect. */
    function action(scope: Scope, node: ts.Expression): Statement {
      const line = lineOf(node);
      if (ts.isCallExpression(node))
        return bulk(scope, node) ?? { kind: 'evaluate', expression: call(scope, node), line };
      if (ts.isPostfixUnaryExpression(node) && ts.isIdentifier(node.operand)) {
        const slot = slotOf(scope, node.operand);
        const operator = node.operator === ts.SyntaxKind.PlusPlusToken ? '+' : '-';
        const left: Expression = { kind: 'variable', slot, line };
        const value: Expression = { kind: 'binary', operator, left, right: { kind: 'number', value: 1, line }, line };
        return { kind: 'evaluate', expression: { kind: 'assign', slot, value, line }, line };
      }
      // Bundlers keep an initialising expression without its variable if nothing reads the variable.
      if (!ts.isBinaryExpression(node) || !assignments.has(node.operatorToken.kind))
        return { kind: 'evaluate', expression: expression(scope, node), line };
      if (ts.isIdentifier(node.left)) return { kind: 'evaluate', expression: assignment(scope, node), line };
      const to = expression(scope, node.left);
      if (to.kind !== 'element') return refuse(node, 'a target');
      const operator = assignments.get(node.operatorToken.kind);
      return { kind: 'store', view: to.view, index: to.index, operator, value: expression(scope, node.right), line };
    }

    function declarations(scope: Scope, list: ts.VariableDeclarationList): Statement[] {
      if (!isDeclaredBy(list, ts.NodeFlags.Let)) return refuse(list, 'a declaration');
      return list.declarations.map((node) => {
        const line = lineOf(node);
        const value = node.initializer ? expression(scope, node.initializer) : refuse(node, 'a variable without value');
        const slot = declare(scope, node.name);
        return { kind: 'evaluate', expression: { kind: 'assign', slot, value, line }, line };
      });
    }

    const inner = (scope: Scope, node: ts.Statement): Statement[] =>
      statements([new Map(), ...scope], ts.isBlock(node) ? node.statements : [node]);

    function loop(scope: Scope, node: ts.ForStatement): Statement[] {
      if (!node.initializer || !node.condition || !node.incrementor) return refuse(node, 'a loop');
      const within: Scope = [new Map(), ...scope];
      const first = ts.isVariableDeclarationList(node.initializer)
        ? declarations(within, node.initializer)
        : [action(within, node.initializer)];
      const again = condition(within, node.condition);
      const body = [...inner(within, node.statement), action(within, node.incrementor)];
      return [...first, { kind: 'while', condition: again, body, line: lineOf(node) }];
    }

    function statement(scope: Scope, node: ts.Statement): Statement[] {
      const line = lineOf(node);
      if (ts.isExpressionStatement(node)) return [action(scope, node.expression)];
      if (ts.isVariableStatement(node)) return declarations(scope, node.declarationList);
      if (ts.isBlock(node)) return inner(scope, node);
      if (ts.isForStatement(node)) return loop(scope, node);
      if (ts.isDoStatement(node)) {
        const body = inner(scope, node.statement);
        return [{ kind: 'do', body, condition: condition(scope, node.expression), line }];
      }
      if (ts.isWhileStatement(node)) {
        const again = condition(scope, node.expression);
        return [{ kind: 'while', condition: again, body: inner(scope, node.statement), line }];
      }
      if (ts.isIfStatement(node)) {
        const holds = condition(scope, node.expression);
        const then = inner(scope, node.thenStatement);
        const otherwise = node.elseStatement ? inner(scope, node.elseStatement) : [];
        return [{ kind: 'if', condition: holds, then, otherwise, line }];
      }
      return refuse(node, 'a statement');
    }

    const statements = (scope: Scope, nodes: readonly ts.Statement[]): Statement[] =>
      nodes.flatMap((node) => statement(scope, node));

    return parseFunction();

    function parseFunction(): FunctionText {
      if (node.asteriskToken || node.modifiers?.length) return refuse(node, 'a function that is not plain');
      const outermost: Scope = [new Map()];
      for (const parameter of node.parameters) {
        if (parameter.initializer || parameter.dotDotDotToken || parameter.questionToken)
          return refuse(parameter, 'a parameter that is not plain');
        declare(outermost, parameter.name);
      }
      const parameters = slots;
      const shape = { name, parameters, line: lineOf(node), at: node.getStart() };
      if (!node.body) return refuse(node, 'no body');
      if (!ts.isBlock(node.body)) return { ...shape, body: [], result: expression(outermost, node.body), slots, names };
      // A function returns only at its end.
      const last = node.body.statements.at(-1);
      const returned = last && ts.isReturnStatement(last) ? last.expression : undefined;
      const body = statements(outermost, returned ? node.body.statements.slice(0, -1) : node.body.statements);
      const result = returned ? expression(outermost, returned) : undefined;
      return { ...shape, body, result, slots, names };
    }
  };
