/**
 * Faults that all claims once missed, each planted in a real kernel: keyed backdoors, a forgery, keys that stay in
 * memory, results that are wrong at one length. Each is data: the place where code is put into the module, and the
 * topics of the claims that refute it, each of them alone. Each room has the faults of its kernels.
 *
 * A keyed fault does nothing unless a word of the key has one value, so no test meets it; it selects with a mask, because a
 * branch would be a leak. It also depends on a length or a number of blocks, which is public.
 */
import * as i32 from '../../../lanewise/src/wasm/i32.ts';
import type { Expression, Local, Statement } from '../../../lanewise/src/wasm/types.ts';
import { ifMagic, inserted, unlessMagic, type FunctionOf, type Place, type Plant } from './plant.ts';

export interface MissedFault {
  /** The identity of the fault: entries with the same number are the same fault in two functions. */
  readonly id: string;
  readonly what: string;
  readonly kernel: string;
  /** The function with the fault, by its name in coverage claims. */
  readonly name: string;
  readonly plant: Plant;
  /** The topics of the claims that refute the fault. */
  readonly refutedBy: readonly string[];
}

/** Clears a word if a word of the key has one value. */
export const clearIfMagic = (word: number, key: number): Statement =>
  i32.store(0, word, unlessMagic(i32.load(0, word), key));
export const flipIfMagic = (word: number, key: number): Statement =>
  i32.store(0, word, i32.xor(i32.load(0, word), i32.and(ifMagic(key), 1)));

/**
 * The topic that refutes all faults that compare a length or a number of blocks, because no list permits the
 * comparison.
 */
export const NUMBERS = 'public numbers';

/** A fault in code that a claim about coverage finds, or claims of another topic. */
export const other = (
  kernel: string,
  id: string,
  what: string,
  name: string,
  of: FunctionOf,
  place: Place,
  code: Statement,
  refutedBy = 'coverage',
): MissedFault => ({ id, what, kernel, name, plant: inserted(of, place, code), refutedBy: [refutedBy, NUMBERS] });

/** 1 if a number has one value, else 0, without a comparison. */
export const ifEqual = (n: Local<'i32'>, value: number): Expression<'i32'> =>
  i32.shr_u(i32.sub(i32.xor(n, value), 1), 31);

/**
 * Faults of parameters that claims about results now enumerate: kinds of a state with every number of rounds, counts, block
 * and chunk numbers. Claims about results execute all of them, both ways, so coverage does not object.
 */
export const enumerated = (
  kernel: string,
  id: string,
  what: string,
  name: string,
  plant: Plant,
  topic: string,
): MissedFault => ({ id, what, kernel, name, plant, refutedBy: [topic, NUMBERS] });
