/**
 * The middle of the AEAD, between the one-time key and the last block of the MAC: cipher and MAC one after the other, or
 * woven.
 */
import { copy, sequence, set, when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Callable, Module } from '../wasm/module.ts';
import type { Local, Operand, Statement } from '../wasm/types.ts';
import { AAD, ASIDE, blocksOf, BLOCK, DATA, HEAD } from './chacha.ts';
import { defineWoven, OVERRUN_BYTES, WOVEN_BLOCKS, WOVEN_BYTES } from './chacha-lanes.ts';
import type { Arithmetic, Poly1305 } from './poly1305.ts';

type Length = Local<'i32'>;

export interface Parts {
  /** A whole message at DATA, from what is in STATE to all but the last block of the MAC. */
  seal(kind: Length, aadLength: Length, length: Length): Statement;
  open(kind: Length, aadLength: Length, length: Length): Statement;
  /** A part of one. */
  encrypt(length: Length): Statement;
  decrypt(length: Length): Statement;
}

export interface Tools {
  readonly module: Module;
  readonly mac: Poly1305;
  /** Completes the state, and clears HEAD. */
  readonly prepare: Callable<['i32'], undefined>;
  /** Makes the one-time key of HEAD, once that has been XORed with the first block. */
  readonly startMac: Callable<[], undefined>;
  /** All of that. */
  readonly begin: Callable<['i32'], undefined>;
  /** XORs the keystream onto so many blocks, possibly none. */
  readonly xor: (address: Operand<'i32'>, blocks: Operand<'i32'>) => Statement;
}

/** RFC 8439 §2.8, line by line. */
export function plainParts({ mac, begin, xor }: Tools): Parts {
  const encrypt = (length: Length): Statement => sequence(xor(DATA, blocksOf(length)), mac.absorbPadded(DATA, length));
  const decrypt = (length: Length): Statement => sequence(mac.absorbPadded(DATA, length), xor(DATA, blocksOf(length)));
  const beginWith = (kind: Length, aadLength: Length): Statement =>
    sequence(begin(kind), mac.absorbPadded(AAD, aadLength));
  return {
    encrypt,
    decrypt,
    seal: (kind, aadLength, length) => sequence(beginWith(kind, aadLength), encrypt(length)),
    open: (kind, aadLength, length) => sequence(beginWith(kind, aadLength), decrypt(length)),
  };
}

/**
 * The block of the one-time key comes with the first of the message, and in long messages the MAC rides on the cipher.
 * Without `lanes` nothing is woven, for short messages.
 */
export function laneParts(
  { module, mac, prepare, startMac, begin, xor }: Tools,
  lanes: { readonly relaxed: boolean } | undefined,
  arithmetic: Arithmetic,
): Parts {
  const woven = lanes && defineWoven(module, lanes.relaxed, arithmetic);

  /** `head` is 1 if the block of the one-time key is still to come, and with it additional data. */
  const encrypt = module.define(undefined, ['i32', 'i32', 'i32'], undefined, (frame, head, aadLength, length) => {
    const first = frame.local('i32'); // blocks that the cipher does before the MAC starts
    const rest = frame.local('i32'); // blocks left for the woven loop, then bytes that it did
    const next = frame.local('i32');
    const plain = xor(i32.sub(DATA, i32.shl(head, 6)), i32.add(first, head));
    return [
      set(first, blocksOf(length)),
      woven
        ? when(
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
          )
        : plain,
      when(head, sequence(startMac(), mac.absorbPadded(AAD, aadLength))),
      woven ? when(rest, sequence(woven(next, i32.shr_u(rest, 3), DATA), set(rest, i32.shl(rest, 6)))) : sequence(),
      mac.absorbPadded(i32.add(DATA, rest), i32.sub(length, rest)),
    ];
  });

  const decrypt = module.define(undefined, ['i32'], undefined, (frame, length) => {
    const whole = frame.local('i32'); // bytes that go through the woven loop
    const next = frame.local('i32');
    return [
      woven
        ? sequence(
            set(whole, i32.and(length, -WOVEN_BYTES)),
            when(whole, woven(DATA, i32.shr_u(whole, 9), DATA)),
            set(length, i32.sub(length, whole)),
          )
        : sequence(),
      set(next, i32.add(DATA, whole)),
      mac.absorbPadded(next, length),
      xor(next, blocksOf(length)),
    ];
  });

  /** A short ciphertext is put aside, so that one pass makes the one-time key and the plaintext together. */
  const openShort = (kind: Length, aadLength: Length, length: Length): Statement =>
    sequence(
      prepare(kind),
      copy(ASIDE, DATA, length),
      xor(HEAD, i32.shr_u(i32.add(length, 2 * BLOCK - 1), 6)),
      startMac(),
      mac.absorbPadded(AAD, aadLength),
      mac.absorbPadded(ASIDE, length),
    );

  return {
    encrypt: (length) => encrypt(0, 0, length),
    decrypt: (length) => decrypt(length),
    seal: (kind, aadLength, length) => sequence(prepare(kind), encrypt(1, aadLength, length)),
    open: (kind, aadLength, length) =>
      when(
        i32.le_u(length, WOVEN_BYTES),
        openShort(kind, aadLength, length),
        sequence(begin(kind), mac.absorbPadded(AAD, aadLength), decrypt(length)),
      ),
  };
}
