/** Key derivation: the keys of AES and of the hashes from the cipher's own key, and the round keys from that of AES. */
import { BITS, CONSTANT, KEY_WORDS, ROUNDS } from '../aes/rounds.ts';
import { copy, fill, loop, sequence, set, tee, when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Callable, Module } from '../wasm/module.ts';
import type { Expression, Statement } from '../wasm/types.ts';
import type { Aes } from '../aes/kernel.ts';
import { CLAMP } from '../poly1305/kernel.ts';
import { BLOCK, STAGE, NH_KEY_BYTES, POLY_KEY, ROUND, SLICES } from './map.ts';
import { startKeys } from './subkeys-kernel.ts';
import type { Xor } from '../keystream/kernel.ts';

const KEY_BYTES = 4 * KEY_WORDS;
/** Blocks of the stream that are the keys of Adiantum; HPolyC's are the first of them. */
const STREAM_BLOCKS = 18;
const ONES = 0x01010101;

/**
 * SubWord of FIPS 197 §5.2: the S-box on the four bytes of a word, whose bits are spread over the first words of the
 * slices.
 */
function defineSubWord(module: Module, { substitute, sliceBytes }: Aes): Callable<['i32'], 'i32'> {
  const at = (bit: number): number => SLICES + sliceBytes * bit;
  const bits = Array.from({ length: BITS }, (_, bit) => bit);
  return module.define(undefined, ['i32'], 'i32', (_, word) => [
    ...bits.map((bit) => i32.store(0, at(bit), i32.and(i32.shr_u(word, bit), ONES))),
    substitute(),
    bits
      .map((bit): Expression<'i32'> => i32.shl(i32.load(0, at(bit)), bit))
      .reduce((all, bit) => i32.xor(all, bit), i32.value(CONSTANT)),
  ]);
}

/** The key of AES at ROUND becomes its round keys, with the S-box's constant in all but the first. FIPS 197 §5.2 */
function defineExpand(module: Module, aes: Aes): Callable<[], undefined> {
  const subWord = defineSubWord(module, aes);
  return module.define('expandKey', [], undefined, (frame) => {
    const word = frame.local('i32');
    const constant = frame.local('i32');
    const at = frame.local('i32');
    const next = (w: number): Statement =>
      sequence(set(word, i32.xor(word, i32.load(at, ROUND - KEY_BYTES + 4 * w))), i32.store(at, ROUND + 4 * w, word));
    const end = BLOCK * (ROUNDS + 1);
    return [
      set(at, i32.value(KEY_BYTES)),
      set(constant, i32.value(1)),
      set(word, i32.load(0, ROUND + KEY_BYTES - 4)),
      loop(
        sequence(
          set(word, i32.xor(subWord(i32.rotr(word, 8)), constant)),
          set(constant, i32.shl(constant, 1)),
          ...[0, 1, 2, 3].map(next),
          // 60 words are seven and a half keys.
          when(i32.ne(at, end - BLOCK), sequence(set(word, subWord(word)), ...[4, 5, 6, 7].map(next))),
        ),
        i32.lt_u(tee(at, i32.add(at, KEY_BYTES)), end),
      ),
      set(at, i32.value(BLOCK)),
      loop(i32.store(at, ROUND, i32.xor(i32.load(at, ROUND), CONSTANT)), i32.lt_u(tee(at, i32.add(at, 4)), end)),
    ];
  });
}

/**
 * "Adiantum: length-preserving encryption for entry-level processors" §2: XChaCha's stream begins with the key of AES;
 * those of Poly1305 and of NH follow. HPolyC has one key of Poly1305, and the bytes after it are not used.
 */
export function exportDerive(module: Module, aes: Aes, start: Callable<['i32', 'i32'], undefined>, xor: Xor): void {
  const expand = defineExpand(module, aes);
  module.define('derive', ['i32'], undefined, (_, doubleRounds) => [
    startKeys(start, doubleRounds),
    fill(STAGE, 0, 64 * STREAM_BLOCKS),
    xor(doubleRounds, STAGE, STREAM_BLOCKS),
    copy(ROUND, STAGE, KEY_BYTES),
    expand(),
    copy(POLY_KEY, STAGE + KEY_BYTES, 2 * BLOCK + NH_KEY_BYTES),
    ...[0, BLOCK].flatMap((key) =>
      CLAMP.map((mask, w) => {
        const at = POLY_KEY + key + 4 * w;
        return i32.store(0, at, i32.and(i32.load(0, at), mask));
      }),
    ),
  ]);
}
