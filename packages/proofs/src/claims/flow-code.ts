// The functions of a module as JavaScript that follows secrets without values (flow.ts): a variable for each local and for each
// place of the stack. V8 compiles that, so it runs some ten times as fast as a loop over instructions.
import { compileFunction } from 'node:vm';
import { accessBytes, ENTRIES } from '../wasm/opcodes.ts';
import type { DecodedFunction, DecodedModule, Instruction } from '../wasm/types.ts';
import { Failure } from './claim.ts';

/** A number is known (as i32); `true` is secret; `false` is public and unknown. */
export type Value = number | boolean;

/** The effects of instructions on memory: bytes from one address up to, but not including, another. */
export interface FlowMemory {
  /** The instructions of the call so far. */
  steps: number;
  load(from: number, to: number, instruction: Instruction): boolean;
  store(from: number, to: number, secret: boolean, instruction: Instruction): void;
  copy(to: number, from: number, length: number, instruction: Instruction): void;
}

type FlowFunction = (memory: FlowMemory, ...parameters: readonly Value[]) => Value | undefined;

/** Five times the steps of the longest message: a damaged kernel that runs longer may never end. */
const MOST_STEPS = 20e6;

/** Operations on known numbers. Addresses, lengths and conditions must be known; other values need not be. */
const KNOWN: Readonly<Record<string, (x: string, y: string) => string>> = {
  'i32.add': (x, y) => `(${x} + ${y}) | 0`,
  'i32.sub': (x, y) => `(${x} - ${y}) | 0`,
  'i32.mul': (x, y) => `Math.imul(${x}, ${y})`,
  'i32.and': (x, y) => `${x} & ${y}`,
  'i32.or': (x, y) => `${x} | ${y}`,
  'i32.xor': (x, y) => `${x} ^ ${y}`,
  'i32.shl': (x, y) => `${x} << ${y}`,
  'i32.shr_u': (x, y) => `(${x} >>> ${y}) | 0`,
  'i32.eqz': (x) => `+(${x} === 0)`,
  'i32.eq': (x, y) => `+(${x} === ${y})`,
  'i32.ne': (x, y) => `+(${x} !== ${y})`,
  'i32.lt_u': (x, y) => `+(${x} >>> 0 < ${y} >>> 0)`,
  'i32.gt_u': (x, y) => `+(${x} >>> 0 > ${y} >>> 0)`,
  'i32.le_u': (x, y) => `+(${x} >>> 0 <= ${y} >>> 0)`,
  'i32.ge_u': (x, y) => `+(${x} >>> 0 >= ${y} >>> 0)`,
};

const functions = new WeakMap<DecodedModule, FlowFunction[]>();

/** The functions of a module by their indexes; each is compiled when it is first called. */
export function functionsOf(module: DecodedModule): readonly FlowFunction[] {
  const known = functions.get(module);
  if (known) return known;
  const all: FlowFunction[] = module.functions.map((definition, i) => (...parameters) => {
    all[i] = compiled(definition, module, all);
    return all[i](...parameters);
  });
  functions.set(module, all);
  return all;
}

function compiled(definition: DecodedFunction, module: DecodedModule, all: readonly FlowFunction[]): FlowFunction {
  const { code } = definition;
  const names = ['code', 'functions', 'refused', 'endless'];
  const make = compileFunction(flowText(definition, module), names) as (...values: unknown[]) => FlowFunction;
  const refused = (value: boolean, i: number): never => {
    const { op, at } = code[i];
    throw new Failure(`leak: ${op} at offset ${at} of the module depends on ${value ? 'a secret' : 'memory'}`);
  };
  const endless = (): never => {
    throw new Failure(`more than ${MOST_STEPS} steps`);
  };
  return make(code, all, refused, endless);
}

/** The text of a function: blocks become labelled blocks, whose labels have the indexes of the instructions that open them. */
export function flowText({ code, type, locals }: DecodedFunction, module: Pick<DecodedModule, 'functions'>): string {
  const lines: string[] = [];
  /** The open blocks with the heights of the stack at their start: blocks take and leave nothing. */
  const open: { readonly at: number; readonly height: number }[] = [];
  let height = 0;
  let most = 0;
  /** The number of open blocks of code after a `return`, which is left out; 0 if code is reached. */
  let dead = 0;
  let counted = 0;
  /** The line that counts the instructions up to the next branch or block. */
  let counter = 0;

  const pop = (): string => {
    if (--height < (open.at(-1)?.height ?? 0)) throw new Failure('the stack of a block is empty');
    return `s${height}`;
  };
  const push = (value: string): void => {
    lines.push(`s${height} = ${value};`);
    most = Math.max(most, ++height);
  };
  const known = (value: string, i: number): string =>
    `(typeof ${value} === 'number' ? ${value} : refused(${value}, ${i}))`;
  const address = (value: string, i: number): string => `(${known(value, i)} >>> 0)`;
  const count = (): void => {
    lines[counter] = counted ? `if ((m.steps += ${counted}) > ${MOST_STEPS}) endless();` : '';
    counted = 0;
    counter = lines.push('') - 1;
  };
  const begin = (i: number, opening: string): void => {
    open.push({ at: i, height });
    lines.push(`b${i}: ${opening} {`);
    count();
  };
  const returned = (): string => {
    if (type.results.length > 1) throw new Failure('a function with several results is not for kernels');
    return type.results.length ? `return s${height - 1};` : 'return;';
  };

  const control = (instruction: Instruction, i: number): boolean => {
    switch (instruction.op) {
      case 'block':
        begin(i, '');
        return true;
      case 'loop':
        begin(i, 'for (;;)');
        return true;
      case 'if':
        begin(i, `if (${known(pop(), i)})`);
        return true;
      case 'else':
        height = open.at(-1)!.height;
        lines.push('} else {');
        count();
        return true;
      case 'end': {
        const opener = open.pop();
        if (!opener) return true;
        ({ height } = opener);
        lines.push(code[opener.at].op === 'loop' ? 'break; }' : '}');
        count();
        return true;
      }
      case 'br_if': {
        const { opens } = instruction;
        const condition = known(pop(), i);
        if (opens < 0 && type.results.length) throw new Failure('a branch with a result is not for kernels');
        const way = opens < 0 ? 'return' : `${code[opens].op === 'loop' ? 'continue' : 'break'} b${opens}`;
        lines.push(`if (${condition}) ${way};`);
        count();
        return true;
      }
      case 'return':
        lines.push(returned());
        dead = 1;
        return true;
      default:
        return false;
    }
  };

  const compute = (instruction: Instruction, i: number): void => {
    const { op } = instruction;
    const { takes, leaves } = ENTRIES.get(op)!;
    // An operand too many would be left on the stack, and a secret in it would be lost.
    if (takes.length > 2 || takes.length + leaves.length === 0)
      throw new Failure(`${op} at offset ${instruction.at} of the module does not take one operand or two`);
    const y = takes.length > 1 ? pop() : 'false';
    const x = takes.length > 0 ? pop() : 'false';
    if ('offset' in instruction) {
      const [from, to] = [instruction.offset, instruction.offset + accessBytes(instruction.op)];
      lines.push(`a = ${address(x, i)};`);
      if (leaves.length) push(`m.load(a + ${from}, a + ${to}, code[${i}])`);
      else lines.push(`m.store(a + ${from}, a + ${to}, ${y} === true, code[${i}]);`);
      return;
    }
    if (leaves.length === 0) return;
    const secret = `${x} === true || ${y} === true`;
    const numbers = [x, y].slice(0, takes.length).map((value) => `typeof ${value} === 'number'`);
    push(op in KNOWN ? `${numbers.join(' && ')} ? ${KNOWN[op](x, y)} : ${secret}` : secret);
  };

  const plain = (instruction: Instruction, i: number): void => {
    switch (instruction.op) {
      case 'local.get':
        push(`l${instruction.local}`);
        return;
      case 'local.set':
        lines.push(`l${instruction.local} = ${pop()};`);
        return;
      case 'local.tee':
        lines.push(`l${instruction.local} = s${height - 1};`);
        return;
      case 'i32.const':
        push(`${instruction.value}`);
        return;
      case 'call': {
        const { parameters, results } = module.functions[instruction.callee].type;
        const operands = parameters.map(() => pop()).reverse();
        const call = `functions[${instruction.callee}](${['m', ...operands].join(', ')})`;
        if (results.length) push(call);
        else lines.push(`${call};`);
        return;
      }
      case 'memory.fill':
      case 'memory.copy': {
        const [length, what, to] = [address(pop(), i), pop(), address(pop(), i)];
        lines.push(
          instruction.op === 'memory.copy'
            ? `m.copy(${to}, ${address(what, i)}, ${length}, code[${i}]);`
            : `a = ${to}; m.store(a, a + ${length}, ${what} === true, code[${i}]);`,
        );
        return;
      }
      default:
        compute(instruction, i);
    }
  };

  count();
  for (const [i, instruction] of code.entries()) {
    const { op, at } = instruction;
    if (!ENTRIES.get(op)!.emitted) throw new Failure(`${op} at offset ${at} of the module is not for kernels`);
    if (dead > 0) {
      if (op === 'block' || op === 'loop' || op === 'if') dead++;
      else if (op === 'end') dead--;
      else if (op === 'else' && dead === 1) dead = 0;
      if (dead > 0 || (op !== 'else' && op !== 'end')) continue;
      // The end of a block within the code that is left out has no opener that was written.
      if (op === 'end' && open.length === 0) continue;
    }
    if (op !== 'end') counted++;
    if (!control(instruction, i)) plain(instruction, i);
  }
  const ended = height < type.results.length ? '' : returned();
  count();
  const parameters = type.parameters.map((_, i) => `l${i}`);
  const declared = locals.map((t, i) => `l${i} = ${t === 'i32' ? 0 : false}`).slice(parameters.length);
  const variables = [...declared, ...Array.from({ length: most }, (_, i) => `s${i} = false`), 'a = 0'];
  return [
    `return function (${['m', ...parameters.map((name, i) => `${name} = ${type.parameters[i] === 'i32' ? 0 : false}`)].join(', ')}) {`,
    `let ${variables.join(', ')};`,
    ...lines,
    ended,
    '};',
  ].join('\n');
}
