/** Terms as text: SMT-LIB 2 in the logic QF_BV for solvers, and a short form for messages. */
import { reachable } from './evaluate.ts';
import { Kind, type Term } from './node.ts';

const bits = (width: number, value: number | bigint): string => `(_ bv${value} ${width})`;
const nest = (operator: string, [first, ...rest]: readonly string[]): string =>
  rest.reduce((left, right) => `(${operator} ${left} ${right})`, first);
/** A Boolean as a word. */
const word = (condition: string): string => `(ite ${condition} ${bits(32, 1)} ${bits(32, 0)})`;

/** The definition of a node over the names of its operands: the meaning of each kind, as in evaluate.ts. */
function definition(term: Term, x: readonly string[]): string {
  const { width, numbers } = term;
  const operandWidth = term.operands[0]?.width;
  /** Counts are modulo the width, which is a power of two. */
  const count = `(bvand ${x[1]} ${bits(width, width - 1)})`;
  switch (term.kind) {
    case Kind.CONSTANT:
      return bits(width, numbers[0]);
    case Kind.VARIABLE:
      return quoted(term.name);
    case Kind.SUM: {
      const products = x.map((y, i) => (numbers.length > 1 ? `(bvmul ${bits(32, numbers[i])} ${y})` : y));
      return nest('bvadd', [bits(32, numbers[numbers.length - 1]), ...products]);
    }
    case Kind.SUM_64: {
      const number = (i: number): string => bits(64, (BigInt(numbers[2 * i + 1]) << 32n) | BigInt(numbers[2 * i]));
      return nest('bvadd', [number(0), ...x.map((y, i) => `(bvmul ${number(i + 1)} ${y})`)]);
    }
    case Kind.PRODUCT:
    case Kind.PRODUCT_64:
      return nest('bvmul', x);
    case Kind.XOR:
      return nest('bvxor', [bits(width, numbers[0]), ...x]);
    case Kind.AND:
      return nest('bvand', [bits(width, numbers[0]), ...x]);
    case Kind.OR:
      return nest('bvor', [bits(width, numbers[0]), ...x]);
    case Kind.SHR_U:
      return `(bvlshr ${x[0]} ${bits(32, numbers[0])})`;
    case Kind.SHR_S:
      return `(bvashr ${x[0]} ${bits(32, numbers[0])})`;
    case Kind.ROTL:
      return `((_ rotate_left ${numbers[0]}) ${x[0]})`;
    case Kind.SHL_BY:
      return `(bvshl ${x[0]} ${count})`;
    case Kind.SHR_U_BY:
      return `(bvlshr ${x[0]} ${count})`;
    case Kind.SHR_S_BY:
      return `(bvashr ${x[0]} ${count})`;
    case Kind.ROTL_BY:
      // A shift by the whole width gives 0, so a rotation by 0 has 0 for its other half, as it must.
      return `(bvor (bvshl ${x[0]} ${count}) (bvlshr ${x[0]} (bvsub ${bits(width, width)} ${count})))`;
    case Kind.CONCAT:
    case Kind.PAIR:
      return nest('concat', [...x].reverse());
    case Kind.BYTE:
      return `((_ extract ${8 * numbers[0] + 7} ${8 * numbers[0]}) ${x[0]})`;
    case Kind.WORD:
      return `((_ extract ${32 * numbers[0] + 31} ${32 * numbers[0]}) ${x[0]})`;
    case Kind.INSIDE: {
      const intervals = Array.from({ length: numbers.length / 2 }, (_, i) => [numbers[2 * i], numbers[2 * i + 1]]);
      const inside = intervals.map(([from, to]) => {
        return `(and (bvule ${bits(32, from)} ${x[0]}) (bvule ${x[0]} ${bits(32, to - 1)}))`;
      });
      return word(inside.length > 1 ? `(or ${inside.join(' ')})` : inside[0]);
    }
    case Kind.LESS:
      return word(`(bvult ${x[0]} ${x[1]})`);
    case Kind.ITE:
      return `(ite (= ${x[0]} ${bits(operandWidth, 0)}) ${x[2]} ${x[1]})`;
  }
}

const quoted = (name: string): string => `|${name}|`;

export interface Smt {
  /** Declarations of the variables, and a definition for every node that is not a variable. */
  readonly text: string;
  /** The names of the terms in the text. */
  readonly names: readonly string[];
}

/**
 * Translates terms to SMT-LIB. The names do not depend on terms made earlier, so that the same question has the same
 * text.
 */
export function toSmt(terms: readonly Term[]): Smt {
  const nodes = reachable(terms);
  const numberOf = new Map(nodes.map((term, i) => [term, i]));
  const nameOf = (term: Term): string => (term.kind === Kind.VARIABLE ? quoted(term.name) : `t${numberOf.get(term)!}`);
  const lines = nodes.map((term) =>
    term.kind === Kind.VARIABLE
      ? `(declare-const ${nameOf(term)} (_ BitVec ${term.width}))`
      : `(define-fun ${nameOf(term)} () (_ BitVec ${term.width}) ${definition(term, term.operands.map(nameOf))})`,
  );
  return { text: lines.join('\n') + '\n', names: terms.map(nameOf) };
}

const kindNames = new Map(Object.entries(Kind).map(([name, kind]) => [kind, name.toLowerCase()]));

/** A term printed to a few levels, for messages. */
export function describe(term: Term, levels = 3): string {
  if (term.kind === Kind.VARIABLE) return term.name;
  if (term.kind === Kind.CONSTANT) return '0x' + term.numbers[0].toString(16);
  if (levels === 0) return `t${term.id}`;
  const operands = term.operands.slice(0, 8).map((operand) => describe(operand, levels - 1));
  const more = term.operands.length > 8 ? [`… ${term.operands.length - 8} more`] : [];
  const numbers = term.numbers.length > 0 && term.numbers.length < 6 ? `[${term.numbers.join(' ')}]` : '';
  return `${kindNames.get(term.kind)}${numbers}(${[...operands, ...more].join(', ')})`;
}
