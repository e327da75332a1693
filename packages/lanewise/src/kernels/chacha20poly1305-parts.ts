/**
 * The middle of the AEAD, between key and nonce and the last block of the MAC. The block of the one-time key comes with
 * the first of the message, and in long messages the MAC rides on the cipher.
 */
import { copy, sequence, set, when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Callable, Module } from '../wasm/module.ts';
import type { Operand, Statement } from '../wasm/types.ts';
import { AAD, ASIDE, blocksOf, BLOCK, DATA, HEAD } from './chacha.ts';
import { OVERRUN_BYTES, WOVEN_BLOCKS, WOVEN_BYTES, type Woven } from './chacha-lanes.ts';
import type { Poly1305 } from './poly1305.ts';

export interface Parts {
  /** (head, aadLength, length): `head` is 1 if the block of the one-time key is still to come, and additional data. */
  readonly encrypt: Callable<['i32', 'i32', 'i32'], undefined>;
  /** (length) */
  readonly decrypt: Callable<['i32'], undefined>;
  /** (aadLength, length): head and message, of no more than WOVEN_BYTES. */
  readonly decryptShort: (aadLength: Operand<'i32'>, length: Operand<'i32'>) => Statement;
}

export interface Tools {
  readonly module: Module;
  readonly mac: Poly1305;
  /** Makes the one-time key of HEAD, once that has been XORed with the first block. */
  readonly startMac: Callable<[], undefined>;
  /** XORs the keystream onto so many blocks, possibly none. */
  readonly xor: (address: Operand<'i32'>, blocks: Operand<'i32'>) => Statement;
  /** Without it cipher and MAC come one after the other, as RFC 8439 §2.8 has them. */
  readonly woven: Woven | undefined;
}

export function aeadParts({ module, mac, startMac, xor, woven }: Tools): Parts {
  const encrypt = module.define('encrypt', ['i32', 'i32', 'i32'], undefined, (frame, head, aadLength, length) => {
    const first = frame.local('i32'); // blocks that the cipher does before the MAC starts
    const rest = frame.local('i32'); // blocks left for the woven loop, then bytes that it did
    const next = frame.local('i32');
    const plain = xor(i32.sub(DATA, i32.shl(head, 6)), i32.add(first, head));
    const begin = when(head, sequence(startMac(), mac.absorbPadded(AAD, aadLength)));
    if (!woven) return [set(first, blocksOf(length)), plain, begin, mac.absorbPadded(DATA, length)];
    return [
      set(first, blocksOf(length)),
      when(
        i32.ge_u(first, 2 * WOVEN_BLOCKS),
        sequence(
          // The MAC follows a whole group behind the cipher; what makes the number of blocks uneven goes first.
          set(rest, i32.and(i32.sub(first, WOVEN_BLOCKS), -WOVEN_BLOCKS)),
          set(first, i32.sub(first, rest)),
          set(next, i32.add(DATA, i32.shl(first, 6))),
          copy(ASIDE, next, OVERRUN_BYTES),
          plain,
          copy(next, ASIDE, OVERRUN_BYTES),
        ),
        plain,
      ),
      begin,
      when(rest, sequence(woven(next, i32.shr_u(rest, 3), DATA), set(rest, i32.shl(rest, 6)))),
      mac.absorbPadded(i32.add(DATA, rest), i32.sub(length, rest)),
    ];
  });

  const decrypt = module.define('decrypt', ['i32'], undefined, (frame, length) => {
    const after = (next: Operand<'i32'>): Statement[] => [mac.absorbPadded(next, length), xor(next, blocksOf(length))];
    if (!woven) return after(DATA);
    const whole = frame.local('i32'); // bytes that go through the woven loop
    return [
      set(whole, i32.and(length, -WOVEN_BYTES)),
      when(whole, woven(DATA, i32.shr_u(whole, 9), DATA)),
      set(length, i32.sub(length, whole)),
      ...after(i32.add(DATA, whole)),
    ];
  });

  /** The ciphertext is put aside, so that one pass makes the one-time key and the plaintext together. */
  const decryptShort = (aadLength: Operand<'i32'>, length: Operand<'i32'>): Statement =>
    sequence(
      copy(ASIDE, DATA, length),
      xor(HEAD, i32.shr_u(i32.add(length, 2 * BLOCK - 1), 6)),
      startMac(),
      mac.absorbPadded(AAD, aadLength),
      mac.absorbPadded(ASIDE, length),
    );

  return { encrypt, decrypt, decryptShort };
}
