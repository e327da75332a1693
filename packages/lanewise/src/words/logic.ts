/** Programs without branches over words in wasm locals: each becomes statements, and its values share few variables. */
import type { Logic } from './machine.ts';
import { set } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Frame } from '../wasm/module.ts';
import type { Expression, Local, Statement, ValueType } from '../wasm/types.ts';
import * as v128 from '../wasm/v128.ts';

type Binary<T extends ValueType> = (x: Expression<T>, y: Expression<T>) => Expression<T>;
type Shift<T extends ValueType> = (x: Local<T>, count: number) => Expression<T>;

/** The instructions on words, or on vectors of words. */
interface Instructions<T extends ValueType> {
  readonly type: T;
  readonly xor: Binary<T>;
  readonly and: Binary<T>;
  readonly or: Binary<T>;
  readonly andnot: Binary<T>;
  readonly rotl: Shift<T>;
  readonly shl: Shift<T>;
}

const words: Instructions<'i32'> = {
  type: 'i32',
  xor: i32.xor,
  and: i32.and,
  or: i32.or,
  // i32 has no such instruction; x & ~y takes as many instructions.
  andnot: (x, y) => i32.and(x, i32.xor(y, -1)),
  rotl: i32.rotl,
  shl: i32.shl,
};

const vectors: Instructions<'v128'> = {
  type: 'v128',
  xor: v128.xor,
  and: v128.and,
  or: v128.or,
  andnot: v128.andnot,
  // Doubling is an addition, for which processors have more units than for shifts.
  rotl: (x, n) => v128.or(n === 1 ? v128.i32x4_add(x, x) : v128.i32x4_shl(x, n), v128.i32x4_shr_u(x, 32 - n)),
  shl: v128.i32x4_shl,
};

/** A step of a program: the numbers of the values that it takes, and the instruction on them. */
interface Step<T extends ValueType> {
  readonly takes: readonly number[];
  readonly make: (operands: readonly Local<T>[]) => Expression<T>;
}

/** A program: a function from the four words of a block to four others. */
export type Program = <V>(logic: Logic<V>, x: readonly V[]) => readonly V[];

/** Makes the statements that replace the four variables by a program's results on them. */
export type Run<T extends ValueType> = (program: Program, variables: readonly Local<T>[]) => Statement[];

/** The steps of a program; values are numbers in the order in which they are made, from the inputs on. */
function recorded<T extends ValueType>(code: Instructions<T>, program: Program, inputs: number) {
  const steps: Step<T>[] = [];
  const step = (takes: readonly number[], make: Step<T>['make']): number => inputs + steps.push({ takes, make }) - 1;
  const binary = (of: Binary<T>) => (x: number, y: number) => step([x, y], ([a, b]) => of(a, b));
  const shift = (of: Shift<T>) => (x: number, n: number) => step([x], ([a]) => of(a, n));
  const logic: Logic<number> = {
    xor: binary(code.xor),
    and: binary(code.and),
    or: binary(code.or),
    andnot: binary(code.andnot),
    rotl: shift(code.rotl),
    shl: shift(code.shl),
  };
  const outputs = program(
    logic,
    Array.from({ length: inputs }, (_, i) => i),
  );
  return { steps, outputs };
}

function runner<T extends ValueType>(code: Instructions<T>, frame: Frame): Run<T> {
  // Variables in addition to those of the block; programs share them.
  const spare: Local<T>[] = [];
  return (program, variables) => {
    const { steps, outputs } = recorded(code, program, variables.length);
    /** The step after which each value is not needed any more; outputs are needed to the end. */
    const last: number[] = [];
    steps.forEach(({ takes }, i) => takes.forEach((value) => (last[value] = i)));
    outputs.forEach((value) => (last[value] = Infinity));

    const places = [...variables];
    const free = new Set(spare);
    const statements: Statement[] = [];
    steps.forEach(({ takes, make }, i) => {
      const value = variables.length + i;
      const operands = takes.map((taken) => places[taken]);
      for (const taken of new Set(takes)) if (last[taken] === i) free.add(places[taken]);
      const output = outputs.indexOf(value);
      // An output goes to its final variable as soon as that is free; every other value avoids these variables if it
      // can.
      const others = [...free].filter((place) => !variables.includes(place));
      const wanted = output >= 0 && free.has(variables[output]) ? variables[output] : others[0];
      let place = wanted ?? (output < 0 ? [...free][0] : undefined);
      if (!place) spare.push((place = frame.local(code.type)));
      free.delete(place);
      places[value] = place;
      statements.push(set(place, make(operands)));
    });
    outputs.forEach((value, j) => {
      if (places[value] !== variables[j]) statements.push(set(variables[j], places[value]));
    });
    return statements;
  };
}

export const scalarRun = (frame: Frame): Run<'i32'> => runner(words, frame);
export const laneRun = (frame: Frame): Run<'v128'> => runner(vectors, frame);
