/**
 * Types every value of a module as public or secret, on all paths and for all lengths, and reports where a secret decides
 * about time: a branch, an address, a length, a division, a `select`, a shift count, a trap.
 *
 * There is nothing to annotate. Whatever is loaded from memory is secret, for there the keys and messages are. What the
 * caller passes to an exported function is public (lengths, counters, flags, addresses), constants are, and so is what is
 * computed from public values. While no branch depends on a secret, no value tells by which path it came.
 *
 * Types only ever grow from public to secret, so passes over all functions, each going on with what the last one knew
 * about loops, parameters and results, end with the least solution.
 */
import type { DecodedModule, Opcode } from '../wasm/types.ts';
import { FunctionPass } from './function-pass.ts';
import { joined, resultsOf, type Label, type Results } from './labels.ts';
import type { LeakKind } from './rules.ts';

export interface Violation {
  readonly kind: LeakKind;
  readonly op: Opcode;
  /** The offset of the instruction in the module. */
  readonly at: number;
  /** The index of its function. */
  readonly function: number;
}

export interface Typing extends Results {
  readonly violations: readonly Violation[];
}

/** What is known between passes. */
export class Knowledge {
  readonly #module: DecodedModule;
  /** By function; undefined for one that is neither exported nor called, and so never runs. */
  readonly parameters: (Label[] | undefined)[];
  readonly results: Label[][];
  /** The locals at the start of each loop, by function and by the loop's instruction. */
  readonly loops: readonly Map<number, Label[]>[];
  changed = false;

  constructor(module: DecodedModule) {
    this.#module = module;
    this.parameters = module.functions.map(({ name, type }) =>
      name === undefined ? undefined : type.parameters.map((): Label => 'public'),
    );
    this.results = module.functions.map(({ type }) => type.results.map((): Label => 'public'));
    this.loops = module.functions.map(() => new Map());
  }

  /** What is secret in `from` becomes so in `into`. */
  join(into: Label[], from: readonly Label[]): void {
    from.forEach((label, i) => {
      const both = joined(into[i], label);
      if (both === into[i]) return;
      into[i] = both;
      this.changed = true;
    });
  }

  readonly parameterCount = (callee: number): number => this.#module.functions[callee].type.parameters.length;

  /** A call with these parameters; gives back the results, as far as they are known. */
  call(callee: number, parameters: readonly Label[]): readonly Label[] {
    const known = this.parameters[callee];
    if (known) this.join(known, parameters);
    else {
      this.parameters[callee] = [...parameters];
      this.changed = true;
    }
    return this.results[callee];
  }

  /** One pass over all functions that run. */
  pass(): Violation[] {
    return this.#module.functions.flatMap((f) => {
      const parameters = this.parameters[f.index];
      return parameters ? new FunctionPass(this, f, parameters).run() : [];
    });
  }
}

export function typeModule(module: DecodedModule): Typing {
  const known = new Knowledge(module);
  let violations: readonly Violation[];
  do {
    known.changed = false;
    violations = known.pass();
  } while (known.changed);
  // A function has one result or none.
  const results = module.functions.flatMap(({ name, index }) =>
    name === undefined ? [] : known.results[index].map((label) => [name, label] as const),
  );
  return { violations, ...resultsOf(results) };
}

/** As one line. */
export const describeViolation = ({ kind, op, at, function: f }: Violation): string =>
  `a secret decides about the ${kind} of ${op} at ${at}, in function ${f}`;
