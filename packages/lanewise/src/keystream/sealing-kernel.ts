/**
 * A stream cipher and Poly1305 together, between key and nonce and the last block of the MAC: the middle of the AEAD, and of
 * secretbox. The block of the one-time key is computed together with the first blocks of the message, and in long
 * messages the MAC is interleaved with the cipher.
 */
import { copy, sequence, set, when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Callable, Module } from '../wasm/module.ts';
import type { Operand, Statement } from '../wasm/types.ts';
import { blocksOf } from './kernel.ts';
import { ASIDE, STAGE, TAG } from './map.ts';
import { OVERRUN_BYTES, WOVEN_BLOCKS, WOVEN_BYTES, type Woven } from './lanes.ts';
import { equalBlocks } from '../words/arithmetic.ts';

export interface Parts {
  /** (head, before, length): `head` is 1 at the start of a message, before the one-time key and additional data are absorbed. */
  readonly encrypt: Callable<['i32', 'i32', 'i32'], undefined>;
  /** (length) */
  readonly decrypt: Callable<['i32'], undefined>;
}

export interface Tools {
  readonly module: Module;
  /** Absorbs the `before` bytes in front of STAGE that belong to the MAC, whole blocks or padded … */
  readonly absorbBefore: (before: Operand<'i32'>) => Statement;
  /** … and the message, or its last part. */
  readonly absorb: Callable<['i32', 'i32'], undefined>;
  /** Takes the one-time key from HEAD, after the first keystream block has been XORed onto HEAD. */
  readonly startMac: Callable<[], undefined>;
  /** XORs the keystream onto any number of blocks, possibly none. */
  readonly xor: (address: Operand<'i32'>, blocks: Operand<'i32'>) => Statement;
  /** The interleaved loop; without it, cipher and MAC run one after the other. */
  readonly woven: Woven | undefined;
}

export function messageParts({ module, absorbBefore, absorb, startMac, xor, woven }: Tools): Parts {
  const encrypt = module.define('encrypt', ['i32', 'i32', 'i32'], undefined, (frame, head, before, length) => {
    const first = frame.local('i32'); // blocks that the cipher does before the MAC starts
    const rest = frame.local('i32'); // blocks left for the woven loop, then bytes that it did
    const next = frame.local('i32');
    const plain = xor(i32.sub(STAGE, i32.shl(head, 6)), i32.add(first, head));
    const begin = when(head, sequence(startMac(), absorbBefore(before)));
    if (!woven) return [set(first, blocksOf(length)), plain, begin, absorb(STAGE, length)];
    return [
      set(first, blocksOf(length)),
      when(
        i32.ge_u(first, 2 * WOVEN_BLOCKS),
        sequence(
          // The MAC runs one whole group behind the cipher, so the cipher starts with the blocks that fill no group.
          set(rest, i32.and(i32.sub(first, WOVEN_BLOCKS), -WOVEN_BLOCKS)),
          set(first, i32.sub(first, rest)),
          set(next, i32.add(STAGE, i32.shl(first, 6))),
          copy(ASIDE, next, OVERRUN_BYTES),
          plain,
          copy(next, ASIDE, OVERRUN_BYTES),
        ),
        plain,
      ),
      begin,
      when(rest, sequence(woven(next, i32.shr_u(rest, 3), STAGE), set(rest, i32.shl(rest, 6)))),
      absorb(i32.add(STAGE, rest), i32.sub(length, rest)),
    ];
  });

  const decrypt = module.define('decrypt', ['i32'], undefined, (frame, length) => {
    const after = (next: Operand<'i32'>): Statement[] => [absorb(next, length), xor(next, blocksOf(length))];
    if (!woven) return after(STAGE);
    const whole = frame.local('i32'); // bytes that go through the woven loop
    return [
      set(whole, i32.and(length, -WOVEN_BYTES)),
      when(whole, woven(STAGE, i32.shr_u(whole, 9), STAGE)),
      set(length, i32.sub(length, whole)),
      ...after(i32.add(STAGE, whole)),
    ];
  });

  return { encrypt, decrypt };
}

/** (address): 1 if the tag there is that of TAG. */
export const defineVerify = (module: Module): Callable<['i32'], 'i32'> =>
  module.define('verify', ['i32'], 'i32', (_, address) => [
    equalBlocks(
      (at) => i32.load_unaligned(address, at),
      (at) => i32.load(0, TAG + at),
    ),
  ]);
