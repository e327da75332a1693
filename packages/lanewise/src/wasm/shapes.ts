/** The few shapes that instructions have; the instruction files are tables of opcodes in these shapes. */
import { byte, signed, unsigned, type Expression, type Operand, type Statement, type ValueType } from './types.ts';

/** An operand whose literals tell their type: all but those of f64, which are numbers as those of i32 are. */
export type Telling<T extends ValueType> = T extends 'f64' ? Expression<'f64'> : Operand<T>;

/** A literal as the constant of its type, anything else as it is. */
export const operand = <T extends ValueType>(x: Telling<T>): Expression<T> =>
  (typeof x === 'string' ? x : (typeof x === 'number' ? '\x41' : '\x42') + signed(x)) as Expression<T>;

export const unary =
  <A extends ValueType, R extends ValueType>(opcode: string) =>
  (x: Telling<A>): Expression<R> =>
    (operand(x) + opcode) as Expression<R>;

export const binary =
  <A extends ValueType, B extends ValueType, R extends ValueType>(opcode: string) =>
  (x: Telling<A>, y: Telling<B>): Expression<R> =>
    (operand(x) + operand(y) + opcode) as Expression<R>;

/** `align` is the exponent of the alignment hint. WebAssembly core specification §5.4.6 */
export const loader =
  <R extends ValueType>(opcode: string, align: number) =>
  (address: Operand<'i32'>, offset = 0): Expression<R> =>
    (operand(address) + opcode + byte(align) + unsigned(offset)) as Expression<R>;

export const storer =
  <V extends ValueType>(opcode: string, align: number) =>
  (address: Operand<'i32'>, offset: number, x: Telling<V>): Statement =>
    (operand(address) + operand(x) + opcode + byte(align) + unsigned(offset)) as Statement;
