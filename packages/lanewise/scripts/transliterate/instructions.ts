/**
 * The instructions that may occur in a kernel that becomes JavaScript. All others are refused: 64-bit
 * integers and vectors, which JavaScript lacks; `select` and tables, which would hide a choice; rounding functions and
 * conversions from unsigned, because some engines branch on the value.
 * WebAssembly core specification §5.4
 */

/** The immediates after the opcode. */
export type Immediates = 'none' | 'index' | 'blockType' | 'memory' | 'i32' | 'f64' | 'memoryIndex' | 'memoryIndices';

/** How an expression of one or two operands is made of them; control, variables, memory and calls are `other`. */
export type Arity = 'unary' | 'binary' | 'other';

const table = [
  [0x03, 'loop', 'other', 'blockType'],
  [0x04, 'if', 'other', 'blockType'],
  [0x05, 'else', 'other', 'none'],
  [0x0b, 'end', 'other', 'none'],
  [0x0d, 'br_if', 'other', 'index'],
  [0x10, 'call', 'other', 'index'],
  [0x20, 'local.get', 'other', 'index'],
  [0x21, 'local.set', 'other', 'index'],
  [0x22, 'local.tee', 'other', 'index'],
  [0x28, 'i32.load', 'other', 'memory'],
  [0x2d, 'i32.load8_u', 'other', 'memory'],
  [0x36, 'i32.store', 'other', 'memory'],
  [0x3a, 'i32.store8', 'other', 'memory'],
  [0x41, 'i32.const', 'other', 'i32'],
  [0x44, 'f64.const', 'other', 'f64'],
  [0x45, 'i32.eqz', 'unary', 'none'],
  [0x46, 'i32.eq', 'binary', 'none'],
  [0x47, 'i32.ne', 'binary', 'none'],
  [0x49, 'i32.lt_u', 'binary', 'none'],
  [0x4b, 'i32.gt_u', 'binary', 'none'],
  [0x4d, 'i32.le_u', 'binary', 'none'],
  [0x4f, 'i32.ge_u', 'binary', 'none'],
  [0x6a, 'i32.add', 'binary', 'none'],
  [0x6b, 'i32.sub', 'binary', 'none'],
  [0x6c, 'i32.mul', 'binary', 'none'],
  [0x71, 'i32.and', 'binary', 'none'],
  [0x72, 'i32.or', 'binary', 'none'],
  [0x73, 'i32.xor', 'binary', 'none'],
  [0x74, 'i32.shl', 'binary', 'none'],
  [0x75, 'i32.shr_s', 'binary', 'none'],
  [0x76, 'i32.shr_u', 'binary', 'none'],
  [0x77, 'i32.rotl', 'binary', 'none'],
  [0x78, 'i32.rotr', 'binary', 'none'],
  [0xa0, 'f64.add', 'binary', 'none'],
  [0xa1, 'f64.sub', 'binary', 'none'],
  [0xa2, 'f64.mul', 'binary', 'none'],
  [0xaa, 'i32.trunc_f64_s', 'unary', 'none'],
  [0xb7, 'f64.convert_i32_s', 'unary', 'none'],
  [0xfc0a, 'memory.copy', 'other', 'memoryIndices'],
  [0xfc0b, 'memory.fill', 'other', 'memoryIndex'],
] as const satisfies readonly (readonly [opcode: number, name: string, arity: Arity, immediates: Immediates])[];

type Row = (typeof table)[number];
export type Name = Row[1];
export type Unary = Extract<Row, readonly [number, string, 'unary', ...unknown[]]>[1];
export type Binary = Extract<Row, readonly [number, string, 'binary', ...unknown[]]>[1];

export const byOpcode: ReadonlyMap<number, Row> = new Map(table.map((row) => [row[0], row]));

const named = (arity: Arity): ReadonlySet<Name> =>
  new Set(table.filter((row) => row[2] === arity).map((row) => row[1]));
const unaries = named('unary');
const binaries = named('binary');
export const isUnary = (name: Name): name is Unary => unaries.has(name);
export const isBinary = (name: Name): name is Binary => binaries.has(name);
