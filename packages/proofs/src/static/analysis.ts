/**
 * Abstract interpretation of a module: every function on all paths, with a value of a lattice for each value that there is.
 * What a lattice says of a value only ever grows, so passes over all functions, each going on with what the last one knew
 * about loops, parameters and results, end with the least solution. A function has one type for all of its callers.
 */
import type { DecodedModule } from '../wasm/types.ts';
import { FunctionPass } from './function-pass.ts';
import type { Known, Lattice } from './lattice.ts';

/** What is known between passes. */
export class Analysis<V> implements Known<V> {
  readonly module: DecodedModule;
  readonly lattice: Lattice<V>;
  /** By function; undefined for one that is neither exported nor called, and so never runs. */
  readonly #parameters: (V[] | undefined)[];
  /** By function; undefined until it has given something back. */
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

  /** What is known of something, once these values are too. */
  #grown(known: readonly V[] | undefined, values: readonly V[], loop?: string): V[] {
    const grown = known ? this.joined(known, values, loop) : [...values];
    if (!known || grown.some((value, i) => value !== known[i])) this.#changed = true;
    return grown;
  }

  readonly parameterCount = (callee: number): number => this.module.functions[callee].type.parameters.length;

  /** A call with these parameters; gives back the results, or undefined if it is not known yet whether there are any. */
  call(callee: number, parameters: readonly V[]): readonly V[] | undefined {
    this.#parameters[callee] = this.#grown(this.#parameters[callee], parameters);
    return this.results[callee];
  }

  return(index: number, values: readonly V[]): void {
    this.results[index] = this.#grown(this.results[index], values);
  }

  /** Control comes to a loop with these locals, from before it or behind a turn; gives back what they may be there. */
  loop(index: number, opens: number, locals: readonly V[], behindTurn: boolean): V[] {
    const loops = this.#loops[index];
    const known = this.#grown(loops.get(opens), locals, behindTurn ? `loop ${index}:${opens}` : undefined);
    loops.set(opens, known);
    return known.slice();
  }

  /** Passes until there is nothing new; `before` each of them what the lattice took down is forgotten. */
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
