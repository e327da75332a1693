/** The instructions of a function body. WebAssembly core specification §5.4 */
import { accessBytes, OPCODES, type OpcodeEntry, type OpcodeWith } from './opcodes.ts';
import type { Reader } from './reader.ts';
import { DecodeError, type Instruction, type InstructionWith } from './types.ts';

/** The indices that immediates may refer to. */
export interface Scope {
  readonly locals: number;
  readonly functions: number;
  readonly memories: number;
}

/** The prefix bytes before an instruction's number: §5.4.6 and §5.4.8. */
const PREFIXES: ReadonlySet<number> = new Set([0xfc, 0xfd]);
/** The type of a block without parameters and results: §5.4.1. */
const EMPTY = 0x40;

const hex = (code: number): string => '0x' + code.toString(16);

function opcode(reader: Reader): OpcodeEntry {
  const at = reader.at;
  const first = reader.byte();
  const number = PREFIXES.has(first) ? reader.u32() : undefined;
  // The table writes prefixed opcodes as prefix_number, with four hexadecimal digits for the number.
  const known = number === undefined ? OPCODES.get(first) : number < 0x10000 && OPCODES.get(first * 0x10000 + number);
  if (!known) {
    const name = number === undefined ? hex(first) : `${hex(first)} ${hex(number)}`;
    throw new DecodeError(`instruction ${name} is not one that kernels are made of`, at);
  }
  return known;
}

/** The open blocks, innermost last: the indexes of the instructions that opened them, -1 for the function. */
type Open = readonly number[];

/** Reads an index and checks that it is below `count`. */
function index(reader: Reader, count: number, what: string): number {
  const at = reader.at;
  const n = reader.u32();
  if (n >= count) throw new DecodeError(`there is no ${what} ${n}`, at);
  return n;
}

function memoryArgument(reader: Reader, op: OpcodeWith<'memory'>): { align: number; offset: number } {
  const at = reader.at;
  const align = reader.u32();
  // §3.3 (memory instructions): the hint is not larger than the access. Bit 6 would announce another memory.
  if (2 ** align > accessBytes(op)) throw new DecodeError('the alignment is larger than the access', at);
  return { align, offset: reader.u32() };
}

const LANES: Readonly<Record<OpcodeWith<'lane'>, number>> = {
  'i32x4.extract_lane': 4,
  'i64x2.extract_lane': 2,
  'f64x2.extract_lane': 2,
  'f64x2.replace_lane': 2,
};

function lane(reader: Reader, count: number): number {
  const at = reader.at;
  const n = reader.byte();
  if (n >= count) throw new DecodeError(`there is no lane ${n}`, at);
  return n;
}

/** Reads one instruction. A block does not know its end yet; `open` gives a branch its target. */
export function readInstruction(reader: Reader, scope: Scope, open: Open): Instruction {
  const at = reader.at;
  const { op, immediates } = opcode(reader);
  // The table pairs each name with its immediates, a relation that the two types cannot express.
  const made = (fields: object): Instruction => ({ op, at, ...fields }) as Instruction;
  switch (immediates) {
    case 'none':
      return made({});
    case 'block':
      if (reader.byte() !== EMPTY) throw new DecodeError('a block that is not of the empty type', at);
      return made({ end: -1, otherwise: -1 });
    case 'else':
      return made({ end: -1 });
    case 'end':
      return made({ opens: open[open.length - 1] });
    case 'label': {
      const depth = index(reader, open.length, 'block');
      return made({ depth, opens: open[open.length - 1 - depth] });
    }
    case 'function':
      return made({ callee: index(reader, scope.functions, 'function') });
    case 'local':
      return made({ local: index(reader, scope.locals, 'local') });
    case 'memory':
      if (scope.memories === 0) throw new DecodeError('there is no memory', at);
      return made(memoryArgument(reader, op as OpcodeWith<'memory'>));
    case 'memories':
      for (let i = op === 'memory.copy' ? 2 : 1; i > 0; i--) index(reader, scope.memories, 'memory');
      return made({});
    case 'i32':
      return made({ value: Number(reader.signed(32)) });
    case 'i64':
      return made({ value: reader.signed(64) });
    case 'f64':
      return made({ value: new DataView(reader.take(8).buffer).getFloat64(0, true) });
    case 'v128':
      return made({ bytes: reader.take(16) });
    case 'shuffle':
      return made({ lanes: Uint8Array.from({ length: 16 }, () => lane(reader, 32)) });
    case 'lane':
      return made({ lane: lane(reader, LANES[op as OpcodeWith<'lane'>]) });
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Opener = Mutable<InstructionWith<'block'>>;

/** Reads all instructions up to the `end` of the function, and records in each block the index where it is closed. */
export function readCode(reader: Reader, scope: Scope): Instruction[] {
  const code: Instruction[] = [];
  const open = [-1];
  while (open.length > 0) {
    const instruction = readInstruction(reader, scope, open);
    const here = code.push(instruction) - 1;
    const opener = code[open[open.length - 1]] as Opener | undefined;
    switch (instruction.op) {
      case 'block':
      case 'loop':
      case 'if':
        open.push(here);
        break;
      case 'else':
        if (opener?.op !== 'if' || opener.otherwise >= 0) throw new DecodeError('else without if', instruction.at);
        opener.otherwise = here;
        break;
      case 'end':
        open.pop();
        if (opener) close(code, opener, here);
    }
  }
  return code;
}

function close(code: Instruction[], opener: Opener, end: number): void {
  opener.end = end;
  if (opener.otherwise < 0) opener.otherwise = end;
  const otherwise = code[opener.otherwise];
  if (otherwise.op === 'else') (otherwise as Mutable<InstructionWith<'else'>>).end = end;
}
