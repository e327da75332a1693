// The interpreter against V8: random programs in the language of the generated text, run by both. A proof about a text is
// worth as much as the interpreter is right, so this is part of every proof.
import { describe, expect, it } from 'vitest';
import { Failure } from '../src/claims/claim.ts';
import { parse } from '../src/javascript/parse.ts';
import { Stop } from '../src/javascript/run.ts';
import { JavaScriptMachine, type JavaScriptOptions } from '../src/javascript/runner.ts';
import { PolynomialDoubles } from '../src/polynomials/doubles.ts';
import { constant, evaluateAll, variable, type Assignment, type Term } from '../src/terms/term.ts';
import { doublesProgram } from './javascript-double-programs.ts';
import { program, type Kind } from './javascript-programs.ts';
import { inV8, MEMORY_BYTES, random } from './javascript-v8.ts';

/** Numbers that parameters and words of memory often have in mistakes. */
const EDGES = [0, 1, -1, 31, 32, 0x7fffffff, -0x80000000, 0xffff, 0x10000];

interface Input {
  readonly memory: Uint8Array<ArrayBuffer>;
  readonly parameters: readonly number[];
}

function inputOf(seed: number): Input {
  const next = random(seed ^ 0x5eed);
  const memory = new Uint8Array(MEMORY_BYTES);
  const words = new Int32Array(memory.buffer);
  const word = (): number => (next(3) ? next(2 ** 32) | 0 : EDGES[next(EDGES.length)]);
  words.forEach((_, i) => (words[i] = word()));
  return { memory, parameters: [word(), word()] };
}

interface Output {
  readonly memory: readonly number[];
  readonly result: number;
}

function runInV8(text: string, { memory, parameters }: Input): Output {
  const after = memory.slice();
  const result = inV8(text, after.buffer)['run'](...parameters) as number;
  return { memory: [...after], result: result >>> 0 };
}

const secret = (address: number): Term => variable(8, `input[${address}]`, true);
const assignmentOf =
  ({ memory }: Input): Assignment =>
  (name) =>
    memory[Number(/\d+/.exec(name)![0])];

interface Interpreted {
  readonly leaks: number;
  /** The output for given values of the variables. */
  readonly output: (assignment: Assignment) => Output;
}

/** A run on the bytes that `byteOf` gives. */
function interpreted(
  text: string,
  parameters: readonly number[],
  byteOf: (address: number) => Term,
  options: Partial<JavaScriptOptions> = {},
): Interpreted {
  const machine = new JavaScriptMachine(parse(text), { memoryBytes: MEMORY_BYTES, ...options });
  machine.write(
    0,
    Array.from({ length: MEMORY_BYTES }, (_, address) => byteOf(address)),
  );
  const result = machine.call('run', ...parameters)!;
  const leaks = machine.events.filter(({ kind }) => kind === 'leak').length;
  expect(machine.events).toHaveLength(leaks);
  return {
    leaks,
    output(assignment) {
      const [value, ...memory] = evaluateAll([result, ...machine.read(0, MEMORY_BYTES)], assignment).map(Number);
      return { memory, result: value };
    },
  };
}

function expectSame(text: string, input: Input, output: Output): void {
  expect({ ...output, text, input }).toEqual({ ...runInV8(text, input), text, input });
}

/** The result of a program, or `undefined` if the interpreter refuses it. */
function unlessRefused<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof Failure && !(error instanceof Stop)) return undefined;
    throw error;
  }
}

const seeds = (count: number): number[] => [...Array(count).keys()];

/** Three inputs for a program, one of them the parameters' own. */
const moreInputs = (seed: number, parameters: readonly number[]): Input[] =>
  [1, 2, 3].map((n) => ({ ...inputOf(1000 * n + seed), parameters }));

describe('the interpreter and V8', () => {
  it('agree on known numbers, doubles among them', () => {
    for (const seed of seeds(300)) {
      const text = program(seed, { doubles: true, leaky: true });
      const input = inputOf(seed);
      const { output } = interpreted(text, input.parameters, (address) => constant(8, input.memory[address]));
      expectSame(text, input, output(assignmentOf(input)));
    }
  });

  it('agree on unknown bytes, when these get values afterwards', () => {
    let ran = 0;
    for (const seed of seeds(300)) {
      const text = program(seed, {});
      const { parameters } = inputOf(seed);
      const run = unlessRefused(() => interpreted(text, parameters, secret));
      if (!run) continue;
      expect(run.leaks).toBe(0);
      for (const input of moreInputs(seed, parameters)) expectSame(text, input, run.output(assignmentOf(input)));
      ran++;
    }
    // Integers with more bits than a double holds are refused.
    expect(ran).toBeGreaterThan(270);
  });

  it('agree on doubles of unknown words', () => {
    let ran = 0;
    for (const seed of seeds(300)) {
      const text = doublesProgram(seed);
      const doubles = new PolynomialDoubles();
      const run = unlessRefused(() => interpreted(text, [0, 0], secret, { doubles }));
      if (!run) continue;
      for (const input of moreInputs(seed, [0, 0])) {
        const { assignment } = doubles.ring.evaluator(assignmentOf(input));
        expectSame(text, input, run.output(assignment));
      }
      ran++;
    }
    // Programs whose results are not shown to be exact are refused.
    expect(ran).toBeGreaterThan(200);
  });

  it('agree where secrets decide, when the run follows their values', () => {
    let leaks = 0;
    for (const seed of seeds(300)) {
      const kind: Kind = { leaky: true };
      const text = program(seed, kind);
      const input = inputOf(seed);
      const follow = assignmentOf(input);
      const run = unlessRefused(() => interpreted(text, input.parameters, secret, { follow }));
      if (!run) continue;
      expectSame(text, input, run.output(follow));
      leaks += run.leaks;
    }
    expect(leaks).toBeGreaterThan(200);
  });

  it('has no opinion where a secret decides and its value is not given', () => {
    let stopped = 0;
    for (const seed of seeds(100)) {
      const text = program(seed, { leaky: true });
      const run = (): unknown => unlessRefused(() => interpreted(text, inputOf(seed).parameters, secret));
      try {
        run();
      } catch (error) {
        if (!(error instanceof Stop)) throw error;
        stopped++;
      }
    }
    expect(stopped).toBeGreaterThan(50);
  });
});
