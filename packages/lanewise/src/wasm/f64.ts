/** The f64 instructions that exact integer arithmetic needs. WebAssembly core specification §5.4.7, §5.4.6 */
import { loader, operand, unary } from './shapes.ts';
import { byte, unsigned, type Expression, type Operand, type Statement } from './types.ts';

/** A literal as `f64.const`; anything else as it is. */
export function value(x: Operand<'f64'>): Expression<'f64'> {
  if (typeof x !== 'number') return x;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x, true);
  let code = '\x44';
  for (let i = 0; i < 8; i++) code += byte(view.getUint8(i));
  return code as Expression<'f64'>;
}

const arithmetic =
  (opcode: string) =>
  (x: Operand<'f64'>, y: Operand<'f64'>): Expression<'f64'> =>
    (value(x) + value(y) + opcode) as Expression<'f64'>;

export const floor = (x: Operand<'f64'>): Expression<'f64'> => (value(x) + '\x9c') as Expression<'f64'>;
export const add = /* @__PURE__ */ arithmetic('\xa0');
export const sub = /* @__PURE__ */ arithmetic('\xa1');
export const mul = /* @__PURE__ */ arithmetic('\xa2');
export const convert_i32_s = /* @__PURE__ */ unary<'i32', 'f64'>('\xb7');
export const convert_i32_u = /* @__PURE__ */ unary<'i32', 'f64'>('\xb8');
/** `i32.trunc_f64_s`: traps outside of the range of i32. */
export const trunc_i32_s = (x: Operand<'f64'>): Expression<'i32'> => (value(x) + '\xaa') as Expression<'i32'>;

export const load = /* @__PURE__ */ loader<'f64'>('\x2b', 3);
export const store = (address: Operand<'i32'>, offset: number, x: Operand<'f64'>): Statement =>
  (operand(address) + value(x) + '\x39\x03' + unsigned(offset)) as Statement;
