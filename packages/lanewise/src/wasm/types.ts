/**
 * Code is text; each character is one byte (U+0000 to U+00FF). Engines concatenate strings as ropes, so a kernel
 * of thousands of instructions is put together without copying; `Module.bytes` writes the bytes once, at the end. Characters from
 * U+E000 on are notes, which stand in the code and are no part of the bytes: see words/weave.ts.
 */
declare const kind: unique symbol;
declare const variable: unique symbol;

/** Value types. WebAssembly core specification §5.3.1 */
export type ValueType = 'i32' | 'i64' | 'f64' | 'v128';

/** Instructions that leave one value of type `T` on the stack. */
export type Expression<T extends ValueType> = string & { readonly [kind]: T };

/** Instructions that leave the stack as they found it. */
export type Statement = string & { readonly [kind]: 'statement' };

/** A local variable is the expression that reads it: `local.get index`. */
export type Local<T extends ValueType> = Expression<T> & { readonly [variable]: true };

/** An operand: an expression, or a literal where the type has one (number for i32, bigint for i64). */
export type Operand<T extends ValueType> =
  Expression<T> | (T extends 'i32' ? number : T extends 'i64' ? bigint : T extends 'f64' ? number : never);

/** The byte of each value type. WebAssembly core specification §5.3.1 */
export const typeByte: Readonly<Record<ValueType, string>> = { i32: '\x7f', i64: '\x7e', f64: '\x7c', v128: '\x7b' };

export const byte = String.fromCharCode;

/** Unsigned LEB128 of 0 to 2^32 - 1. WebAssembly core specification §5.2.2 */
export function unsigned(n: number): string {
  // Most take one byte or two; the recursion handles the general case.
  if (n < 1 << 7) return byte(n);
  if (n < 1 << 14) return byte((n & 127) | 128, n >> 7);
  return byte((n & 127) | 128) + unsigned(n >>> 7);
}

/** Signed LEB128 of any integer; its low 64 bits count. WebAssembly core specification §5.2.2 */
export function signed(n: number | bigint): string {
  // Each step writes the low seven bits. The rest is sign-extended, so the number ends when the rest is 0 or -1 and has
  // the same sign bit as the last byte.
  if (typeof n === 'bigint') {
    let text = '';
    for (n = BigInt.asIntN(64, n); n < -64n || n > 63n; n >>= 7n) text += byte(Number(n & 127n) | 128);
    return text + byte(Number(n & 127n));
  }
  let text = '';
  for (n |= 0; n < -64 || n > 63; n >>= 7) text += byte((n & 127) | 128);
  return text + byte(n & 127);
}
