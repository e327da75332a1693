/** The module of Argon2 (RFC 9106): its compression function G. */
import { halves, longs } from '../blake2/wide-kernel.ts';
import { Module } from '../wasm/module.ts';
import { defineCompress } from './kernel.ts';
import { MOST_PAGES, PAGES } from './map.ts';
import { vectorSteps } from './vectors-kernel.ts';
import { wordSteps } from './words-kernel.ts';

/** The exported functions. */
export interface Functions {
  /**
   * G(X, Y) of the blocks at `x` and `y` goes to `to`, which is another block.
   *
   * In Argon2d, and in the later part of Argon2id, the address `y` depends on the password: these are defined so (RFC 9106 §3.4.1.1). But
   * for scrypt's rows it is the only address in the library that depends on a secret.
   *
   * @param onto - Not 0 if the result is XORed onto the block at `to`.
   * @param z - Memory for a block.
   */
  compress(x: number, y: number, to: number, onto: number, z: number): void;
  /**
   * Fills blocks of a segment as fill.ts does. Only native code has it: there, a call for each block would take a third of the time. The numbers
   * are `columns`, `p` and `lane`; the slice, and 4 more if blocks are XORed onto those there; the pass; the first block, and the one after the
   * last; and where the pairs J1, J2 are, or 0 if they are in the blocks before.
   *
   * @returns The number of the block after the last that was filled: there are 128 pairs.
   */
  fill?: ((...numbers: readonly number[]) => number) | undefined;
}

/** `lanes` unless there are no vectors. */
export function argon2Module(lanes?: object): Module {
  const module = new Module(PAGES, MOST_PAGES);
  defineCompress(module, lanes ? vectorSteps : wordSteps(module, longs));
  return module;
}

/** The same without vectors, with the arithmetic of JavaScript. */
export function argon2Text(): Module {
  const module = new Module(PAGES, MOST_PAGES);
  defineCompress(module, wordSteps(module, halves));
  return module;
}
