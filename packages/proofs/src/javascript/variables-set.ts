/** The variables that statements of a text set. */
import type { Condition, Expression, Statement } from './syntax.ts';

function* inExpression(x: Expression): Generator<number> {
  switch (x.kind) {
    case 'assign':
      yield x.slot;
      yield* inExpression(x.value);
      return;
    case 'unary':
      yield* inExpression(x.operand);
      return;
    case 'binary':
    case 'imul':
      yield* inExpression(x.left);
      yield* inExpression(x.right);
      return;
    case 'element':
      yield* inExpression(x.index);
      return;
    case 'choice':
      yield* inCondition(x.condition);
      yield* inExpression(x.then);
      yield* inExpression(x.otherwise);
      return;
    case 'call':
      for (const operand of x.operands) yield* inExpression(operand);
  }
}

function* inCondition(x: Condition): Generator<number> {
  if (x.kind === 'not') yield* inCondition(x.operand);
  else if (x.kind === 'compare') {
    yield* inExpression(x.left);
    yield* inExpression(x.right);
  } else {
    yield* inCondition(x.left);
    yield* inCondition(x.right);
  }
}

function* inStatement(x: Statement): Generator<number> {
  switch (x.kind) {
    case 'evaluate':
      yield* inExpression(x.expression);
      return;
    case 'store':
      yield* inExpression(x.index);
      yield* inExpression(x.value);
      return;
    case 'fill':
    case 'copyWithin':
      for (const each of x.kind === 'fill' ? [x.value, x.start, x.end] : [x.target, x.start, x.end])
        yield* inExpression(each);
      return;
    case 'if':
      yield* inCondition(x.condition);
      for (const each of [...x.then, ...x.otherwise]) yield* inStatement(each);
      return;
    case 'do':
    case 'while':
      yield* inCondition(x.condition);
      for (const each of x.body) yield* inStatement(each);
  }
}

export const variablesSetBy = (list: readonly Statement[]): Set<number> =>
  new Set(list.flatMap((each) => [...inStatement(each)]));
