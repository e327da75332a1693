/** The modules of SHA-256 and of SHA-512: one message, HMAC, PBKDF2. The memory map is map.ts's. */
import { Module } from '../wasm/module.ts';
import { defineSha2 } from './kernel.ts';
import { halves, inVectors, words32, words64, type WordMachine } from './machine-kernel.ts';
import { PAGES } from './map.ts';
import { sha256Rounds, sha512Rounds, type Sha2Rounds } from './rounds.ts';

/**
 * The exported functions for one message. CONSTANTS has the constants. `end` is the length of a digest in bytes, a multiple of
 * the size of a word.
 */
export interface Functions {
  /** The chaining value at an address goes to STATE. */
  begin(from: number): void;
  /** Hashes `blocks` blocks at an address, at least one, from the chaining value at STATE on. */
  compress(address: number, blocks: number): void;
  /** STATE as a digest of `end` bytes goes to an address. */
  digest(to: number, end: number): void;
  /** The chaining values of HMAC go to INNER and OUTER. The key, padded with zeros to a block, is at DIGEST, and is XORed. */
  key(): void;
  /** The outer hash of HMAC: of the inner digest at STATE, with its padding in the block at DIGEST. The result goes to DIGEST. */
  outer(end: number): void;
  /** PBKDF2: `count` times, at least once, HMAC of DIGEST, padded, goes there, and is XORed onto SUM. */
  iterate(count: number, end: number): void;
}

/**
 * Without vectors there is one round in a turn, as in the texts of the `js` engine, because their size counts: few engines have no vectors,
 * and the older ones of Safari compile either equally well.
 */
function moduleOf<V>(machine: WordMachine<V>, rounds: Sha2Rounds, vectors: boolean): Module {
  const module = new Module(PAGES);
  const its = vectors ? inVectors(machine, rounds) : machine;
  defineSha2(module, { machine: its, rounds, unrolled: vectors ? 8 : 1 });
  return module;
}
export const sha256Module = (vectors: boolean): Module => moduleOf(words32, sha256Rounds, vectors);
export const sha512Module = (vectors: boolean): Module => moduleOf(words64, sha512Rounds, vectors);
/** JavaScript has no fast integers of 64 bits. */
export const sha512Text = (): Module => moduleOf(halves, sha512Rounds, false);
