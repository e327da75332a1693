// The comparisons by which a function of the text decides, in the order in which they stand there.
import type { Condition, Expression, FunctionText, Statement } from './syntax.ts';

type Comparison = Condition & { readonly kind: 'compare' };

export function conditionsOf({ body, result }: FunctionText): Comparison[] {
  const found = [...body.flatMap(inStatement), ...(result ? inExpression(result) : [])];
  return found.sort((x, y) => x.at - y.at);
}

function inCondition(x: Condition): Comparison[] {
  switch (x.kind) {
    case 'compare':
      return [x, ...[x.left, x.right].flatMap(inExpression)];
    case 'not':
      return inCondition(x.operand);
    case 'and':
    case 'or':
      return [x.left, x.right].flatMap(inCondition);
  }
}

function inExpression(x: Expression): Comparison[] {
  switch (x.kind) {
    case 'number':
    case 'variable':
      return [];
    case 'unary':
      return inExpression(x.operand);
    case 'binary':
    case 'imul':
      return [x.left, x.right].flatMap(inExpression);
    case 'element':
      return inExpression(x.index);
    case 'assign':
      return inExpression(x.value);
    case 'choice':
      return [...inCondition(x.condition), ...[x.then, x.otherwise].flatMap(inExpression)];
    case 'call':
      return x.operands.flatMap(inExpression);
  }
}

function inStatement(x: Statement): Comparison[] {
  switch (x.kind) {
    case 'evaluate':
      return inExpression(x.expression);
    case 'store':
      return [x.index, x.value].flatMap(inExpression);
    case 'fill':
      return [x.value, x.start, x.end].flatMap(inExpression);
    case 'copyWithin':
      return [x.target, x.start, x.end].flatMap(inExpression);
    case 'if':
      return [...inCondition(x.condition), ...[...x.then, ...x.otherwise].flatMap(inStatement)];
    case 'do':
    case 'while':
      return [...inCondition(x.condition), ...x.body.flatMap(inStatement)];
  }
}
