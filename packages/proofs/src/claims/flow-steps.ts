// The instructions of a function in the form in which flow.ts executes them: everything about each is looked up once.
import { accessBytes, ENTRIES } from '../wasm/opcodes.ts';
import type { DecodedFunction, Instruction } from '../wasm/types.ts';
import { Failure } from './claim.ts';

/** Operations on known numbers. Addresses, lengths and conditions must be known; other values need not be. */
const KNOWN: Readonly<Record<string, (x: number, y: number) => number>> = {
  'i32.add': (x, y) => (x + y) | 0,
  'i32.sub': (x, y) => (x - y) | 0,
  'i32.mul': (x, y) => Math.imul(x, y),
  'i32.and': (x, y) => x & y,
  'i32.or': (x, y) => x | y,
  'i32.xor': (x, y) => x ^ y,
  'i32.shl': (x, y) => x << y,
  'i32.shr_u': (x, y) => (x >>> y) | 0,
  'i32.eqz': (x) => Number(x === 0),
  'i32.eq': (x, y) => Number(x === y),
  'i32.ne': (x, y) => Number(x !== y),
  'i32.lt_u': (x, y) => Number(x >>> 0 < y >>> 0),
  'i32.gt_u': (x, y) => Number(x >>> 0 > y >>> 0),
  'i32.le_u': (x, y) => Number(x >>> 0 <= y >>> 0),
  'i32.ge_u': (x, y) => Number(x >>> 0 >= y >>> 0),
};

export const Kind = {
  End: 0,
  If: 1,
  BranchIf: 2,
  Jump: 3,
  Call: 4,
  Get: 5,
  Set: 6,
  Tee: 7,
  Constant: 8,
  Move: 9,
  Plain: 10,
  Open: 11,
} as const;

/** An instruction, with its effect on the stack and its operation looked up. */
export interface Step {
  readonly instruction: Instruction;
  readonly kind: (typeof Kind)[keyof typeof Kind];
  /** The instruction before the one where a branch goes on: blocks take and leave nothing, so the stack stays. */
  readonly to: number;
  /** A constant, a local, a function, the offset of an access, the block that a branch leaves or repeats. */
  readonly number: number;
  readonly takes: number;
  readonly leaves: number;
  readonly compute: ((x: number, y: number) => number) | undefined;
  /** The number of bytes that an access reaches. */
  readonly reach: number;
}

const steps = new WeakMap<DecodedFunction, Step[]>();

export function stepsOf(definition: DecodedFunction): Step[] {
  const made = steps.get(definition) ?? definition.code.map((instruction) => stepOf(instruction, definition));
  steps.set(definition, made);
  return made;
}

function stepOf(instruction: Instruction, { code }: DecodedFunction): Step {
  const { op } = instruction;
  const { takes, leaves, emitted } = ENTRIES.get(op)!;
  if (!emitted) throw new Failure(`${op} at offset ${instruction.at} of the module is not for kernels`);
  const plain = {
    instruction,
    kind: Kind.Plain,
    to: 0,
    number: 0,
    takes: takes.length,
    leaves: leaves.length,
    compute: KNOWN[op],
    reach: 0,
  };
  if ('offset' in instruction) return { ...plain, number: instruction.offset, reach: accessBytes(instruction.op) };
  switch (instruction.op) {
    case 'block':
    case 'loop':
      return { ...plain, kind: Kind.Open };
    case 'end':
      return { ...plain, kind: Kind.End };
    case 'if':
      return { ...plain, kind: Kind.If, to: instruction.otherwise };
    case 'else':
      return { ...plain, kind: Kind.Jump, to: instruction.end };
    case 'br_if': {
      const opener = code[instruction.opens] as Instruction | undefined;
      const to = opener?.op === 'loop' ? instruction.opens : opener && 'end' in opener ? opener.end : code.length;
      return { ...plain, kind: Kind.BranchIf, number: instruction.opens, to };
    }
    case 'return':
      return { ...plain, kind: Kind.Jump, to: code.length };
    case 'call':
      return { ...plain, kind: Kind.Call, number: instruction.callee };
    case 'local.get':
      return { ...plain, kind: Kind.Get, number: instruction.local };
    case 'local.set':
      return { ...plain, kind: Kind.Set, number: instruction.local };
    case 'local.tee':
      return { ...plain, kind: Kind.Tee, number: instruction.local };
    case 'i32.const':
      return { ...plain, kind: Kind.Constant, number: instruction.value };
    case 'memory.fill':
    case 'memory.copy':
      return { ...plain, kind: Kind.Move };
    default:
      // An operand too many would be left on the stack, and a secret in it would be lost.
      if (takes.length > 2 || takes.length + leaves.length === 0)
        throw new Failure(`${op} at offset ${instruction.at} of the module does not take one operand or two`);
      return plain;
  }
}
