/** The module of Adiantum and HPolyC: many pages in one call, or one in parts. The memory map is in map.ts. */
import { chacha } from '../chacha/rounds.ts';
import { when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import { Module } from '../wasm/module.ts';
import { defineAes } from '../aes/kernel.ts';
import { laneSlices, writePermutations } from '../aes/lanes.ts';
import { wordSlices } from '../aes/words-kernel.ts';
import { chachaVectors } from '../chacha/rows.ts';
import { HEAD, PAGES, POLY, ROUND, ROWS, SLICED, SLICES } from './map.ts';
import { defineHash } from './hash-kernel.ts';
import { exportDerive } from './keys-kernel.ts';
import { defineNh, nhLanes, type NhArithmetic } from './nh-kernel.ts';
import { defineMessageHash, exportHeads, exportPages, exportParts, type Primitives } from './pages-kernel.ts';
import { defineScalarSubkeys, type Subkeys } from './subkeys-kernel.ts';
import { defineLaneSubkeys } from './subkeys-lanes.ts';
import { poly1305, type Arithmetic } from '../poly1305/kernel.ts';
import { defineScalar } from '../keystream/kernel.ts';
import { defineVectors } from '../keystream/vector-kernel.ts';

/**
 * The exported functions. The keys are at KEY and after it; `nh` is 1 for Adiantum and 0 for HPolyC, `back` is 1 to
 * decrypt. Lengths are in bytes.
 */
export interface Functions {
  /** HChaCha in place: keystream/kernel.ts. */
  extend(doubleRounds: number): void;
  /** Derives all keys from the cipher's key at KEY. */
  derive(doubleRounds: number): void;
  /** Fills in `count` heads, `slot` apart, from the first: the number of 64 bits at `at` in it rises by `step` each time. */
  heads(at: number, slot: number, step: number, count: number): void;
  /** `count` pages of `pageLength` bytes, `stride` apart, whose lengths and tweaks are at HEADS, `slot` apart. */
  pages(
    back: number,
    nh: number,
    doubleRounds: number,
    headLength: number,
    slot: number,
    pageLength: number,
    stride: number,
    count: number,
  ): void;
  /** A page in parts. P_L is the message before its last 16 bytes. First lengths and tweak … */
  begin(nh: number, headLength: number): void;
  /** … then P_L at STAGE, all parts but the last in whole pieces of 1024 bytes … */
  absorb(nh: number, length: number): void;
  /** … then the page's last 16 bytes, at MIDDLE … */
  turn(back: number, nh: number, doubleRounds: number): void;
  /** … then P_L again, which is encrypted or decrypted … */
  stream(nh: number, doubleRounds: number, length: number): void;
  /** … and the page's new last 16 bytes are at MIDDLE. */
  end(nh: number): void;
  /** The functions that these call, exported for proofs: the key schedule of AES at ROUND … */
  expandKey(): void;
  /** … the round keys as AES adds them, its S-box, blocks … */
  sliceKeys(): void;
  substitute(): void;
  encryptBlocks(address: number): void;
  decryptBlocks(address: number): void;
  /** … and NH of a piece in units of 16 bytes. */
  nh(address: number, units: number, to: number): void;
}

/** The form of a module: with vectors or without, and the arithmetic of its hashes. */
export interface Form {
  readonly lanes?: { readonly relaxed: boolean } | undefined;
  readonly arithmetic: Arithmetic;
  /** Without vectors. */
  readonly nh: NhArithmetic;
}

/** Subkeys of many pages side by side; a single page has no use for lanes. */
function defineSubkeys(module: Module, one: Subkeys, relaxed: boolean): Subkeys {
  const many = defineLaneSubkeys(module, relaxed);
  return module.define(undefined, ['i32', 'i32'], undefined, (_, doubleRounds, pages) => [
    when(i32.eq(pages, 1), one(doubleRounds, pages), many(doubleRounds, pages)),
  ]);
}

export function diskModule({ lanes, arithmetic, nh }: Form): Module {
  const module = new Module(PAGES);
  if (lanes) writePermutations(module, ROWS);
  const { xor, start } = lanes
    ? defineVectors(module, chachaVectors, lanes.relaxed, false, HEAD)
    : defineScalar(module, chacha, HEAD);
  const places = { round: ROUND, sliced: SLICED, slices: SLICES };
  const aes = lanes
    ? defineAes(module, places, laneSlices(lanes.relaxed, ROWS))
    : defineAes(module, places, wordSlices(module));
  const one = defineScalarSubkeys(module, start);
  const subkeys = lanes ? defineSubkeys(module, one, lanes.relaxed) : one;
  const mac = poly1305(module, POLY, arithmetic);
  const hash = defineHash(module, mac, defineNh(module, lanes ? nhLanes : nh));
  exportDerive(module, aes, start, xor);
  const primitives: Primitives = { aes, hash, subkeys, xor };
  const hashMessage = defineMessageHash(module, hash);
  exportHeads(module);
  exportPages(module, primitives, hashMessage);
  exportParts(module, primitives);
  return module;
}
