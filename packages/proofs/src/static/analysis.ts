/**
 * Abstract interpretation of a module: every function on all paths, with an element of a lattice in place of each
 * value. The elements only ever grow, so passes over all functions, each starting from the loops, parameters and
 * results that the last pass found, end with the least fixed point. A function has one type for all of its callers.
 */
import type { DecodedModule } from '../wasm/types.ts';
import { FunctionPass } from './function-pass.ts';
import type { Known, Lattice } from './lattice.ts';

/** The state that is kept between passes. */
export class Analysis<V> implements Known<V> {
  readonly module: DecodedModule;
  readonly lattice: Lattice<V>;
  /**
   * The parameters of each function; undefined for a function that is neither exported nor called, and so never runs.
   */
  readonly #parameters: (V[] | undefined)[];
  /** The results of each function; undefined until a path of the function has returned. */
  readonly results: (readonly V[] | undefined)[];
  /** The locals at the start of each loop, by function and by the loop's instruction. */
  readonly #loops: readonly Map<number, V[]>[];
  #changed = false;

  constructor(module: DecodedModule, lattice: Lattice<V>) {
    this.module = module;
    this.lattice = lattice;
    this.#parameters = module.functions.map((f) =>
      f.name === undefined ? undefined : f.type.parameters.map((_, i) => lattice.parameter(f, i)),
    );
    this.results = module.functions.map(() => undefined);
    this.#loops = module.functions.map(() => new Map());
  }

  joined(a: readonly V[], b: readonly V[], loop?: string): V[] {
    return a.map((value, i) => this.lattice.join(value, b[i], loop));
  }

  /** The join of the known values and new ones; notes whether anything has grown. */
  #grown(known: readonly V[] | undefined, values: readonly V[], loop?: string): V[] {
    const grown = known ? this.joined(known, values, loop) : [...values];
    if (!known || grown.some((value, i) => value !== known[i])) this.#changed = true;
    return grown;
  }

  readonly parameterCount = (callee: number): number => this.module.functions[callee].type.parameters.length;

  /**
   * Records a call with these parameters; returns the results, or undefined if no path of the function is known to
   * return yet.
   */
  call(callee: number, parameters: readonly V[]): readonly V[] | undefined {
    this.#parameters[callee] = this.#grown(this.#parameters[callee], parameters);
    return this.results[callee];
  }

  return(index: number, values: readonly V[]): void {
    this.results[index] = this.#grown(this.results[index], values);
  }

  /**
   * Records that control reaches a loop with these locals, from before the loop or after an iteration; returns their
   * join so far.
   */
  loop(index: number, opens: number, locals: readonly V[], behindTurn: boolean): V[] {
    const loops = this.#loops[index];
    const known = this.#grown(loops.get(opens), locals, behindTurn ? `loop ${index}:${opens}` : undefined);
    loops.set(opens, known);
    return known.slice();
  }

  /**
   * Runs passes until nothing grows; `before` is called before each pass, to discard the lattice's records of the last
   * one.
   */
  run(before: () => void): this {
    do {
      this.#changed = false;
      before();
      for (const f of this.module.functions) {
        const parameters = this.#parameters[f.index];
        if (parameters) new FunctionPass(this, f, parameters).run();
      }
    } while (this.#changed);
    return this;
  }
}
