/**
 * Expressions as JavaScript. Each i32 is a number from -2^31 to 2^31 - 1, each f64 a number. Results
 * that JavaScript would widen are brought back by `| 0`, unless their consumer does the same (`coerced`). A comparison is printed only as the
 * condition of a loop or an `if`: as a value it would become a choice, and the choice might be a secret.
 */
import type { Binary } from './instructions.ts';
import { sum, type Expression, type Place } from './tree.ts';

/** Text, and the operator that holds it together, if one does. */
interface Printed {
  readonly text: string;
  readonly operator: string | undefined;
}

/** How the functions and variables of a printed function are called, and which helpers the text wants. */
export interface Names {
  variable(index: number): string;
  callee(index: number): string;
  helper(name: Helper): string;
  intrinsic(name: Intrinsic): string;
}

/** The built-in functions that the text imports: see src/engine/intrinsics.ts. */
export type Intrinsic = 'Bytes' | 'Words' | 'fillBytes' | 'imul' | 'moveBytes';

export type Helper = keyof typeof helpers;

/** Instructions without an operator in JavaScript. Each form takes the same time for all values, as the instruction does. */
export const helpers = {
  words: 'const words = new Words(memory);',
  bytes: 'const bytes = new Bytes(memory);',
  rotateLeft: 'const rotateLeft = (x: number, n: number): number => (x << n) | (x >>> (32 - n));',
  /** 1 for 0, else 0: only of 0 both x and -x have the top bit clear. */
  isZero: 'const isZero = (x: number): number => ((x | (0 - x)) >>> 31) ^ 1;',
  /** A little-endian word that need not be at a multiple of four. */
  readWord:
    'const readWord = (at: number): number =>\n' +
    '  bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);',
  writeWord:
    'const writeWord = (at: number, x: number): void => {\n' +
    '  for (let i = 0; i < 4; i++) bytes[at + i] = x >>> (8 * i);\n' +
    '};',
} as const;

const atom = (text: string): Printed => ({ text, operator: undefined });
const ASSOCIATIVE = ['|', '^', '&'];

/** As an operand: in parentheses, unless these would only disturb. */
function inside({ text, operator }: Printed, outer: string, side: 'left' | 'right'): string {
  const bare =
    operator === undefined ||
    (side === 'left' && operator === outer && (ASSOCIATIVE.includes(outer) || outer === '+' || outer === '*')) ||
    (operator === '*' && (outer === '+' || outer === '-'));
  return bare ? text : `(${text})`;
}

const infix = (left: Printed, operator: string, right: Printed): Printed => ({
  text: `${inside(left, operator, 'left')} ${operator} ${inside(right, operator, 'right')}`,
  operator,
});
/** Binds closer than all that is printed around it. */
const prefix = (operator: string, operand: Printed): Printed => atom(operator + inside(operand, operator, 'right'));

const comparisons: Partial<Record<Binary, string>> = {
  'i32.eq': '===',
  'i32.ne': '!==',
  'i32.lt_u': '<',
  'i32.gt_u': '>',
  'i32.le_u': '<=',
  'i32.ge_u': '>=',
};
const bitwise: Partial<Record<Binary, string>> = { 'i32.and': '&', 'i32.or': '|', 'i32.xor': '^' };
const wideArithmetic: Partial<Record<Binary, string>> = { 'f64.add': '+', 'f64.sub': '-', 'f64.mul': '*' };

export interface ExpressionPrinter {
  /** As a value; `coerced` if its consumer truncates it to 32 bits. */
  readonly value: (x: Expression, coerced?: boolean) => string;
  readonly condition: (x: Expression) => string;
  /** An address in bytes, possibly of the byte after the last: in range, so sums need no `| 0`. */
  readonly address: (x: Expression) => string;
  /** Memory at an address, as an expression that is read or assigned. */
  readonly element: (place: Place) => string;
}

export function expressionPrinter(names: Names): ExpressionPrinter {
  const number = (x: number): Printed => (Object.is(x, -0) || x < 0 ? prefix('-', number(-x)) : atom(String(x)));

  const coercedTo32 = (x: Printed, coerced: boolean): Printed => (coerced ? x : infix(x, '|', atom('0')));

  function rotation(x: Expression, n: Expression, sign: 1 | -1): Printed {
    if (n.kind !== 'constant') throw new Error('a rotation by a variable');
    const left = (sign * n.value) & 31;
    // A sum is made 32 bits in front of the call: engines take it for a number of 64 bits where it is an argument.
    if (x.kind !== 'local' || left === 0) return atom(`${names.helper('rotateLeft')}(${print(x).text}, ${left})`);
    const of = atom(names.variable(x.index));
    return infix(infix(of, '<<', number(left)), '|', infix(of, '>>>', number(32 - left)));
  }

  function shift(x: Expression, operator: '<<' | '>>' | '>>>', n: Expression, coerced: boolean): Printed {
    if (n.kind !== 'constant')
      return coercedTo32(infix(print(x, true), operator, print(n, true)), coerced || operator !== '>>>');
    const count = n.value & 31;
    const shifted = infix(print(x, true), operator, number(count));
    // To the right by one or more it fits in 31 bits; by none it would be unsigned.
    return operator === '>>>' && count === 0 ? coercedTo32(shifted, coerced) : shifted;
  }

  function binary(x: Expression & { kind: 'binary' }, coerced: boolean): Printed {
    const { name, left, right } = x;
    const bits = bitwise[name];
    if (bits) {
      if (bits === '^' && right.kind === 'constant' && right.value === -1) return prefix('~', print(left, true));
      return infix(print(left, true), bits, print(right, true));
    }
    const wide = wideArithmetic[name];
    if (wide) return infix(print(left), wide, print(right));
    switch (name) {
      case 'i32.add':
        return coercedTo32(infix(print(left), '+', print(right)), coerced);
      case 'i32.sub':
        return coercedTo32(infix(print(left), '-', print(right)), coerced);
      case 'i32.mul':
        return atom(`${names.intrinsic('imul')}(${print(left, true).text}, ${print(right, true).text})`);
      case 'i32.shl':
        return shift(left, '<<', right, coerced);
      case 'i32.shr_s':
        return shift(left, '>>', right, coerced);
      case 'i32.shr_u':
        return shift(left, '>>>', right, coerced);
      case 'i32.rotl':
        return rotation(left, right, 1);
      case 'i32.rotr':
        return rotation(left, right, -1);
      default:
        throw new Error(`${name} as a value: it would become a choice`);
    }
  }

  function unary({ name, operand }: Expression & { kind: 'unary' }): Printed {
    switch (name) {
      case 'i32.eqz':
        return atom(`${names.helper('isZero')}(${print(operand).text})`);
      case 'f64.convert_i32_s':
        return print(operand);
      case 'i32.trunc_f64_s':
        return infix(print(operand), '|', atom('0'));
    }
  }

  function print(x: Expression, coerced = false): Printed {
    switch (x.kind) {
      case 'constant':
        return number(x.value);
      case 'local':
        return atom(names.variable(x.index));
      case 'tee':
        return atom(`(${names.variable(x.index)} = ${print(x.value).text})`);
      case 'load':
        return atom(
          x.place.unit === 'unaligned' ? `${names.helper('readWord')}(${address(moved(x.place))})` : element(x.place),
        );
      case 'unary':
        return unary(x);
      case 'binary':
        return binary(x, coerced);
      case 'call':
        return atom(`${names.callee(x.callee)}(${x.operands.map((operand) => print(operand).text).join(', ')})`);
    }
  }

  /** The address with its offset, constants put together. */
  function moved({ address, offset }: Place): Expression {
    if (address.kind === 'binary' && address.name === 'i32.add' && address.left.kind === 'constant')
      return sum(address.right, sum(address.left, { kind: 'constant', value: offset }));
    return sum(address, { kind: 'constant', value: offset });
  }

  const address = (x: Expression): string => print(x, true).text;

  function element(place: Place): string {
    const at = moved(place);
    if (place.unit !== 'word') return `${names.helper('bytes')}[${address(at)}]`;
    if (at.kind !== 'constant') return `${names.helper('words')}[${infix(print(at, true), '>>', atom('2')).text}]`;
    if (at.value % 4 !== 0) throw new Error(`a word at ${at.value}, which is no multiple of four`);
    return `${names.helper('words')}[${at.value / 4}]`;
  }

  const unsigned = (x: Expression): Printed => {
    if (x.kind === 'constant') return number(x.value >>> 0);
    return infix(print(x, true), '>>>', atom('0'));
  };

  function condition(x: Expression): string {
    if (x.kind === 'unary' && x.name === 'i32.eqz') return infix(print(x.operand), '===', atom('0')).text;
    const comparison = x.kind === 'binary' ? comparisons[x.name] : undefined;
    if (x.kind !== 'binary' || !comparison) return infix(print(x), '!==', atom('0')).text;
    const operand = comparison.endsWith('==') ? print : unsigned;
    return infix(operand(x.left), comparison, operand(x.right)).text;
  }

  return { value: (x, coerced) => print(x, coerced).text, condition, address, element };
}
