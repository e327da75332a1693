// Runs the exported functions of a text.
import type { Instead, Runnable, RunnableKernel } from '../claims/runnable.ts';
import { Bases, baseTerm, type Base } from '../execute/bases.ts';
import type { Coverage } from '../execute/coverage.ts';
import type { Ranges } from '../execute/machine.ts';
import type { Assignment, Term } from '../terms/term.ts';
import { interpret, type Callable, type LoopCut } from './interpret.ts';
import { parse } from './parse.ts';
import { baseValue, Run, type TextEvent } from './run.ts';
import type { Program } from './syntax.ts';
import { bytesOf, termOf, TermMemory, wordOfBytes } from './term-memory.ts';
import type { KernelText } from './texts.ts';
import { int32, noDoubles, wordOf, type Doubles } from './values.ts';

export interface JavaScriptOptions {
  readonly memoryBytes: number;
  readonly ranges?: Ranges;
  readonly instead?: Instead;
  /** The domain of doubles, for texts that compute with more than integers. */
  readonly doubles?: Doubles;
  /** Values for the variables: the run takes the way of these values, and only records leaks. */
  readonly follow?: Assignment | undefined;
  /** The record in which executed code is marked. */
  readonly coverage?: Coverage | undefined;
  /** Parameters that are unknown addresses: execute/bases.ts. */
  readonly bases?: readonly Base[];
  /** Functions that are not exported, and may be called as if they were: they have claims of their own. */
  readonly inner?: readonly string[] | undefined;
  /** A loop that runs one iteration only. */
  readonly cut?: LoopCut | undefined;
  /** Numbers that are not known, and that are not zero. */
  readonly notZero?: readonly Term[] | undefined;
}

export class JavaScriptMachine implements Runnable {
  readonly #run: Run;
  readonly #memory: TermMemory;
  readonly #program: Program;
  readonly #functions: ReadonlyMap<string, Callable>;
  readonly #bases: ReadonlySet<Term>;
  readonly #inner: readonly string[];

  constructor(
    program: Program,
    {
      memoryBytes,
      ranges = {},
      instead = {},
      doubles = noDoubles,
      follow,
      coverage,
      bases = [],
      inner = [],
      cut,
      notZero = [],
    }: JavaScriptOptions,
  ) {
    this.#program = program;
    this.#inner = inner;
    this.#memory = new TermMemory(memoryBytes, doubles);
    this.#memory.ranges = ranges;
    this.#run = new Run(this.#memory, doubles, follow, new Bases(bases));
    this.#bases = new Set(bases.map(baseTerm));
    const others = Object.entries(instead).map(([name, other]) => [name, other.bind(undefined, this)] as const);
    this.#functions = interpret(program, this.#run, { instead: new Map(others), coverage, cut, notZero });
  }

  get events(): readonly TextEvent[] {
    return this.#run.events;
  }
  get ranges(): Ranges {
    return this.#memory.ranges;
  }
  set ranges(ranges: Ranges) {
    this.#memory.ranges = ranges;
  }
  write(address: number, terms: readonly Term[]): void {
    this.#memory.set(address, terms.flatMap(bytesOf));
  }
  read(address: number, length: number): Term[] {
    return this.#memory.bytes(address, length).map(termOf);
  }
  readWords(address: number, count: number): Term[] {
    return Array.from({ length: count }, (_, i) => wordOfBytes(this.#memory.bytes(address + 4 * i, 4)));
  }
  written(): number[] {
    return this.#memory.written();
  }
  secretBytes(): number[] {
    return this.#memory.where((byte) => byte.term.secret && termOf(byte).secret);
  }

  /**
   * Calls an exported function. Parameters are integers, as in the library, or terms of 32 bits, which are read as
   * signed; terms of bases are read as addresses.
   */
  call(name: string, ...parameters: readonly (number | Term)[]): Term | undefined {
    const callable = this.#inner.includes(name) || this.#program.exported.includes(name);
    const run = callable ? this.#functions.get(name) : undefined;
    if (!run) throw new TypeError(`no function ${name} is exported`);
    if (this.#program.functions.get(name)?.parameters !== parameters.length)
      throw new TypeError(`${name} does not take ${parameters.length} parameters`);
    this.#run.begin();
    const value = (x: Term) => (this.#bases.has(x) ? baseValue(x) : int32(x));
    const result = run(parameters.map((x) => (typeof x === 'number' ? x : value(x))));
    return result === undefined ? undefined : wordOf(result, this.#run.doubles);
  }
}

/** A text in the form in which claims run it. A domain of doubles belongs to one run, so each run gets its own. */
export function onText(
  { name, text, memoryBytes, coverage }: KernelText,
  doublesOf?: () => Doubles,
  ...inner: readonly string[]
): RunnableKernel {
  // The text is parsed once, when first needed: then a refused text makes the claim fail, not its construction.
  let program: Program | undefined;
  return {
    name,
    memoryBytes,
    start(ranges = {}, instead = {}, bases = []) {
      const doubles = doublesOf?.() ?? noDoubles;
      const options = { memoryBytes, ranges, instead, doubles, coverage, bases, inner };
      return new JavaScriptMachine((program ??= parse(text)), options);
    },
  };
}
