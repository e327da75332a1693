/**
 * From the stack machine to trees. Operands keep their order, and JavaScript computes from left to right as WebAssembly
 * does. Statements happen at an empty stack only, so nothing that waits on the stack can see their effects; the same is
 * checked of `local.tee`, the only assignment inside of an expression.
 */
import type { DecodedFunction, Instruction } from './decode.ts';
import { isBinary, isUnary } from './instructions.ts';
import { constant, contains, sum, type Expression, type Place, type Statement } from './tree.ts';

const WORD_ALIGN = 2;

/** A constant for a local that nothing ever assigns, and for arithmetic that then comes to nothing. */
const simplified = (left: Expression, name: string, right: Expression): Expression | undefined => {
  if (name === 'i32.add') return sum(left, right);
  return name === 'i32.sub' && right.kind === 'constant' && right.value === 0 ? left : undefined;
};

export function lift(
  { code, parameters, result }: DecodedFunction,
  functions: readonly DecodedFunction[],
): Statement[] {
  const assigned = new Set<number>(parameters.keys());
  for (const { name, value } of code) if (name === 'local.set' || name === 'local.tee') assigned.add(value);

  let next = 0;
  const stack: Expression[] = [];

  const refuse = (message: string, { at, name }: Instruction): never => {
    throw new Error(`${message}: ${name} at ${at}`);
  };
  const pop = (by: Instruction): Expression => stack.pop() ?? refuse('nothing on the stack', by);
  const nothingWaits = (by: Instruction): void => {
    if (stack.length) refuse('a value waits on the stack', by);
  };

  function place(by: Instruction, address: Expression): Place {
    if (by.name.includes('8')) return { unit: 'byte', address, offset: by.value };
    return { unit: by.align < WORD_ALIGN ? 'unaligned' : 'word', address, offset: by.value };
  }

  /** Pushes the value of an instruction; false if it is not that of an expression. */
  function expression(by: Instruction): boolean {
    const { name, value } = by;
    if (isUnary(name)) {
      stack.push({ kind: 'unary', name, operand: pop(by) });
    } else if (isBinary(name)) {
      const right = pop(by);
      const left = pop(by);
      stack.push(simplified(left, name, right) ?? { kind: 'binary', name, left, right });
    } else if (name === 'i32.const' || name === 'f64.const') {
      stack.push(constant(value));
    } else if (name === 'local.get') {
      stack.push(assigned.has(value) ? { kind: 'local', index: value } : constant(0));
    } else if (name === 'local.tee') {
      const x = pop(by);
      if (stack.some((waiting) => contains(waiting, (part) => part.kind === 'local' && part.index === value)))
        refuse('the old value waits on the stack', by);
      stack.push({ kind: 'tee', index: value, value: x });
    } else if (name === 'i32.load' || name === 'i32.load8_u') {
      stack.push({ kind: 'load', place: place(by, pop(by)) });
    } else {
      return false;
    }
    return true;
  }

  function statement(by: Instruction): Statement | undefined {
    const { name, value } = by;
    if (name === 'local.set') return { kind: 'set', index: value, value: pop(by) };
    if (name === 'i32.store' || name === 'i32.store8') {
      const x = pop(by);
      return { kind: 'store', place: place(by, pop(by)), value: x };
    }
    if (name === 'memory.fill' || name === 'memory.copy') {
      const length = pop(by);
      const second = pop(by);
      const to = pop(by);
      return name === 'memory.fill'
        ? { kind: 'fill', to, value: second, length }
        : { kind: 'copy', to, from: second, length };
    }
    if (name === 'call') {
      const callee = functions[value] ?? refuse('no such function', by);
      const operands = callee.parameters.map(() => pop(by)).reverse();
      if (!callee.result) return { kind: 'call', callee: value, operands };
      stack.push({ kind: 'call', callee: value, operands });
      return undefined;
    }
    if (name === 'if') {
      const condition = pop(by);
      nothingWaits(by);
      const then = statements('if');
      const otherwise = code[next - 1].name === 'else' ? statements('else') : [];
      return { kind: 'if', condition, then, otherwise };
    }
    if (name === 'loop') {
      nothingWaits(by);
      const body = statements('loop');
      const branch = code[next - 1];
      const again = pop(branch);
      nothingWaits(branch);
      // A loop has one way back, at its end.
      if (branch.value !== 0 || code[next++].name !== 'end') refuse('not at the end of a loop', branch);
      return { kind: 'loop', body, again };
    }
    return refuse('unexpected', by);
  }

  /** Reads up to and including the end of a block: the branch of a loop, the `else` or `end` of an `if`, the `end` of a function. */
  function statements(of: 'function' | 'if' | 'else' | 'loop'): Statement[] {
    const list: Statement[] = [];
    for (;;) {
      const by = code[next++];
      if (by.name === 'br_if' && of === 'loop') return list;
      if ((by.name === 'end' && of !== 'loop') || (by.name === 'else' && of === 'if')) {
        if (of === 'function' && result) list.push({ kind: 'return', value: pop(by) });
        nothingWaits(by);
        return list;
      }
      if (expression(by)) continue;
      const made = statement(by);
      if (!made) continue;
      nothingWaits(by);
      list.push(made);
    }
  }

  const all = statements('function');
  if (next !== code.length) refuse('code behind the end of the function', code[next]);
  return all;
}
