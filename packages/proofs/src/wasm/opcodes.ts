/**
 * The instructions that the decoder accepts in a module: opcode, name, types of operands and results, immediates.
 * WebAssembly core specification §5.4 and its index of instructions.
 *
 * The list is a white-list in two parts. The first part has the instructions that the assembler can emit. The second
 * has instructions that no kernel may contain, but that the checks must be able to name: a leak by division is reported
 * as such.
 */

/** Opcodes after a prefix are written prefix_number. */
const EMITTED = [
  [0x02, 'block', '', 'block'],
  [0x03, 'loop', '', 'block'],
  [0x04, 'if', 'i32 →', 'block'],
  [0x05, 'else', '', 'else'],
  [0x0b, 'end', '', 'end'],
  [0x0d, 'br_if', 'i32 →', 'label'],
  [0x0f, 'return', '', 'none'],
  [0x10, 'call', '', 'function'],
  [0x20, 'local.get', '', 'local'],
  [0x21, 'local.set', '', 'local'],
  [0x22, 'local.tee', '', 'local'],

  [0x28, 'i32.load', 'i32 → i32', 'memory'],
  [0x29, 'i64.load', 'i32 → i64', 'memory'],
  [0x2b, 'f64.load', 'i32 → f64', 'memory'],
  [0x2d, 'i32.load8_u', 'i32 → i32', 'memory'],
  [0x35, 'i64.load32_u', 'i32 → i64', 'memory'],
  [0x36, 'i32.store', 'i32 i32 →', 'memory'],
  [0x37, 'i64.store', 'i32 i64 →', 'memory'],
  [0x39, 'f64.store', 'i32 f64 →', 'memory'],
  [0x3a, 'i32.store8', 'i32 i32 →', 'memory'],
  [0x3e, 'i64.store32', 'i32 i64 →', 'memory'],
  [0xfc_000a, 'memory.copy', 'i32 i32 i32 →', 'memories'],
  [0xfc_000b, 'memory.fill', 'i32 i32 i32 →', 'memories'],

  [0x41, 'i32.const', '→ i32', 'i32'],
  [0x42, 'i64.const', '→ i64', 'i64'],
  [0x44, 'f64.const', '→ f64', 'f64'],

  [0x45, 'i32.eqz', 'i32 → i32', 'none'],
  [0x46, 'i32.eq', 'i32 i32 → i32', 'none'],
  [0x47, 'i32.ne', 'i32 i32 → i32', 'none'],
  [0x49, 'i32.lt_u', 'i32 i32 → i32', 'none'],
  [0x4b, 'i32.gt_u', 'i32 i32 → i32', 'none'],
  [0x4d, 'i32.le_u', 'i32 i32 → i32', 'none'],
  [0x4f, 'i32.ge_u', 'i32 i32 → i32', 'none'],
  [0x50, 'i64.eqz', 'i64 → i32', 'none'],
  [0x51, 'i64.eq', 'i64 i64 → i32', 'none'],
  [0x52, 'i64.ne', 'i64 i64 → i32', 'none'],
  [0x54, 'i64.lt_u', 'i64 i64 → i32', 'none'],

  [0x6a, 'i32.add', 'i32 i32 → i32', 'none'],
  [0x6b, 'i32.sub', 'i32 i32 → i32', 'none'],
  [0x6c, 'i32.mul', 'i32 i32 → i32', 'none'],
  [0x71, 'i32.and', 'i32 i32 → i32', 'none'],
  [0x72, 'i32.or', 'i32 i32 → i32', 'none'],
  [0x73, 'i32.xor', 'i32 i32 → i32', 'none'],
  [0x74, 'i32.shl', 'i32 i32 → i32', 'none'],
  [0x75, 'i32.shr_s', 'i32 i32 → i32', 'none'],
  [0x76, 'i32.shr_u', 'i32 i32 → i32', 'none'],
  [0x77, 'i32.rotl', 'i32 i32 → i32', 'none'],
  [0x78, 'i32.rotr', 'i32 i32 → i32', 'none'],

  [0x7c, 'i64.add', 'i64 i64 → i64', 'none'],
  [0x7d, 'i64.sub', 'i64 i64 → i64', 'none'],
  [0x7e, 'i64.mul', 'i64 i64 → i64', 'none'],
  [0x83, 'i64.and', 'i64 i64 → i64', 'none'],
  [0x84, 'i64.or', 'i64 i64 → i64', 'none'],
  [0x85, 'i64.xor', 'i64 i64 → i64', 'none'],
  [0x86, 'i64.shl', 'i64 i64 → i64', 'none'],
  [0x88, 'i64.shr_u', 'i64 i64 → i64', 'none'],
  [0x89, 'i64.rotl', 'i64 i64 → i64', 'none'],
  [0x8a, 'i64.rotr', 'i64 i64 → i64', 'none'],

  [0x9c, 'f64.floor', 'f64 → f64', 'none'],
  [0xa0, 'f64.add', 'f64 f64 → f64', 'none'],
  [0xa1, 'f64.sub', 'f64 f64 → f64', 'none'],
  [0xa2, 'f64.mul', 'f64 f64 → f64', 'none'],

  [0xa7, 'i32.wrap_i64', 'i64 → i32', 'none'],
  [0xaa, 'i32.trunc_f64_s', 'f64 → i32', 'none'],
  [0xad, 'i64.extend_i32_u', 'i32 → i64', 'none'],
  [0xb7, 'f64.convert_i32_s', 'i32 → f64', 'none'],
  [0xb8, 'f64.convert_i32_u', 'i32 → f64', 'none'],

  [0xfd_0000, 'v128.load', 'i32 → v128', 'memory'],
  [0xfd_0009, 'v128.load32_splat', 'i32 → v128', 'memory'],
  [0xfd_000a, 'v128.load64_splat', 'i32 → v128', 'memory'],
  [0xfd_000b, 'v128.store', 'i32 v128 →', 'memory'],
  [0xfd_000c, 'v128.const', '→ v128', 'v128'],
  [0xfd_000d, 'i8x16.shuffle', 'v128 v128 → v128', 'shuffle'],
  [0xfd_000e, 'i8x16.swizzle', 'v128 v128 → v128', 'none'],
  [0xfd_0100, 'i8x16.relaxed_swizzle', 'v128 v128 → v128', 'none'],
  [0xfd_0011, 'i32x4.splat', 'i32 → v128', 'none'],
  [0xfd_0012, 'i64x2.splat', 'i64 → v128', 'none'],
  [0xfd_001b, 'i32x4.extract_lane', 'v128 → i32', 'lane'],
  [0xfd_001d, 'i64x2.extract_lane', 'v128 → i64', 'lane'],
  [0xfd_0021, 'f64x2.extract_lane', 'v128 → f64', 'lane'],
  [0xfd_0022, 'f64x2.replace_lane', 'v128 f64 → v128', 'lane'],
  [0xfd_003a, 'i32x4.lt_u', 'v128 v128 → v128', 'none'],
  [0xfd_004e, 'v128.and', 'v128 v128 → v128', 'none'],
  [0xfd_004f, 'v128.andnot', 'v128 v128 → v128', 'none'],
  [0xfd_0050, 'v128.or', 'v128 v128 → v128', 'none'],
  [0xfd_0051, 'v128.xor', 'v128 v128 → v128', 'none'],
  [0xfd_00ab, 'i32x4.shl', 'v128 i32 → v128', 'none'],
  [0xfd_00ad, 'i32x4.shr_u', 'v128 i32 → v128', 'none'],
  [0xfd_00ae, 'i32x4.add', 'v128 v128 → v128', 'none'],
  [0xfd_00b1, 'i32x4.sub', 'v128 v128 → v128', 'none'],
  [0xfd_00b5, 'i32x4.mul', 'v128 v128 → v128', 'none'],
  [0xfd_00cb, 'i64x2.shl', 'v128 i32 → v128', 'none'],
  [0xfd_00cd, 'i64x2.shr_u', 'v128 i32 → v128', 'none'],
  [0xfd_00ce, 'i64x2.add', 'v128 v128 → v128', 'none'],
  [0xfd_00d1, 'i64x2.sub', 'v128 v128 → v128', 'none'],
  [0xfd_00de, 'i64x2.extmul_low_i32x4_u', 'v128 v128 → v128', 'none'],
  [0xfd_00df, 'i64x2.extmul_high_i32x4_u', 'v128 v128 → v128', 'none'],
] as const;

const REFUSED = [
  [0x00, 'unreachable', '', 'none'],
  [0x0c, 'br', '', 'label'],
  [0x1a, 'drop', '', 'none'],
  [0x1b, 'select', '', 'none'],
  [0x3f, 'memory.size', '→ i32', 'memories'],
  [0x40, 'memory.grow', 'i32 → i32', 'memories'],
  [0x48, 'i32.lt_s', 'i32 i32 → i32', 'none'],
  [0x4a, 'i32.gt_s', 'i32 i32 → i32', 'none'],
  [0x4c, 'i32.le_s', 'i32 i32 → i32', 'none'],
  [0x4e, 'i32.ge_s', 'i32 i32 → i32', 'none'],
  [0x53, 'i64.lt_s', 'i64 i64 → i32', 'none'],
  [0x55, 'i64.gt_s', 'i64 i64 → i32', 'none'],
  [0x57, 'i64.le_s', 'i64 i64 → i32', 'none'],
  [0x59, 'i64.ge_s', 'i64 i64 → i32', 'none'],
  [0x6d, 'i32.div_s', 'i32 i32 → i32', 'none'],
  [0x6e, 'i32.div_u', 'i32 i32 → i32', 'none'],
  [0x6f, 'i32.rem_s', 'i32 i32 → i32', 'none'],
  [0x70, 'i32.rem_u', 'i32 i32 → i32', 'none'],
  [0x7f, 'i64.div_s', 'i64 i64 → i64', 'none'],
  [0x80, 'i64.div_u', 'i64 i64 → i64', 'none'],
  [0x81, 'i64.rem_s', 'i64 i64 → i64', 'none'],
  [0x82, 'i64.rem_u', 'i64 i64 → i64', 'none'],
] as const;

type Row = (typeof EMITTED)[number] | (typeof REFUSED)[number];

/** The name of an instruction. */
export type Opcode = Row[1];
/** The kinds of immediates. */
export type ImmediateKind = Row[3];
/** The instructions that have immediates of a kind. */
export type OpcodeWith<K extends ImmediateKind> = Extract<Row, readonly [number, string, string, K]>[1];

export interface OpcodeEntry {
  readonly op: Opcode;
  /** The types of operands and results on the stack; empty for instructions whose types depend on their place. */
  readonly takes: readonly string[];
  readonly leaves: readonly string[];
  readonly immediates: ImmediateKind;
  /** Whether the assembler can emit it. */
  readonly emitted: boolean;
}

const types = (list: string | undefined): readonly string[] => (list ?? '').split(' ').filter(Boolean);

const entry = ([code, op, signature, immediates]: Row, emitted: boolean): [number, OpcodeEntry] => {
  const [takes, leaves] = signature.split('→');
  return [code, { op, takes: types(takes), leaves: types(leaves), immediates, emitted }];
};

/** By opcode. */
export const OPCODES: ReadonlyMap<number, OpcodeEntry> = new Map([
  ...EMITTED.map((row) => entry(row, true)),
  ...REFUSED.map((row) => entry(row, false)),
]);

/** By name. */
export const ENTRIES: ReadonlyMap<Opcode, OpcodeEntry> = new Map([...OPCODES.values()].map((e) => [e.op, e]));

const BYTES: Readonly<Record<string, number>> = { i32: 4, i64: 8, f64: 8, v128: 16 };

/** The number of bytes that a load or store accesses: the size of its type, unless its name gives a smaller one. */
export function accessBytes(op: OpcodeWith<'memory'>): number {
  const [type, access] = op.split('.');
  const bits = /\d+/.exec(access);
  return bits ? Number(bits[0]) / 8 : BYTES[type];
}
