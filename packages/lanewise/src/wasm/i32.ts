/** The i32 instructions. WebAssembly core specification §5.4.7, §5.4.6 */
import { binary, loader, storer, unary } from './shapes.ts';
import { signed, type Expression, type Operand } from './types.ts';

/** A literal as `i32.const`; anything else as it is. */
export const value = (x: Operand<'i32'>): Expression<'i32'> =>
  (typeof x === 'number' ? '\x41' + signed(x) : x) as Expression<'i32'>;

const arithmetic = (op: number) => binary<'i32', 'i32', 'i32'>(op, value, value);

export const eqz = /* @__PURE__ */ unary<'i32', 'i32'>(0x45, value);
export const eq = /* @__PURE__ */ arithmetic(0x46);
export const ne = /* @__PURE__ */ arithmetic(0x47);
export const lt_u = /* @__PURE__ */ arithmetic(0x49);
export const gt_u = /* @__PURE__ */ arithmetic(0x4b);
export const le_u = /* @__PURE__ */ arithmetic(0x4d);
export const ge_u = /* @__PURE__ */ arithmetic(0x4f);
export const add = /* @__PURE__ */ arithmetic(0x6a);
export const sub = /* @__PURE__ */ arithmetic(0x6b);
export const mul = /* @__PURE__ */ arithmetic(0x6c);
export const and = /* @__PURE__ */ arithmetic(0x71);
export const or = /* @__PURE__ */ arithmetic(0x72);
export const xor = /* @__PURE__ */ arithmetic(0x73);
export const shl = /* @__PURE__ */ arithmetic(0x74);
export const shr_s = /* @__PURE__ */ arithmetic(0x75);
export const shr_u = /* @__PURE__ */ arithmetic(0x76);
export const rotl = /* @__PURE__ */ arithmetic(0x77);
export const rotr = /* @__PURE__ */ arithmetic(0x78);

export const load = /* @__PURE__ */ loader<'i32'>(0x28, 2, value);
export const load8_u = /* @__PURE__ */ loader<'i32'>(0x2d, 0, value);
export const store = /* @__PURE__ */ storer<'i32'>(0x36, 2, value, value);
export const store8 = /* @__PURE__ */ storer<'i32'>(0x3a, 0, value, value);
/** The same instructions, without the promise that the address is a multiple of four. */
export const load_unaligned = /* @__PURE__ */ loader<'i32'>(0x28, 0, value);
export const store_unaligned = /* @__PURE__ */ storer<'i32'>(0x36, 0, value, value);
