/** XChaCha as HBSH uses it: the nonce is a block of AES and the byte 1 after it, the counter has 64 bits. */
import { SIGMA } from '../keystream/core.ts';
import { copy, loop, sequence, set, tee } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Callable, Module } from '../wasm/module.ts';
import type { Operand, Statement } from '../wasm/types.ts';
import { BLOCK, KEY, KEY_BYTES, MIDDLE, STATE, SUBKEY_BYTES, SUBKEYS } from './map.ts';
import { EXTENDED } from '../keystream/map.ts';

/** (doubleRounds, pages): the subkeys of the pages whose blocks are in MIDDLE. */
export type Subkeys = Callable<['i32', 'i32'], undefined>;

const STATE_KEY = STATE + 16;
const LAST_ROW = STATE + 48;
/** The place of the words after a nonce's first 16 bytes: the nonce's last 8 bytes, and the counter. */
const REST = STATE + 64;
/** The stream's nonce has 24 bytes; the 17th is 1. */
const ONE = [1, 0, 0, 0];

const clearRest = /* @__PURE__ */ (() => sequence(...[0, 4, 8, 12].map((at) => i32.store(0, REST + at, 0))))();

/** One page after the other. */
export const defineScalarSubkeys = (module: Module, start: Callable<['i32', 'i32'], undefined>): Subkeys =>
  module.define(undefined, ['i32', 'i32'], undefined, (frame, doubleRounds, pages) => {
    const middle = frame.local('i32');
    const subkey = frame.local('i32');
    return [
      set(middle, i32.value(MIDDLE)),
      set(subkey, i32.value(SUBKEYS)),
      clearRest,
      loop(
        sequence(
          copy(STATE_KEY, KEY, KEY_BYTES),
          copy(LAST_ROW, middle, BLOCK),
          start(EXTENDED, doubleRounds),
          copy(subkey, STATE_KEY, SUBKEY_BYTES),
          set(middle, i32.add(middle, BLOCK)),
          set(subkey, i32.add(subkey, SUBKEY_BYTES)),
        ),
        tee(pages, i32.sub(pages, 1)),
      ),
    ];
  });

/** The state for a page's stream, at its beginning. */
export const startStream = (subkey: Operand<'i32'>): Statement =>
  sequence(
    ...SIGMA.map((constant, w) => i32.store(0, STATE + 4 * w, constant)),
    copy(STATE_KEY, subkey, SUBKEY_BYTES),
    ...[0, 0, 1, 0].map((word, w) => i32.store(0, LAST_ROW + 4 * w, word)),
  );

/** The state for the stream from which keys are derived: its nonce begins with the byte 1. */
export const startKeys = (start: Callable<['i32', 'i32'], undefined>, doubleRounds: Operand<'i32'>): Statement =>
  sequence(
    copy(STATE_KEY, KEY, KEY_BYTES),
    ...ONE.map((word, w) => i32.store(0, LAST_ROW + 4 * w, word)),
    clearRest,
    start(EXTENDED, doubleRounds),
  );
