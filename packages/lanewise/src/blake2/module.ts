/** The modules of BLAKE2b and BLAKE2s. */
import * as i32 from '../wasm/i32.ts';
import { Module } from '../wasm/module.ts';
import { defineCompress } from './kernel.ts';
import { H, PAGES } from './map.ts';
import { blake2bSize, blake2sSize, type Size } from './rounds.ts';
import { halves, longs, shorts, type Arithmetic } from './wide-kernel.ts';

/** The exported functions. */
export interface Functions {
  /** Makes the first chaining value of the parameter block at H. */
  start(): void;
  /**
   * Compresses `blocks` blocks at an address, at least one, onto the chaining value at H.
   *
   * @param low - With `high`, the number of the message's bytes up to the end of the first of these blocks.
   * @param last - All ones if the first of these blocks, and only one, is the last of the message; else 0.
   */
  compress(address: number, blocks: number, low: number, high: number, last: number): void;
}

function blake2Module<R>(size: Size, arithmetic: Arithmetic<R>): Module {
  const module = new Module(PAGES);
  module.define('start', [], undefined, () =>
    size.iv.map((word, i) => i32.store(0, H + 4 * i, i32.xor(i32.load(0, H + 4 * i), word | 0))),
  );
  defineCompress(module, size, arithmetic);
  return module;
}

export const blake2bModule = (): Module => blake2Module(blake2bSize, longs);
/** The same with the arithmetic of JavaScript. */
export const blake2bText = (): Module => blake2Module(blake2bSize, halves);
export const blake2sModule = (): Module => blake2Module(blake2sSize, shorts);
export const blake2sText = (): Module => blake2Module(blake2sSize, { ...shorts, inMemory: true });
