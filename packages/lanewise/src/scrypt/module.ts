/** The module of scrypt (RFC 7914): SHA-256 for PBKDF2, and the steps of ROMix. The memory map is map.ts's. */
import { Module } from '../wasm/module.ts';
import { defineRowMix } from './block-mix-kernel.ts';
import { MOST_PAGES, PAGES } from './map.ts';
import { defineSha256 } from './sha256-kernel.ts';

/** The exported functions. Rows are of 128 r bytes, and lie at multiples of four. */
export interface Functions {
  /** The initial hash value of SHA-256 goes to STATE. */
  start(): void;
  /** Hashes `blocks` blocks of SHA-256 at an address, at least one, from the chaining value at STATE on. */
  compress(address: number, blocks: number): void;
  /** BlockMix from a row to the one after it, `count` times, at least once. */
  fill(address: number, r: number, count: number): void;
  /**
   * BlockMix of the row `from` XOR the row `row` to the row `to`. In ROMix the address `row` depends on the password: of the
   * whole library it is the only address that depends on a secret, because scrypt is defined so (RFC 7914 §5, step 3).
   */
  mix(from: number, row: number, to: number, r: number): void;
}

export function scryptModule(): Module {
  const module = new Module(PAGES, MOST_PAGES);
  defineSha256(module);
  defineRowMix(module);
  return module;
}
