/**
 * S-boxes on terms. An S-box is a table; kernels compute it by a circuit whose outputs are XORs of ANDs of XORs, and
 * thirty-two such circuits in a row would be a term that no memory holds. So terms are cut: variables name the outputs
 * of an S-box, and every later term that is equal to an output is replaced by its variable.
 *
 * Cutting is sound for every circuit: two terms that are equal for all values of the variables are equal for the values
 * of the cut terms. The circuit given here needs no trust: it is a proposal, and `substitution` checks all sixteen rows
 * before using it. If a kernel has another circuit, the proof fails; it never proves anything false.
 */
import * as masks from './masks.ts';
import { standIn, variable, type Term } from './node.ts';
import * as xors from './xors.ts';

/**
 * Gates of two operand letters; each defines the next letter; the inputs are a, b, c, d, and the last word
 * lists the outputs.
 */
export interface Circuit {
  readonly text: string;
  /** Constants that are XORed to the nibble before and after the gates. */
  readonly before: number;
  readonly behind: number;
}

const GATE = /^([a-z])([&|^-])([a-z])$/;

interface Gates<V> {
  readonly and: (x: V, y: V) => V;
  readonly or: (x: V, y: V) => V;
  readonly xor: (x: V, y: V) => V;
  readonly not: (x: V) => V;
  /** Replaces an output of the gates for all later use. */
  readonly cut: (x: V) => V;
}

function run<V>(gates: Gates<V>, { text, before, behind }: Circuit, inputs: readonly V[]): V[] {
  const flipped = (x: V, nibble: number, bit: number): V => ((nibble >> bit) & 1 ? gates.not(x) : x);
  const values = inputs.map((x, bit) => flipped(x, before, bit));
  const at = (letter: string): V => values[letter.charCodeAt(0) - 'a'.charCodeAt(0)];
  const steps = text.split(' ');
  const outputs = steps.pop()!;
  for (const step of steps) {
    const [, left, gate, right] = GATE.exec(step)!;
    const [x, y] = [at(left), at(right)];
    const letter = String.fromCharCode('a'.charCodeAt(0) + values.length);
    const made =
      gate === '&'
        ? gates.and(x, y)
        : gate === '|'
          ? gates.or(x, y)
          : gate === '^'
            ? gates.xor(x, y)
            : gates.and(x, gates.not(y));
    values.push(outputs.includes(letter) ? gates.cut(made) : made);
  }
  return Array.from(outputs, (letter, bit) => flipped(at(letter), behind, bit));
}

const bits: Gates<number> = {
  and: (x, y) => x & y,
  or: (x, y) => x | y,
  xor: (x, y) => x ^ y,
  not: (x) => x ^ 1,
  cut: (x) => x,
};

let cuts = 0;

const symbols: Gates<Term> = {
  and: masks.and,
  or: masks.or,
  xor: xors.xor,
  not: xors.not,
  cut(term) {
    if (term.operands.length === 0) return term;
    const name = variable(32, `cut[${cuts++}]`, term.secret);
    standIn(term, name);
    return name;
  },
};

/**
 * Applies a table to four words nibble by nibble, where word j holds bit j of each nibble. Throws unless the circuit
 * computes the table.
 */
export function substitution(table: readonly number[], circuit: Circuit): (inputs: readonly Term[]) => Term[] {
  table.forEach((y, x) => {
    const outputs = run(
      bits,
      circuit,
      [0, 1, 2, 3].map((bit) => (x >> bit) & 1),
    );
    if (outputs.reduce((nibble, bit, j) => nibble | (bit << j), 0) !== y)
      throw new Error(`a circuit that does not compute its table, at ${x}`);
  });
  return (inputs) => run(symbols, circuit, inputs);
}
