/** The f64 instructions that exact integer arithmetic needs. WebAssembly core specification §5.4.7, §5.4.6 */
import { value as address } from './i32.ts';
import { binary, loader, storer, unary } from './shapes.ts';
import { byte, type Expression, type Operand } from './types.ts';

/** A literal as `f64.const`; anything else as it is. */
export function value(x: Operand<'f64'>): Expression<'f64'> {
  if (typeof x !== 'number') return x;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x, true);
  let code = '\x44';
  for (let i = 0; i < 8; i++) code += byte(view.getUint8(i));
  return code as Expression<'f64'>;
}

const arithmetic = (op: number) => binary<'f64', 'f64', 'f64'>(op, value, value);

export const floor = /* @__PURE__ */ unary<'f64', 'f64'>(0x9c, value);
export const add = /* @__PURE__ */ arithmetic(0xa0);
export const sub = /* @__PURE__ */ arithmetic(0xa1);
export const mul = /* @__PURE__ */ arithmetic(0xa2);
export const convert_i32_s = /* @__PURE__ */ unary<'i32', 'f64'>(0xb7, address);
export const convert_i32_u = /* @__PURE__ */ unary<'i32', 'f64'>(0xb8, address);
/** `i32.trunc_f64_s`: traps outside of the range of i32. */
export const trunc_i32_s = /* @__PURE__ */ unary<'f64', 'i32'>(0xaa, value);

export const load = /* @__PURE__ */ loader<'f64'>(0x2b, 3, address);
export const store = /* @__PURE__ */ storer<'f64'>(0x39, 3, address, value);
