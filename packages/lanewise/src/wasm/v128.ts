/** The vector instructions, of all shapes. WebAssembly core specification §5.4.8; relaxed SIMD §5.4.8 */
import { binary, loader, storer, unary } from './shapes.ts';
import { byte, unsigned, type Expression, type ValueType } from './types.ts';

/** Opcodes after the prefix byte of vectors. */
const vector = (number: number): string => '\xfd' + unsigned(number);

const arithmetic = (op: number) => binary<'v128', 'v128', 'v128'>(vector(op));
const shift = (op: number) => binary<'v128', 'i32', 'v128'>(vector(op));
const memory = (op: number, align: number) => loader<'v128'>(vector(op), align);

const lanes = <T extends ValueType>(op: number) => {
  return (x: Expression<'v128'>, lane: number): Expression<T> => (x + '\xfd' + byte(op) + byte(lane)) as Expression<T>;
};

export const load = /* @__PURE__ */ memory(0x00, 4);
/** The same load with a smaller alignment hint, which has no effect but marks the load: see wasm/permutations.ts */
export const load_marked = /* @__PURE__ */ memory(0x00, 3);
/** Another hint, for a load that is marked apart from these: see wasm/left-shift.ts */
export const load_marked_apart = /* @__PURE__ */ memory(0x00, 2);
export const load32_splat = /* @__PURE__ */ memory(0x09, 2);
export const load64_splat = /* @__PURE__ */ memory(0x0a, 3);
export const store = /* @__PURE__ */ storer<'v128'>(/* @__PURE__ */ vector(0x0b), 4);

/** `v128.const` as sixteen bytes. */
export const i8x16 = (...bytes: readonly number[]): Expression<'v128'> =>
  ('\xfd\x0c' + byte(...bytes)) as Expression<'v128'>;

/** `v128.const` as four 32-bit lanes, little-endian. */
export function i32x4(...words: readonly [number, number, number, number]): Expression<'v128'> {
  let code = '\xfd\x0c';
  for (const word of words) for (let i = 0; i < 32; i += 8) code += byte((word >>> i) & 255);
  return code as Expression<'v128'>;
}

export const and = /* @__PURE__ */ arithmetic(0x4e);
/** `v128.andnot`: the first and not the second. */
export const andnot = /* @__PURE__ */ arithmetic(0x4f);
export const or = /* @__PURE__ */ arithmetic(0x50);
export const xor = /* @__PURE__ */ arithmetic(0x51);

/** The opcode with a byte more than it needs, so that it is as long as the relaxed one. Core specification §5.2.2 */
export const i8x16_swizzle = /* @__PURE__ */ binary<'v128', 'v128', 'v128'>('\xfd\x8e\x00');
/** The same as swizzle for indices below 16. */
export const i8x16_relaxed_swizzle = /* @__PURE__ */ arithmetic(0x100);

/** `i8x16.shuffle` of 32-bit lanes: 0 to 3 of the first vector, 4 to 7 of the second. */
export function shuffle32(
  a: Expression<'v128'>,
  b: Expression<'v128'>,
  ...order: readonly [number, number, number, number]
): Expression<'v128'> {
  let code = a + b + '\xfd\x0d';
  for (const lane of order) for (let i = 0; i < 4; i++) code += byte(lane * 4 + i);
  return code as Expression<'v128'>;
}

export const i32x4_splat = /* @__PURE__ */ unary<'i32', 'v128'>(/* @__PURE__ */ vector(0x11));
export const i32x4_extract_lane = /* @__PURE__ */ lanes<'i32'>(0x1b);
export const i32x4_lt_u = /* @__PURE__ */ arithmetic(0x3a);
export const i32x4_shl = /* @__PURE__ */ shift(0xab);
export const i32x4_shr_u = /* @__PURE__ */ shift(0xad);
export const i32x4_add = /* @__PURE__ */ arithmetic(0xae);
export const i32x4_sub = /* @__PURE__ */ arithmetic(0xb1);
export const i32x4_mul = /* @__PURE__ */ arithmetic(0xb5);

export const i64x2_splat = /* @__PURE__ */ unary<'i64', 'v128'>(/* @__PURE__ */ vector(0x12));
export const i64x2_extract_lane = /* @__PURE__ */ lanes<'i64'>(0x1d);
/** These two only move 64 bits, whatever number they would be. */
export const f64x2_extract_lane = /* @__PURE__ */ lanes<'f64'>(0x21);
export const f64x2_replace_lane = (x: Expression<'v128'>, lane: number, y: Expression<'f64'>): Expression<'v128'> =>
  (x + y + '\xfd\x22' + byte(lane)) as Expression<'v128'>;
export const i64x2_shl = /* @__PURE__ */ shift(0xcb);
export const i64x2_shr_u = /* @__PURE__ */ shift(0xcd);
export const i64x2_add = /* @__PURE__ */ arithmetic(0xce);
export const i64x2_sub = /* @__PURE__ */ arithmetic(0xd1);
export const i64x2_extmul_low_i32x4_u = /* @__PURE__ */ arithmetic(0xde);
export const i64x2_extmul_high_i32x4_u = /* @__PURE__ */ arithmetic(0xdf);
