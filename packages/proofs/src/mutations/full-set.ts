/**
 * The full set of mutants: which flipped bits `npm run prove:full` judges. A kernel's functions are those that no kernel before it
 * has (distinct.ts).
 *
 * Of each instruction, and of the declarations of each function's locals, one bit: drawn, by a fixed seed, among those whose
 * flip makes a module that validates and decodes, that no lint refuses, and that does not mean the same by a rule of same.ts;
 * if there is none, among those that mean the same; if there is none, among those that a lint refuses.
 */
import { sha256 } from '../golden.ts';
import type { Kernel } from '../kernels.ts';
import type { Instruction } from '../wasm/types.ts';
import type { Flip } from './mutants.ts';
import { mutantOf, type Mutant, type Place } from './one-instruction.ts';
import { Random } from './random.ts';

/** Which bits of a place are judged. */
export type Layer = 'one' | 'numbers' | 'all';

function shuffled<T>(list: readonly T[], random: Random): T[] {
  const left = [...list];
  return list.map(() => left.splice(random.below(left.length), 1)[0]);
}

const bitsOf = (from: number, to: number): Flip[] =>
  Array.from({ length: 8 * (to - from) }, (_, i) => ({ at: from + (i >> 3), bit: i & 7 }));

/** Offsets of loads and stores, and constants that are not counts of shifts. */
function numbersOf({ of, index, from, to }: Place): Flip[] {
  const instruction = of.code[index] as Instruction | undefined;
  if (instruction === undefined) return [];
  if ('offset' in instruction) return bitsOf(to - lengthOf(instruction.offset), to);
  const isCount = /\.(?:shl|shr_u|shr_s|rotl|rotr)$/.test(of.code[index + 1]?.op ?? '');
  return instruction.op === 'i32.const' && !isCount ? bitsOf(from + 1, to) : [];
}

/** Bytes of an unsigned number in LEB128. */
const lengthOf = (n: number): number => (n < 128 ? 1 : 1 + lengthOf(Math.floor(n / 128)));

const isFit = (mutant: ReturnType<typeof mutantOf>): mutant is Mutant => typeof mutant === 'object';

/** The mutants of a place, made one after the other. `isSame` says whether a rule shows that a mutant means the same. */
export function mutantsAt(kernel: Kernel, place: Place, layer: Layer, isSame: (mutant: Mutant) => boolean): Mutant[] {
  const { from, to } = place;
  const flips = layer === 'numbers' ? numbersOf(place) : bitsOf(from, to);
  if (layer !== 'one') return flips.map((flip) => mutantOf(kernel, place, flip)).filter(isFit);
  const seed = parseInt(sha256(kernel.bytes).slice(0, 8), 16) ^ Math.imul(from, 0x9e3779b1);
  let [same, refused]: (Mutant | undefined)[] = [];
  for (const flip of shuffled(flips, new Random(seed))) {
    const mutant = mutantOf(kernel, place, flip);
    if (!isFit(mutant)) continue;
    if (mutant.refusal !== undefined) refused ??= mutant;
    else if (isSame(mutant)) same ??= mutant;
    else return [mutant];
  }
  return [same ?? refused ?? []].flat();
}
