/**
 * ChaCha and Salsa20 in linear memory: HChaCha or HSalsa20, and the keystream XORed onto whole blocks. A kernel has one of
 * the two for its core.
 *
 *      offset  bytes  name
 *           0     32  MASKS   byte rotations, public; after a call only they stay, and ciphertext in DATA and ASIDE
 *          64   1024  AAD     additional data of a message that takes one call
 *        1088   1024  SETS    up to four sets of four blocks: word w of the four blocks of set s at 256·s + 16·w
 *        2112    512  ASIDE   a short ciphertext, while its place already holds plaintext and the MAC is not yet taken
 *        2624     64  STATE   the input in the order of keystream/core.ts: constants, key, counter and nonce
 *        2688      8          the last 8 bytes of a 24-byte nonce, whose first 16 are in the state
 *        2696      8          and the block counter that goes with it
 *        2704     16  TAG     the tag that a message came with
 *        2720     64  POLY    Poly1305: accumulator, r, s
 *        2816     64  HEAD    the block before the message, for the one-time key
 *        2880         DATA    the message, and its tag behind it
 */
import { SIGMA, TAU, WORDS, type Core } from './core.ts';
import { loop, sequence, set, tee, when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Callable, Module } from '../wasm/module.ts';
import type { Expression, Operand, Statement } from '../wasm/types.ts';
import { scalarWords } from '../words/locals.ts';

export const MASKS = 0;
export const AAD = 64;
export const AAD_BYTES = 1024;
export const SETS = AAD + AAD_BYTES;
export const ASIDE = SETS + 1024;
export const STATE = ASIDE + 512;
export const TAG = STATE + 80;
export const POLY = TAG + 16;
export const HEAD = 2816;
export const DATA = HEAD + 64;
/** The most that one call takes. Whole groups of blocks, so that a longer message goes on where the call stopped. */
export const DATA_BYTES = 122880;
/** Of 64 KiB. One page has room for short messages, of no more than SHORT_BYTES. */
export const PAGES = 2;
export const SHORT_PAGES = 1;
export const SHORT_BYTES = 64;

export const BLOCK = 64;
const ALL_WORDS = /* @__PURE__ */ Array.from({ length: WORDS }, (_, w) => w);
export const word = (w: number): number => STATE + 4 * w;
const KEY = /* @__PURE__ */ word(4);
const NONCE_REST = STATE + 64;
const COUNTER_REST = STATE + 72;

/** The first address where a message of `length` bytes leaves secrets: up to three blocks don't go into sets. */
export const secretsFrom = (length: number): number => (length <= 2 * BLOCK ? STATE : SETS);

/** (doubleRounds, address, blocks): XORs the keystream onto one or more blocks, and moves the counter on. */
export type Xor = Callable<['i32', 'i32', 'i32'], undefined>;

/** The counter has 64 bits; where the state has 32, the caller has made sure that it does not carry. */
export function advance(core: Core, blocks: Operand<'i32'>): Statement {
  const counter = word(core.counter);
  const low = i32.load(0, counter);
  const sum = i32.add(low, blocks);
  // What is carried out is the majority of the top bits of both and of what came into them.
  const carry = i32.shr_u(i32.or(i32.and(low, blocks), i32.and(i32.or(low, blocks), i32.xor(sum, -1))), 31);
  return sequence(i32.store(0, counter + 4, i32.add(i32.load(0, counter + 4), carry)), i32.store(0, counter, sum));
}

/** One block at a time, its words in locals. RFC 8439 §2.3, §2.4; Salsa20 specification §8, §10 */
export const defineScalarXor = (module: Module, core: Core): Xor =>
  module.define(undefined, ['i32', 'i32', 'i32'], undefined, (frame, doubleRounds, address, blocks) => {
    const words = scalarWords();
    const x = frame.locals('i32', WORDS);
    const rounds = frame.local('i32');
    const input = core.inputOf.map((i) => i32.load(0, word(i)));
    for (const [a, b, c, d] of core.doubleRound.flat()) core.quarterRound(words, x[a], x[b], x[c], x[d]);
    return [
      loop(
        sequence(
          ...x.map((local, w) => set(local, input[w])),
          set(rounds, doubleRounds),
          loop(sequence(...words.taken()), tee(rounds, i32.sub(rounds, 1))),
          ...x.map((local, w) =>
            i32.store(address, 4 * w, i32.xor(i32.load(address, 4 * w), i32.add(local, input[w]))),
          ),
          advance(core, 1),
          set(address, i32.add(address, BLOCK)),
        ),
        tee(blocks, i32.sub(blocks, 1)),
      ),
    ];
  });

/** Zeros in so many words of a block: what the keystream is XORed onto there is the keystream. */
export const clearWords = (address: number, words: number): Statement =>
  sequence(...ALL_WORDS.slice(0, words).map((w) => i32.store(0, address + 4 * w, 0)));

/**
 * HChaCha in place, draft-irtf-cfrg-xchacha-03 §2.2, or HSalsa20 ("Extending the Salsa20 nonce" §2): the key becomes the
 * subkey, then the rest of the nonce moves up. Both are the block function without its final addition, so what the addition
 * added is subtracted again; and of both, the subkey is where constants and nonce were. There is room for a block at
 * `scratch`.
 */
export const defineExtend = (module: Module, core: Core, xor: Xor, scratch: number): Callable<['i32'], undefined> =>
  module.define('extend', ['i32'], undefined, (frame, doubleRounds) => {
    const lastRow = frame.locals('i32', 2);
    const counter = word(core.counter);
    const nonce = word(core.nonce);
    return [
      clearWords(scratch, WORDS),
      // Words of the nonce are where the counter is, which moves on.
      ...lastRow.map((local, i) => set(local, i32.load(0, counter + 4 * i))),
      xor(doubleRounds, scratch, 1),
      ...lastRow.map((local, i) => i32.store(0, counter + 4 * i, local)),
      // The first and the last row.
      ...[0, 1, 2, 3, 12, 13, 14, 15].map((w, i) =>
        i32.store(0, KEY + 4 * i, i32.sub(i32.load(0, scratch + 4 * core.inputOf.indexOf(w)), i32.load(0, word(w)))),
      ),
      ...[0, 1].map((i) => i32.store(0, counter + 4 * i, i32.load(0, COUNTER_REST + 4 * i))),
      ...[0, 1].map((i) => i32.store(0, nonce + 4 * i, i32.load(0, NONCE_REST + 4 * i))),
    ];
  });

/** What is in STATE when a call starts: key and nonce without constants, or all of it because the last call goes on. */
export const GOES_ON = 0;
export const PLAIN = 1;
/** A key of 16 bytes, twice: Salsa20's, and the original ChaCha's. */
export const SHORT_KEY = 2;
/** A nonce of 24 bytes, to be shortened. */
export const EXTENDED = 3;

/** (kind, doubleRounds): completes the state. */
export const defineStart = (
  module: Module,
  extend: Callable<['i32'], undefined>,
): Callable<['i32', 'i32'], undefined> =>
  module.define(undefined, ['i32', 'i32'], undefined, (_, kind, doubleRounds) => [
    when(
      kind,
      sequence(
        ...SIGMA.map((constant, w) => i32.store(0, word(w), constant)),
        // The other constants differ in the middle.
        when(i32.eq(kind, SHORT_KEY), sequence(...[1, 2].map((w) => i32.store(0, word(w), TAU[w])))),
        when(i32.eq(kind, EXTENDED), extend(doubleRounds)),
      ),
    ),
  ]);

export const blocksOf = (length: Operand<'i32'>): Expression<'i32'> => i32.shr_u(i32.add(length, BLOCK - 1), 6);

/** For any number of blocks, none included. */
export const orNone =
  (xor: Xor, doubleRounds: Operand<'i32'>) =>
  (address: Operand<'i32'>, blocks: Operand<'i32'>): Statement =>
    when(blocks, xor(doubleRounds, address, blocks));

/** The public function. */
export const exportXor = (module: Module, start: Callable<['i32', 'i32'], undefined>, xor: Xor): void => {
  module.define('xor', ['i32', 'i32', 'i32', 'i32'], undefined, (_, kind, doubleRounds, address, blocks) => [
    start(kind, doubleRounds),
    orNone(xor, doubleRounds)(address, blocks),
  ]);
};
