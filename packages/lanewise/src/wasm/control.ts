/** Local variables, loops, branches. WebAssembly core specification §5.4.1, §5.4.4 */
import { operand } from './shapes.ts';
import { unsigned, type Expression, type Local, type Operand, type Statement, type ValueType } from './types.ts';

/** The type of a block that leaves nothing on the stack. */
const EMPTY = '\x40';
const END = '\x0b';

export const sequence = (...statements: readonly Statement[]): Statement => statements.join('') as Statement;

/** `variable = x` */
export const set = <T extends ValueType>(variable: Local<T>, x: Expression<NoInfer<T>>): Statement =>
  (x + '\x21' + variable.slice(1)) as Statement;

/** `variable = x`, and the value goes on. */
export const tee = <T extends ValueType>(variable: Local<T>, x: Expression<NoInfer<T>>): Expression<T> =>
  (x + '\x22' + variable.slice(1)) as Expression<T>;

/** do { body } while (again) */
export const loop = (body: Statement, again: Operand<'i32'>): Statement =>
  ('\x03' + EMPTY + body + operand(again) + '\x0d\x00' + END) as Statement;

/** if (condition) { then } else { otherwise } */
export const when = (condition: Operand<'i32'>, then: Statement, otherwise?: Statement): Statement =>
  (operand(condition) + '\x04' + EMPTY + then + (otherwise ? '\x05' + otherwise : '') + END) as Statement;

/** A block that `breakIf` leaves. */
export const block = (body: Statement): Statement => ('\x02' + EMPTY + body + END) as Statement;

/** if (condition) leave the block that is `depth` blocks, loops or whens further out. */
export const breakIf = (condition: Operand<'i32'>, depth = 0): Statement =>
  (operand(condition) + '\x0d' + unsigned(depth)) as Statement;

/** return x, from the middle of a function */
export const giveBack = (x: Expression<ValueType>): Statement => (x + '\x0f') as Statement;

/** memory.fill and memory.copy: `length` bytes. WebAssembly core specification §5.4.6 */
export const fill = (to: Operand<'i32'>, byteValue: Operand<'i32'>, length: Operand<'i32'>): Statement =>
  (operand(to) + operand(byteValue) + operand(length) + '\xfc\x0b\x00') as Statement;

export const copy = (to: Operand<'i32'>, from: Operand<'i32'>, length: Operand<'i32'>): Statement =>
  (operand(to) + operand(from) + operand(length) + '\xfc\x0a\x00\x00') as Statement;
