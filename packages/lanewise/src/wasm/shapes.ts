/** The few shapes that instructions have; the instruction files are tables of opcodes in these shapes. */
import { byte, unsigned, type Expression, type Operand, type Statement, type ValueType } from './types.ts';

/** An opcode: one byte, or two numbers for those behind a prefix byte. WebAssembly core specification §5.4 */
export type Opcode = number | readonly [prefix: 0xfc | 0xfd, number: number];

export const encodeOpcode = (op: Opcode): string => (typeof op === 'number' ? byte(op) : byte(op[0]) + unsigned(op[1]));

/** Turns literals into constants; each type says how. Expressions don't get there: assembling is done on first use. */
export type Literal<T extends ValueType> = (value: Operand<T>) => Expression<T>;

/** The type of vectors has no literals. */
export const noLiteral = <T extends ValueType>(value: Operand<T>): Expression<T> => value as Expression<T>;

export const unary = <A extends ValueType, R extends ValueType>(op: Opcode, a: Literal<A>) => {
  const code = encodeOpcode(op);
  return (x: Operand<A>): Expression<R> => ((typeof x === 'string' ? x : a(x)) + code) as Expression<R>;
};

export const binary = <A extends ValueType, B extends ValueType, R extends ValueType>(
  op: Opcode,
  a: Literal<A>,
  b: Literal<B>,
) => {
  const code = encodeOpcode(op);
  return (x: Operand<A>, y: Operand<B>): Expression<R> =>
    ((typeof x === 'string' ? x : a(x)) + (typeof y === 'string' ? y : b(y)) + code) as Expression<R>;
};

/** `align` is the exponent of the alignment hint. WebAssembly core specification §5.4.6 */
export const loader = <R extends ValueType>(op: Opcode, align: number, address: Literal<'i32'>) => {
  const code = encodeOpcode(op) + byte(align);
  return (at: Operand<'i32'>, offset = 0): Expression<R> =>
    ((typeof at === 'string' ? at : address(at)) + code + unsigned(offset)) as Expression<R>;
};

export const storer = <V extends ValueType>(op: Opcode, align: number, address: Literal<'i32'>, value: Literal<V>) => {
  const code = encodeOpcode(op) + byte(align);
  return (at: Operand<'i32'>, offset: number, x: Operand<V>): Statement =>
    ((typeof at === 'string' ? at : address(at)) +
      (typeof x === 'string' ? x : value(x)) +
      code +
      unsigned(offset)) as Statement;
};
