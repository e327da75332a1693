/** Serpent's operations, counted in the library's own circuits by running them on numbers of operations. */
import { FORWARD, INVERSE } from '../../../../lanewise/src/serpent/boxes.ts';
import { BOXES, ROUNDS, substitute, transform } from '../../../../lanewise/src/serpent/rounds.ts';
import type { Logic } from '../../../../lanewise/src/words/machine.ts';

/** The gates of a circuit; its last word names the outputs. */
export const gatesOf = (circuit: string): number => circuit.split(' ').length - 1;

/** Gates on the longest way through a circuit. */
export function depthOf(circuit: string): number {
  const depths = [0, 0, 0, 0];
  const of = (letter: string): number => depths[letter.charCodeAt(0) - 'a'.charCodeAt(0)];
  const steps = circuit.split(' ');
  const outputs = steps.pop()!;
  for (const [left, , right] of steps) depths.push(1 + Math.max(of(left), of(right)));
  return Math.max(...Array.from(outputs, of));
}

export const forwardGates: readonly number[] = FORWARD.map(gatesOf);
export const inverseGates: readonly number[] = INVERSE.map(gatesOf);
export const forwardDepths: readonly number[] = FORWARD.map(depthOf);
export const inverseDepths: readonly number[] = INVERSE.map(depthOf);

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Operations of one encryption, of one block without vectors or four with them. */
export interface Operations {
  readonly boxes: number;
  readonly transforms: number;
  readonly keys: number;
  readonly all: number;
}

/** @param rotation - How many instructions a rotation takes: one on words, three on vectors. */
export function operationsOf(rotation: number): Operations {
  let count = 0;
  const one = (): number => ++count;
  const counting: Logic<number> = {
    xor: one,
    and: one,
    or: one,
    andnot: one,
    rotl: () => (count += rotation),
    shl: one,
  };
  const counted = (run: () => void): number => {
    const before = count;
    run();
    return count - before;
  };
  const words = [0, 0, 0, 0];
  const boxes = counted(() => {
    for (let round = 0; round < ROUNDS; round++) substitute(counting, round % BOXES, words);
  });
  const transforms = counted(() => {
    // The last round has a second round key instead.
    for (let round = 0; round < ROUNDS - 1; round++) transform(counting, words);
  });
  const keys = words.length * (ROUNDS + 1);
  return { boxes, transforms, keys, all: boxes + transforms + keys };
}

/** Shifts left and right, and their combination: there is no rotation of lanes in 128-bit WebAssembly. */
export const LANE_ROTATION = 3;
