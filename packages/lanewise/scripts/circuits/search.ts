/**
 * A beam search for small circuits of four bits in and four bits out, of the gates and, or, xor and and-not. A function
 * of four bits is its truth table, 16 bits of a number; all functions here are zero at zero, a property that these gates preserve.
 *
 * A state of the search is the set of the functions computed so far. Each step adds every function that one gate makes
 * of two of them, and keeps the states from which the outputs seem nearest. That isn't a proof that there is no smaller one.
 */

/** The truth tables of the four input bits. */
export const INPUTS: readonly number[] = [0xaaaa, 0xcccc, 0xf0f0, 0xff00];

/** The truth table of bit `bit` of a table of sixteen values. */
export const tableOf = (box: readonly number[], bit: number): number =>
  box.reduce((table, y, x) => table | (((y >> bit) & 1) << x), 0);

const TABLES = 1 << 16;
/** Estimated gates up to an output that is there, one gate away, two, three (of one kind), or further. */
const ESTIMATES = [0, 1, 2.05, 3.1, 4.6];
/** States that seem equally good are kept by chance. */
const JITTER = 0.3;

/** A set of truth tables, emptied in no time. */
class Tables {
  readonly #stamps = new Int32Array(TABLES);
  #now = 0;
  readonly list = new Int32Array(TABLES);
  count = 0;

  clear(): void {
    this.#now++;
    this.count = 0;
  }
  has(table: number): boolean {
    return this.#stamps[table] === this.#now;
  }
  /** In the set, but not in the list. */
  hide(table: number): void {
    this.#stamps[table] = this.#now;
  }
  add(table: number): void {
    if (this.has(table)) return;
    this.hide(table);
    this.list[this.count++] = table;
  }
  /** All that one gate makes of two functions. */
  addGates(a: number, b: number): void {
    this.add(a & b);
    this.add(a | b);
    this.add(a ^ b);
    this.add(a & ~b);
    this.add(b & ~a);
  }
}

/** Pseudo-random numbers below 1: the same search finds the same circuits. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    // An affine generator, whose top bits are mixed once more: sums of its numbers must not fall together.
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
    return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32;
  };
}

/** One gate away from the state, and one gate that takes the function that was added to it. */
const near = new Tables();
const nearer = new Tables();
const isNear = (table: number): boolean => near.has(table) || nearer.has(table);

function someNear(holds: (table: number) => boolean): boolean {
  for (let i = 0; i < near.count; i++) if (holds(near.list[i])) return true;
  for (let i = 0; i < nearer.count; i++) if (holds(nearer.list[i])) return true;
  return false;
}

/** Whether an output is one gate of a function of the state and one that is one gate away. */
function twoAway(output: number, state: readonly number[]): boolean {
  return state.some((b) => {
    if (isNear(output ^ b)) return true;
    const common = output & b;
    // Below b: an and of b. Apart from b, or above it: an and-not, or an or. All others never end in a gate with b.
    if (common === output) return someNear((x) => (x & b) === output || (x & b) === (b & ~output));
    if (common === 0 || common === b) return someNear((x) => (x & ~b) === (output & ~b));
    return false;
  });
}

function estimate(output: number, state: readonly number[]): number {
  if (state.includes(output)) return 0;
  if (isNear(output)) return 1;
  if (twoAway(output, state)) return 2;
  return someNear((x) => isNear(output ^ x)) ? 3 : 4;
}

/** States as sums of one random number for each function, so that their order does not matter. */
const random = generator(1);
const marks = Float64Array.from({ length: TABLES }, () => Math.floor(random() * 2 ** 46));

/** The circuits of the fewest gates that were found: each a list of truth tables, inputs first. */
export function search(outputs: readonly number[], width: number, seed = 1, most = 20): number[][] {
  const chance = generator(seed);
  let beam: (readonly number[])[] = [INPUTS];
  for (let gates = 1; gates <= most; gates++) {
    const seen = new Set<number>();
    const found: number[][] = [];
    const candidates: { readonly score: number; readonly state: readonly number[]; readonly table: number }[] = [];
    for (const state of beam) {
      const mark = state.reduce((sum, table) => sum + marks[table], 0);
      near.clear();
      [0, ...state].forEach((table) => {
        near.hide(table);
      });
      state.forEach((a, i) => {
        for (let j = 0; j < i; j++) near.addGates(a, state[j]);
      });
      for (let i = 0; i < near.count; i++) {
        const table = near.list[i];
        if (seen.has(mark + marks[table])) continue;
        seen.add(mark + marks[table]);
        nearer.clear();
        for (const other of state) nearer.addGates(other, table);
        const extended = [...state, table];
        const estimates = outputs.map((output) => estimate(output, extended));
        const missing = estimates.filter(Boolean).length;
        if (missing === 0) found.push(extended);
        else if (gates + missing <= most) {
          const score = estimates.reduce((sum, n) => sum + ESTIMATES[n], 0) + JITTER * chance();
          candidates.push({ score, state, table });
        }
      }
    }
    if (found.length) return found;
    candidates.sort((x, y) => x.score - y.score);
    beam = candidates.slice(0, width).map(({ state, table }) => [...state, table]);
  }
  return [];
}
