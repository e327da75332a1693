/** The i64 instructions. WebAssembly core specification §5.4.7, §5.4.6 */
import { value as address } from './i32.ts';
import { binary, loader, storer, unary } from './shapes.ts';
import { signed, type Expression, type Operand } from './types.ts';

/** A literal as `i64.const`; anything else as it is. */
export const value = (x: Operand<'i64'>): Expression<'i64'> =>
  (typeof x === 'bigint' ? '\x42' + signed(x) : x) as Expression<'i64'>;

const arithmetic = (op: number) => binary<'i64', 'i64', 'i64'>(op, value, value);
const comparison = (op: number) => binary<'i64', 'i64', 'i32'>(op, value, value);

export const eqz = /* @__PURE__ */ unary<'i64', 'i32'>(0x50, value);
export const eq = /* @__PURE__ */ comparison(0x51);
export const ne = /* @__PURE__ */ comparison(0x52);
export const lt_u = /* @__PURE__ */ comparison(0x54);
export const add = /* @__PURE__ */ arithmetic(0x7c);
export const sub = /* @__PURE__ */ arithmetic(0x7d);
export const mul = /* @__PURE__ */ arithmetic(0x7e);
export const and = /* @__PURE__ */ arithmetic(0x83);
export const or = /* @__PURE__ */ arithmetic(0x84);
export const xor = /* @__PURE__ */ arithmetic(0x85);
export const shl = /* @__PURE__ */ arithmetic(0x86);
export const shr_u = /* @__PURE__ */ arithmetic(0x88);
export const rotl = /* @__PURE__ */ arithmetic(0x89);
export const rotr = /* @__PURE__ */ arithmetic(0x8a);

/** `i64.extend_i32_u` and `i32.wrap_i64`. */
export const extend_i32_u = /* @__PURE__ */ unary<'i32', 'i64'>(0xad, address);
export const wrap_i64 = /* @__PURE__ */ unary<'i64', 'i32'>(0xa7, value);

export const load = /* @__PURE__ */ loader<'i64'>(0x29, 3, address);
export const load32_u = /* @__PURE__ */ loader<'i64'>(0x35, 2, address);
export const store = /* @__PURE__ */ storer<'i64'>(0x37, 3, address, value);
export const store32 = /* @__PURE__ */ storer<'i64'>(0x3e, 2, address, value);
/** The same instruction, without the promise that the address is a multiple of four. */
export const store32_unaligned = /* @__PURE__ */ storer<'i64'>(0x3e, 0, address, value);
