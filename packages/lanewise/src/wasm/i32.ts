/** The i32 instructions. WebAssembly core specification §5.4.7, §5.4.6 */
import { binary, loader, operand, storer, unary } from './shapes.ts';

/** A literal as `i32.const`; anything else as it is. */
export const value = operand<'i32'>;

const arithmetic = binary<'i32', 'i32', 'i32'>;

export const eqz = /* @__PURE__ */ unary<'i32', 'i32'>('\x45');
export const eq = /* @__PURE__ */ arithmetic('\x46');
export const ne = /* @__PURE__ */ arithmetic('\x47');
export const lt_u = /* @__PURE__ */ arithmetic('\x49');
export const gt_u = /* @__PURE__ */ arithmetic('\x4b');
export const le_u = /* @__PURE__ */ arithmetic('\x4d');
export const ge_u = /* @__PURE__ */ arithmetic('\x4f');
export const add = /* @__PURE__ */ arithmetic('\x6a');
export const sub = /* @__PURE__ */ arithmetic('\x6b');
export const mul = /* @__PURE__ */ arithmetic('\x6c');
export const and = /* @__PURE__ */ arithmetic('\x71');
export const or = /* @__PURE__ */ arithmetic('\x72');
export const xor = /* @__PURE__ */ arithmetic('\x73');
export const shl = /* @__PURE__ */ arithmetic('\x74');
export const shr_s = /* @__PURE__ */ arithmetic('\x75');
export const shr_u = /* @__PURE__ */ arithmetic('\x76');
export const rotl = /* @__PURE__ */ arithmetic('\x77');
export const rotr = /* @__PURE__ */ arithmetic('\x78');

export const load = /* @__PURE__ */ loader<'i32'>('\x28', 2);
export const load8_u = /* @__PURE__ */ loader<'i32'>('\x2d', 0);
export const store = /* @__PURE__ */ storer<'i32'>('\x36', 2);
export const store8 = /* @__PURE__ */ storer<'i32'>('\x3a', 0);
/** The same instructions, without the promise that the address is a multiple of four. */
export const load_unaligned = /* @__PURE__ */ loader<'i32'>('\x28', 0);
export const store_unaligned = /* @__PURE__ */ storer<'i32'>('\x36', 0);
