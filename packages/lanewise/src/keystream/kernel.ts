/**
 * ChaCha and Salsa20 in linear memory: HChaCha or HSalsa20, and the keystream XORed onto whole blocks. Each kernel has
 * one of these two ciphers as its core.
 */
import { STATE, BLOCK_BYTES, word, SHORT_KEY, EXTENDED } from './map.ts';
import { SIGMA, TAU, WORDS, type Core } from './core.ts';
import { loop, sequence, set, tee, when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Callable, Frame, Module } from '../wasm/module.ts';
import type { Expression, Local, Operand, Statement } from '../wasm/types.ts';
import { carried } from '../words/arithmetic.ts';
import { scalarWords } from '../words/locals.ts';

const ALL_WORDS = /* @__PURE__ */ Array.from({ length: WORDS }, (_, w) => w);
const KEY = /* @__PURE__ */ word(4);
/** The last 8 bytes of a nonce of 24, and after them the counter that goes with it. */
const NONCE_REST = STATE + 64;
const COUNTER_REST = STATE + 72;

/** (doubleRounds, address, blocks): XORs the keystream onto one or more blocks, and moves the counter on. */
export type Xor = Callable<['i32', 'i32', 'i32'], undefined>;
/**
 * (doubleRounds): HChaCha in place, draft-irtf-cfrg-xchacha-03 §2.2, or HSalsa20 ("Extending the Salsa20 nonce" §2): the key
 * becomes the subkey, then the rest of the nonce moves up.
 */
export type Extend = Callable<['i32'], undefined>;
/** (kind, doubleRounds): completes the state. */
export type Start = Callable<['i32', 'i32'], undefined>;

/**
 * Advances the counter of 64 bits; for a cipher whose counter has 32, the caller has made sure that it does not
 * overflow.
 */
export function advance(core: Core, blocks: Operand<'i32'>): Statement {
  const counter = word(core.counter);
  const low = i32.load(0, counter);
  const sum = i32.add(low, blocks);
  const high = i32.add(i32.load(0, counter + 4), carried(low, blocks, sum));
  return sequence(i32.store(0, counter + 4, high), i32.store(0, counter, sum));
}

/** One block, its words in locals. RFC 8439 §2.3, §2.4; Salsa20 specification §8, §10 */
function blockInWords(
  frame: Frame,
  core: Core,
  doubleRounds: Local<'i32'>,
  address: Local<'i32'>,
): readonly Statement[] {
  const words = scalarWords();
  const x = frame.locals('i32', WORDS);
  const rounds = frame.local('i32');
  const input = core.inputOf.map((i) => i32.load(0, word(i)));
  for (const [a, b, c, d] of core.doubleRound.flat()) core.quarterRound(words, x[a], x[b], x[c], x[d]);
  return [
    ...x.map((local, w) => set(local, input[w])),
    set(rounds, doubleRounds),
    loop(sequence(...words.taken()), tee(rounds, i32.sub(rounds, 1))),
    ...x.map((local, w) => i32.store(address, 4 * w, i32.xor(i32.load(address, 4 * w), i32.add(local, input[w])))),
    advance(core, 1),
  ];
}

const defineScalarXor = (module: Module, core: Core): Xor =>
  module.define(undefined, ['i32', 'i32', 'i32'], undefined, (frame, doubleRounds, address, blocks) => [
    loop(
      sequence(...blockInWords(frame, core, doubleRounds, address), set(address, i32.add(address, BLOCK_BYTES))),
      tee(blocks, i32.sub(blocks, 1)),
    ),
  ]);

/** Exactly one block. */
export const defineOneBlock = (module: Module, core: Core): Xor =>
  module.define(undefined, ['i32', 'i32', 'i32'], undefined, (frame, doubleRounds, address) => [
    ...blockInWords(frame, core, doubleRounds, address),
  ]);

/** Clears words of a block, so that XORing the keystream onto them leaves the keystream itself. */
export const clearWords = (address: number, words: number): Statement =>
  sequence(...ALL_WORDS.slice(0, words).map((w) => i32.store(0, address + 4 * w, 0)));

/**
 * HChaCha and HSalsa20 are the block function without its final addition, so the added words are subtracted again; in
 * both, the subkey is at the places of the constants and the nonce. There is room for a block at `scratch`.
 */
export const defineExtend = (module: Module, core: Core, xor: Xor, scratch: number): Extend =>
  module.define('extend', ['i32'], undefined, (frame, doubleRounds) => {
    const lastRow = frame.locals('i32', 2);
    const counter = word(core.counter);
    const nonce = word(core.nonce);
    return [
      clearWords(scratch, WORDS),
      // The counter's place holds words of the nonce, and the block function advances it, so these words are saved
      // and restored.
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

const storeConstants = (constants: readonly number[]): Statement =>
  sequence(...constants.map((constant, w) => i32.store(0, word(w), constant)));

/** `constants` stores four words at the start of the state: one vector where the state is read in vectors. */
export const defineStart = (module: Module, extend: Extend, constants = storeConstants): Start =>
  module.define(undefined, ['i32', 'i32'], undefined, (_, kind, doubleRounds) => [
    when(
      kind,
      sequence(
        constants(SIGMA),
        when(i32.eq(kind, SHORT_KEY), constants(TAU)),
        when(i32.eq(kind, EXTENDED), extend(doubleRounds)),
      ),
    ),
  ]);

/** Both functions that keys and blocks go through, without vectors. */
export const defineScalar = (
  module: Module,
  core: Core,
  scratch: number,
): { readonly xor: Xor; readonly start: Start } => {
  const xor = defineScalarXor(module, core);
  return { xor, start: defineStart(module, defineExtend(module, core, xor, scratch)) };
};

export const blocksOf = (length: Operand<'i32'>): Expression<'i32'> => i32.shr_u(i32.add(length, BLOCK_BYTES - 1), 6);

/** Extends a function on one or more blocks to any number of blocks, none included. */
export const orNone =
  (xor: Xor, doubleRounds: Operand<'i32'>) =>
  (address: Operand<'i32'>, blocks: Operand<'i32'>): Statement =>
    when(blocks, xor(doubleRounds, address, blocks));

/** The public function. */
export const exportXor = (module: Module, start: Start, xor: Xor): void => {
  module.define('xor', ['i32', 'i32', 'i32', 'i32'], undefined, (_, kind, doubleRounds, address, blocks) => [
    start(kind, doubleRounds),
    orNone(xor, doubleRounds)(address, blocks),
  ]);
};
