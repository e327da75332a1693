/** The i64 instructions. WebAssembly core specification §5.4.7, §5.4.6 */
import { binary, loader, operand, storer, unary } from './shapes.ts';

/** A literal as `i64.const`; anything else as it is. */
export const value = operand<'i64'>;

const arithmetic = binary<'i64', 'i64', 'i64'>;
const comparison = binary<'i64', 'i64', 'i32'>;

export const eqz = /* @__PURE__ */ unary<'i64', 'i32'>('\x50');
export const eq = /* @__PURE__ */ comparison('\x51');
export const ne = /* @__PURE__ */ comparison('\x52');
export const lt_u = /* @__PURE__ */ comparison('\x54');
export const add = /* @__PURE__ */ arithmetic('\x7c');
export const sub = /* @__PURE__ */ arithmetic('\x7d');
export const mul = /* @__PURE__ */ arithmetic('\x7e');
export const and = /* @__PURE__ */ arithmetic('\x83');
export const or = /* @__PURE__ */ arithmetic('\x84');
export const xor = /* @__PURE__ */ arithmetic('\x85');
export const shl = /* @__PURE__ */ arithmetic('\x86');
export const shr_u = /* @__PURE__ */ arithmetic('\x88');
export const rotl = /* @__PURE__ */ arithmetic('\x89');
export const rotr = /* @__PURE__ */ arithmetic('\x8a');

/** `i64.extend_i32_u` and `i32.wrap_i64`. */
export const extend_i32_u = /* @__PURE__ */ unary<'i32', 'i64'>('\xad');
export const wrap_i64 = /* @__PURE__ */ unary<'i64', 'i32'>('\xa7');

export const load = /* @__PURE__ */ loader<'i64'>('\x29', 3);
export const load32_u = /* @__PURE__ */ loader<'i64'>('\x35', 2);
export const store = /* @__PURE__ */ storer<'i64'>('\x37', 3);
export const store32 = /* @__PURE__ */ storer<'i64'>('\x3e', 2);
/** The same instruction, without the promise that the address is a multiple of four. */
export const store32_unaligned = /* @__PURE__ */ storer<'i64'>('\x3e', 0);
