/**
 * The steps of a function, of a module or of its text, so that both can be compared: its stores, the functions that it calls, its branches
 * and its loops. Numbers are terms over the function's parameters, over its loads, and over the results of its calls.
 * After a branch, and in a loop, variables that are set there have any value, by a name that both use.
 */
import { add, and, constant, or, shl, shr_u, variable, type Term } from '../terms/term.ts';

/** The values of variables, by the index of the local that they are in the module. */
export type Locals = Map<number, Term>;

export interface Block {
  readonly steps: readonly Step[];
  /** At its end. */
  readonly locals: Locals;
}

export type Step =
  | { readonly kind: 'store'; readonly bytes: 1 | 4; readonly address: Term; readonly value: Term }
  | { readonly kind: 'fill'; readonly from: Term; readonly to: Term; readonly value: Term }
  | { readonly kind: 'copy'; readonly target: Term; readonly from: Term; readonly to: Term }
  | { readonly kind: 'call'; readonly callee: string; readonly operands: readonly Term[] }
  /** A condition has several forms in a text: the module's is one of them. */
  | { readonly kind: 'if'; readonly condition: readonly Term[]; readonly then: Block; readonly otherwise: Block }
  | { readonly kind: 'loop'; readonly before: Locals; readonly condition: readonly Term[]; readonly body: Block };

/** The steps of a function, and its result. */
export interface Steps extends Block {
  readonly result: Term | undefined;
}

export const word = (n: number): Term => constant(32, n);

/** Takes down the steps of one function. */
export class Recorder {
  /** The locals that each branch and each loop sets, in the module or in the text, in their order. */
  readonly #sets: readonly ReadonlySet<number>[];
  #control = 0;
  /** Grows with each step, so that a load after it gives other bytes than one before it. */
  #time = 0;
  steps: Step[] = [];

  constructor(sets: readonly ReadonlySet<number>[]) {
    this.#sets = sets;
  }

  load(bytes: 1 | 4, address: Term): Term {
    const loaded = variable(32, `${bytes} bytes at ${address.id} at time ${this.#time}`, true);
    return bytes === 1 ? and(loaded, word(255)) : loaded;
  }
  /** A word that need not be at a multiple of four. */
  loadBytes(address: Term): Term {
    return [0, 1, 2, 3].map((i) => shl(this.load(1, add(address, word(i))), 8 * i)).reduce((x, y) => or(x, y));
  }
  store(bytes: 1 | 4, address: Term, value: Term): void {
    this.take({ kind: 'store', bytes, address, value: bytes === 1 ? and(value, word(255)) : value });
  }
  storeBytes(address: Term, value: Term): void {
    for (let i = 0; i < 4; i++) this.store(1, add(address, word(i)), shr_u(value, 8 * i));
  }
  take(step: Step): void {
    this.#time++;
    this.steps.push(step);
  }
  call(callee: string, operands: readonly Term[]): Term {
    this.take({ kind: 'call', callee, operands });
    return variable(32, `result at time ${this.#time}`, true);
  }

  /** The steps that are taken down meanwhile. */
  #within(locals: Locals, run: () => void): Block {
    const before = this.steps;
    this.steps = [];
    run();
    const block = { steps: this.steps, locals: new Map(locals) };
    this.steps = before;
    return block;
  }

  /** Any values for the locals that are set at a place and that have a value. */
  #any(locals: Locals, place: number): void {
    for (const local of this.#sets[place] ?? [])
      if (locals.has(local))
        locals.set(local, variable(32, `local ${local} at place ${place} at time ${this.#time}`, true));
  }

  branch(locals: Locals, condition: readonly Term[], then: () => void, otherwise: () => void): void {
    const place = this.#control++;
    const before = new Map(locals);
    const restore = (): void => {
      locals.clear();
      for (const [local, value] of before) locals.set(local, value);
    };
    const [first, second] = [then, otherwise].map((run) => {
      restore();
      this.#time++;
      return this.#within(locals, run);
    });
    restore();
    this.take({ kind: 'if', condition, then: first, otherwise: second });
    this.#any(locals, place);
  }

  /** `body` gives the condition of another iteration. A variable of the body has no value after it. */
  loop(locals: Locals, body: () => readonly Term[]): void {
    const place = this.#control++;
    const before = new Map(locals);
    this.#time++;
    this.#any(locals, place);
    let condition: readonly Term[] = [];
    const block = this.#within(locals, () => (condition = body()));
    for (const local of locals.keys()) if (!before.has(local)) locals.delete(local);
    this.take({ kind: 'loop', before, condition, body: block });
  }
}
