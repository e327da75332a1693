/**
 * Whether a text has the effects of the module from which it is generated: function by function, from any state, with any parameters. Both
 * take the same steps, under the same conditions, with the same numbers. So the generator isn't trusted. Accesses lie in memory, and words at multiples of four, as the claims about bounds say.
 */
import { require } from '../claims/claim.ts';
import type { DecodedFunction, DecodedModule } from '../wasm/types.ts';
import { setsIn, stepsOfModule } from './module-steps.ts';
import type { Block, Locals, Step } from './steps.ts';
import type { FunctionText, Program } from './syntax.ts';
import { setsInText, stepsOfText } from './text-steps.ts';

export interface Translated {
  /** The functions that are the same. */
  readonly functions: readonly DecodedFunction[];
  readonly steps: number;
  /** The functions that compute with doubles, and are not compared. */
  readonly doubles: readonly DecodedFunction[];
}

const hasDoubles = ({ code }: DecodedFunction): boolean => code.some(({ op }) => op.includes('f64'));

class Comparison {
  readonly #module: DecodedModule;
  readonly #program: Program;
  readonly #names = new Map<number, string>();
  #steps = 0;
  #what = '';
  #sets: readonly ReadonlySet<number>[] = [];
  #place = 0;

  constructor(module: DecodedModule, program: Program) {
    this.#module = module;
    this.#program = program;
  }

  #same(is: boolean, what: string): void {
    require(is, () => `${this.#what}: ${what} is another one in the text`);
  }

  /** A function of the module is one function of the text, wherever it is called. */
  #pair(index: number, name: string): void {
    const known = this.#names.get(index);
    this.#same(known === undefined || known === name, `function ${index}`);
    this.#names.set(index, name);
  }

  all(): Translated {
    const exports = this.#module.functions.filter(({ name }) => name !== undefined);
    const names = exports.map(({ name }) => name!);
    require(names.sort().join() === [...this.#program.exported].sort().join(), () =>
      'the text exports other functions');
    for (const { index, name } of exports) this.#pair(index, name!);
    const [functions, doubles]: DecodedFunction[][] = [[], []];
    // The pairs grow as calls are met.
    for (const [index, name] of this.#names) {
      const f = this.#module.functions[index];
      if (hasDoubles(f)) doubles.push(f);
      else {
        this.#what = `${name}, function ${index}`;
        this.#function(f, this.#program.functions.get(name)!);
        functions.push(f);
      }
    }
    return { functions, doubles, steps: this.#steps };
  }

  #function(f: DecodedFunction, text: FunctionText): void {
    this.#same(f.type.parameters.length === text.parameters, 'the number of parameters');
    const [own, its] = [setsIn(f), setsInText(text)];
    this.#same(own.length === its.length, 'the number of branches and loops');
    this.#sets = own.map((sets, i) => new Set([...sets, ...its[i]]));
    this.#place = 0;
    const [module, written] = [
      stepsOfModule(this.#module, f, this.#sets),
      stepsOfText(this.#program, text, this.#sets),
    ];
    this.#block(module, written);
    this.#same(module.result === written.result, 'the result');
  }

  #block({ steps }: Block, its: Block): void {
    this.#same(steps.length === its.steps.length, 'the number of steps');
    steps.forEach((step, i) => this.#step(step, its.steps[i]));
  }

  #step(step: Step, its: Step): void {
    this.#steps++;
    const terms = (x: Step): readonly unknown[] =>
      Object.values(x).filter((each) => typeof each !== 'object' || 'id' in each);
    switch (step.kind) {
      case 'call':
        if (its.kind !== 'call') break;
        this.#pair(Number(step.callee), its.callee);
        this.#same(same(step.operands, its.operands), `an operand of ${its.callee}`);
        return;
      case 'if': {
        if (its.kind !== 'if') break;
        const sets = this.#sets[this.#place++];
        this.#same(its.condition.includes(step.condition[0]), 'a condition');
        for (const way of ['then', 'otherwise'] as const) {
          this.#block(step[way], its[way]);
          this.#locals(sets, step[way].locals, its[way].locals);
        }
        return;
      }
      case 'loop': {
        if (its.kind !== 'loop') break;
        const sets = this.#sets[this.#place++];
        this.#locals(sets, step.before, its.before);
        this.#block(step.body, its.body);
        this.#same(its.condition.includes(step.condition[0]), 'the condition of a loop');
        // Variables of the body begin anew.
        this.#locals(new Set([...sets].filter((local) => its.before.has(local))), step.body.locals, its.body.locals);
        return;
      }
      default:
        this.#same(step.kind === its.kind && same(terms(step), terms(its)), `a ${step.kind}`);
        return;
    }
    this.#same(false, `a ${step.kind}`);
  }

  /** Variables of the text, where it has them, and those of the module. */
  #locals(sets: ReadonlySet<number>, own: Locals, its: Locals): void {
    for (const local of sets) this.#same(!its.has(local) || its.get(local) === own.get(local), `local ${local}`);
  }
}

const same = (x: readonly unknown[], y: readonly unknown[]): boolean =>
  x.length === y.length && x.every((each, i) => each === y[i]);

export const translated = (module: DecodedModule, program: Program): Translated =>
  new Comparison(module, program).all();
