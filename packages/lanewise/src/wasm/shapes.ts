/** The few shapes that instructions have; the instruction files are tables of opcodes in these shapes. */
import { byte, signed, unsigned, type Expression, type Operand, type Statement, type ValueType } from './types.ts';

/** A literal as the constant of its type, a number of i32 and a bigint of i64; anything else as it is. */
export const operand = <T extends Exclude<ValueType, 'f64'>>(x: Operand<T>): Expression<T> =>
  (typeof x === 'string' ? x : (typeof x === 'number' ? '\x41' : '\x42') + signed(x)) as Expression<T>;

type Type = Exclude<ValueType, 'f64'>;

export const unary =
  <A extends Type, R extends ValueType>(opcode: string) =>
  (x: Operand<A>): Expression<R> =>
    (operand(x) + opcode) as Expression<R>;

export const binary =
  <A extends Type, B extends Type, R extends ValueType>(opcode: string) =>
  (x: Operand<A>, y: Operand<B>): Expression<R> =>
    (operand(x) + operand(y) + opcode) as Expression<R>;

/** `align` is the exponent of the alignment hint. WebAssembly core specification §5.4.6 */
export const loader =
  <R extends ValueType>(opcode: string, align: number) =>
  (address: Operand<'i32'>, offset = 0): Expression<R> =>
    (operand(address) + opcode + byte(align) + unsigned(offset)) as Expression<R>;

export const storer =
  <V extends Type>(opcode: string, align: number) =>
  (address: Operand<'i32'>, offset: number, x: Operand<V>): Statement =>
    (operand(address) + operand(x) + opcode + byte(align) + unsigned(offset)) as Statement;
