/**
 * Single bits, for bit-sliced kernels, whose words do not hold the bits of one number. There are two domains: truth
 * tables, for statements about all values of eight bits, and sums, for code that only moves and adds bits.
 */
import { Failure } from '../claims/claim.ts';

/** The operations on bits that the executor needs; `B` is a bit, and equal bits may be different objects. */
export interface Bits<B> {
  readonly zero: B;
  readonly one: B;
  xor(x: B, y: B): B;
  and(x: B, y: B): B;
  /** 0 or 1 if the bit has this value for all values of the variables. */
  constantOf(x: B): 0 | 1 | undefined;
}

/** A function of the eight bits of one column: bit i of the table is its value where these are the bits of i. */
export interface Table {
  /** The column that the eight bits belong to; -1 for constants. */
  readonly column: number;
  readonly table: bigint;
}

const ROWS = 256;
const ALL = (1n << BigInt(ROWS)) - 1n;

/** The common column of two tables; bits of different columns are never combined. */
function together(x: Table, y: Table): number {
  if (x.column < 0 || x.column === y.column) return y.column;
  if (y.column < 0) return x.column;
  throw new Failure(`bits of columns ${x.column} and ${y.column} meet`);
}

export const tables: Bits<Table> = {
  zero: { column: -1, table: 0n },
  one: { column: -1, table: ALL },
  xor: (x, y) => ({ column: together(x, y), table: x.table ^ y.table }),
  and: (x, y) => ({ column: together(x, y), table: x.table & y.table }),
  constantOf: ({ column, table }) => (column >= 0 ? undefined : table === 0n ? 0 : 1),
};

/** Input number `bit` of a column. */
export function input(column: number, bit: number): Table {
  let table = 0n;
  for (let row = 0; row < ROWS; row++) if ((row >> bit) & 1) table |= 1n << BigInt(row);
  return { column, table };
}

/** The table of bit `bit` of a table of bytes. */
export const outputOf = (bytes: readonly number[], bit: number): bigint =>
  bytes.reduce((table, byte, row) => ((byte >> bit) & 1 ? table | (1n << BigInt(row)) : table), 0n);

/** A sum of atoms, in rising order, and of 0 or 1; equal sums are the same object. */
export interface Sum {
  readonly id: number;
  readonly atoms: readonly number[];
  readonly constant: 0 | 1;
}

export class Sums implements Bits<Sum> {
  readonly #known = new Map<string, Sum>();
  readonly #names = new Map<string, Sum>();
  #atoms = 0;
  readonly zero: Sum = this.#sum([], 0);
  readonly one: Sum = this.#sum([], 1);

  #sum(atoms: readonly number[], constant: 0 | 1): Sum {
    const key = `${constant} ${atoms.join()}`;
    let sum = this.#known.get(key);
    if (!sum) this.#known.set(key, (sum = { id: this.#known.size, atoms, constant }));
    return sum;
  }

  /** An unknown bit with a name. */
  atom(name: string): Sum {
    let atom = this.#names.get(name);
    if (!atom) this.#names.set(name, (atom = this.#sum([this.#atoms++], 0)));
    return atom;
  }

  xor(x: Sum, y: Sum): Sum {
    if (y.atoms.length === 0) return y.constant ? this.#sum(x.atoms, x.constant ? 0 : 1) : x;
    if (x.atoms.length === 0) return this.xor(y, x);
    const atoms: number[] = [];
    let i = 0;
    for (const atom of y.atoms) {
      while (i < x.atoms.length && x.atoms[i] < atom) atoms.push(x.atoms[i++]);
      if (x.atoms[i] === atom) i++;
      else atoms.push(atom);
    }
    atoms.push(...x.atoms.slice(i));
    return this.#sum(atoms, x.constant === y.constant ? 0 : 1);
  }

  and(x: Sum, y: Sum): Sum {
    const [known, other] = x.atoms.length ? [y, x] : [x, y];
    if (known.atoms.length) throw new Failure('a product of bits of which none is known');
    return known.constant ? other : this.zero;
  }

  constantOf(x: Sum): 0 | 1 | undefined {
    return x.atoms.length ? undefined : x.constant;
  }
}
